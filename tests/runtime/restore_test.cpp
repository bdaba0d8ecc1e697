// A restore brings back the runtime's own variables too, except for those that are kept on purpose.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <set>
#include <sstream>

#include <cxxabi.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include "tests/runtime/tool.h"

namespace reex::runtime_test {
namespace {

using namespace reex::tool;

struct Symbol {
  std::uint64_t low;
  std::uint64_t high;
  std::string name;
};

std::string output_of(const std::string& command) {
  std::unique_ptr<FILE, int (*)(FILE*)> pipe(popen(command.c_str(), "r"), pclose);
  std::string text;
  char part[4096];
  while (pipe != nullptr && std::fgets(part, sizeof part, pipe.get()) != nullptr) text += part;
  return text;
}

// Without what link-time optimization appends, and without namespaces and the parameters of functions.
std::string short_name(std::string name) {
  name = name.substr(0, name.find(".lto_priv"));
  int status = 0;
  const std::unique_ptr<char, void (*)(void*)> plain(
      abi::__cxa_demangle(name.c_str(), nullptr, nullptr, &status), std::free);
  if (status == 0) name = plain.get();
  for (const std::string prefix : {"reex::", "(anonymous namespace)::"})
    for (std::size_t at; (at = name.find(prefix)) != std::string::npos;) name.erase(at, prefix.size());
  return name;
}

std::vector<Symbol> variables_of(const std::string& library) {
  std::istringstream lines(output_of("nm -S --defined-only " + library));
  std::vector<Symbol> found;
  for (std::string line; std::getline(lines, line);) {
    std::istringstream words(line);
    std::uint64_t low = 0;
    std::uint64_t size = 0;
    std::string kind, name;
    if (words >> std::hex >> low >> size >> kind >> name &&
        std::string("bBdD").find(kind) != std::string::npos)
      found.push_back({low, low + size, short_name(name)});
  }
  std::ranges::sort(found, {}, &Symbol::low);
  return found;
}

// The variables that are not what they were at the start of the first execution, at the start of another one.
std::set<std::string> changed_variables(const std::string& told, const std::vector<Symbol>& variables) {
  std::set<std::string> changed;
  std::istringstream lines(told);
  for (std::string line; std::getline(lines, line);) {
    unsigned execution = 0;
    std::uint64_t low = 0;
    std::uint64_t size = 0;
    if (!(std::istringstream(line) >> execution >> std::hex >> low >> std::dec >> size)) continue;
    bool known = false;
    for (const Symbol& variable : variables)
      if (variable.low < low + size && low < variable.high) {
        const bool of_main = variable.name == "g_room_for_fibers" && low < variable.low + 1024;
        changed.insert(of_main ? "main's fiber" : variable.name);
        known = true;
      }
    if (!known) changed.insert("no variable's memory");
  }
  return changed;
}

// Kept on purpose (ARCHITECTURE.md, "The runtime's own variables").
const std::set<std::string> k_kept{
    // they belong to the worker
    "g_restores", "g_execution", "g_record_when", "g_controller", "g_controller_stack", "g_executions",
    "g_used", "completed.0", "g_memmove", "strings::g_len", "g_strnlen", "g_hash",
    // which pages were written, and when the kernel was asked last
    "g_pieces", "g_piece_count", "g_faults", "g_found", "g_questions",
    // as the pages' protection, which no restore changes
    "g_sleep", "g_code_was_visited",
    // learned from the first execution; what was read of files
    "g_patience", "g_known",
    // filled as a thread is created, or read only up to a count that is set back
    "g_room_for_fibers", "g_alive", "g_gone", "g_identity", "g_tenures", "g_leaving",
    // they carry the execution's number, or are set back where they are used
    "g_clocks", "g_published", "g_pool", "g_fingerprinting", "g_histories", "g_dependence", "g_some_joined",
    "g_told", "g_told_count", "g_told_outside", "g_told_all", "g_some_ahead", "g_ahead_execution", "g_last",
    "g_some_doubtful", "g_doubts", "g_doubt_count", "g_overflow", "g_untouched", "g_untouched_count",
    "g_untouched_execution",
    // the script of the test, which grows from execution to execution, and what is followed in it
    "g_noting", "g_acts", "g_act_count", "g_script", "g_script_round", "g_rest", "g_script_use", "g_actors",
    "g_count", "g_live", "g_gates", "g_gate_count", "g_walk", "g_start", "g_most_steps", "g_tried", "g_cut",
    "g_passed_over", "g_executed", "g_in_vain", "g_step",
    // the last changes, up to a count that is set back
    "g_changes",
    // only grows, and is compared within an execution
    "g_releases",
    // scratch space, and what is set before each use
    "g_enabled", "g_steps", "g_joins", "g_exit_step", "g_target", "g_type", "g_reached", "g_found",
    "g_end_of_walk", "ended_like(Fiber const&)::ended",
    // the first execution is recorded, the second compared with it
    "g", "g_expected", "g_operations", "search()::storage", "g_doing", "g_objects", "g_numbered_execution",
    "g_object_count", "g_limit", "g_points", "g_counting_operations"};

class Restore : public testing::TestWithParam<std::pair<const char*, const char*>> {};

TEST_P(Restore, BringsBackTheRuntime) {
  const std::vector<Symbol> variables = variables_of(REEX_RUNTIME);
  ASSERT_GT(variables.size(), 100U);
  const auto& [program, scenario] = GetParam();
  for (const Words& options : {Words{"--strategy", "random", "--schedules", "12", "--seed", "3"},
                               Words{"--schedules", "12", "--bound", "2"}}) {
    const Folder folder;
    // Without a name: what the test's processes do to files is undone.
    const std::unique_ptr<FILE, int (*)(FILE*)> file(std::tmpfile(), std::fclose);
    ASSERT_NE(file, nullptr);
    const std::filesystem::path told =
        "/proc/" + std::to_string(getpid()) + "/fd/" + std::to_string(fileno(file.get()));
    Words all{"--isolation", "restore", "--races", "report", "-k", "0"};
    all.insert(all.end(), options.begin(), options.end());
    const Ran ran = explore(folder, all, {std::string(REEX_PROGRAMS "/") + program, scenario},
                            {{"REEX_RESTORE_CHECK", told.string()}});
    const std::string text = read_file(told);
    EXPECT_NE(text.find(" compared"), std::string::npos) << describe(ran);
    for (const std::string& name : changed_variables(text, variables))
      EXPECT_TRUE(k_kept.contains(name)) << program << ' ' << scenario << " leaves " << name << " changed";
  }
}

INSTANTIATE_TEST_SUITE_P(All, Restore,
                         testing::ValuesIn(std::vector<std::pair<const char*, const char*>>{
                             {"attributes", "main_comes_back"},
                             {"attributes", "main_is_joined"},
                             {"attributes", "inherited"},
                             {"attributes", "given_stack_kept"},
                             {"pipes", "numbers_used_again"},
                             {"pipes", "timer_in_epoll"},
                             {"pipes", "two_readers"},
                             {"sockets", "epoll_level"},
                             {"sockets", "shut_down_listener"}}),
                         [](const auto& of) { return std::string(of.param.first) + "_" + of.param.second; });

} // namespace
} // namespace reex::runtime_test
