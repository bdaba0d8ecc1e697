#include <fmt/format.h>

#include <filesystem>

#include "cli/commands/commands.h"
#include "cli/commands/hook_run.h"
#include "cli/hook/hook_file.h"
#include "cli/hook/hook_script.h"
#include "cli/options/duration.h"
#include "cli/subject/binary.h"
#include "cli/subject/test_entries.h"
#include "cli/terminal/command_error.h"
#include "cli/terminal/output.h"
#include "git/history.h"
#include "git/repository.h"
#include "reex/process/environment.h"

namespace reex {
namespace {

namespace fs = std::filesystem;

// Paths inside the repository are kept relative to its root: each worktree has binaries of its own.
std::vector<std::string> binaries_of(const std::vector<std::string>& words) {
  std::vector<std::string> paths;
  if (words.empty()) return paths;
  const std::string root = open_repository(".")->root();
  for (const std::string& word : words) {
    const fs::path path = fs::weakly_canonical(require_binary(word).path);
    const fs::path relative = path.lexically_relative(root);
    const bool inside = !relative.empty() && *relative.begin() != "..";
    paths.push_back(inside ? relative.string() : path.string());
  }
  return paths;
}

void tell(const HookReport& report) {
  for (const std::string& line : report.lines) say(line);
}

// What the next push will run; where nothing is named yet, what to write.
void tell_of_tests(const Invocation& invocation) {
  try {
    const ProjectTests project = require_project_tests(invocation.settings);
    for (const TestEntry& test : project.tests)
      say(fmt::format("git push runs {} ({}, of {})", test.name,
                      fs::path(test.binary).lexically_proximate(project.root).string(), project.origin));
  } catch (const UsageError&) {
    say("no test is named yet: reex hook install -- build/my_test, or a [[test]] with binary = "
        "\"build/my_test\" in "
        ".reex.toml");
  }
}

ExitStatus install(const Invocation& invocation) {
  const auto binaries = binaries_of(invocation.line.test_arguments);
  tell(install_hook(own_executable(), binaries));
  tell_of_tests(invocation);
  return ExitStatus::passed;
}

ExitStatus uninstall() {
  tell(uninstall_hook());
  return ExitStatus::passed;
}

ExitStatus print_script() {
  print(script_text({.reex = own_executable(), .chains = false, .sets_tests = false, .tests_before = {}}));
  return ExitStatus::passed;
}

} // namespace

ExitStatus hook_command(const Invocation& invocation) {
  const auto& operands = invocation.line.operands;
  const std::string what = operands.empty() ? "" : operands.front();
  if (operands.size() == 1 && what == "run") return hook_run(invocation);
  const bool known = what == "install" || what == "uninstall" || what == "print";
  if (operands.size() != 1 || !known) throw UsageError("hook: give one of install, uninstall, print, run");
  if (!invocation.line.given.empty())
    throw UsageError(
        fmt::format("hook {} takes no options: git config reex.bound 1 sets them for git push", what));
  if (what != "install" && !invocation.line.test_arguments.empty())
    throw UsageError(fmt::format("hook {} takes nothing after --", what));
  try {
    if (what == "install") return install(invocation);
    return what == "uninstall" ? uninstall() : print_script();
  } catch (const RepositoryError& error) {
    throw CommandError(ExitStatus::unresolved, error.what());
  }
}

} // namespace reex
