#include "cli/subject/tests_of_binary.h"

#include <fmt/format.h>

#include <algorithm>

#include "cli/options/shard.h"
#include "cli/options/similar.h"
#include "cli/terminal/command_error.h"
#include "reex/process/test_list.h"
#include "report/text/text_layout.h"

namespace reex {

namespace {

// All but GoogleTest.
std::string other_frameworks() {
  std::vector<std::string> names;
  for (const FrameworkRow& row : frameworks())
    if (row.framework != Framework::googletest &&
        std::find(names.begin(), names.end(), row.name) == names.end())
      names.emplace_back(row.name);
  std::string text;
  for (std::size_t i = 0; i < names.size(); ++i)
    text += (i == 0 ? "" : i + 1 == names.size() ? " or " : ", ") + names[i];
  return text;
}

[[noreturn]] void give_up(const TestListError& error) {
  throw CommandError(error.failed ? ExitStatus::not_started : ExitStatus::uncontrolled, error.what());
}

std::optional<std::vector<TestCase>> tests_of(const BinaryInfo& binary,
                                              const std::vector<std::string>& arguments) {
  try {
    return list_tests(
        {.binary = binary.path, .framework = binary.framework, .preload = "", .arguments = arguments});
  } catch (const TestListError& error) {
    give_up(error);
  }
}

// No framework reads a name of these characters as a pattern.
bool is_plain(std::string_view name) {
  constexpr std::string_view k_also = "_ .:/<>()=&-";
  return !name.empty() && name.front() != ' ' && name.back() != ' ' && !name.starts_with("exclude:") &&
         std::all_of(name.begin(), name.end(), [&](char c) {
           return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
                  k_also.find(c) != std::string_view::npos;
         });
}

std::string does_not_list(const BinaryInfo& binary, const FrameworkRow& row) {
  const std::string how = list_arguments_text(binary.framework);
  return how.empty()
             ? fmt::format("{} uses {}, whose programs do not list their tests", binary.path, row.name)
             : fmt::format("{} uses {}, but does not list its tests ({})", binary.path, row.name, how);
}

} // namespace

TestSelection select_tests_of(const BinaryInfo& binary, const std::string& filter,
                              const std::vector<std::string>& arguments) {
  TestSelection selection;
  const FrameworkRow* const row = row_of(binary.framework);
  const std::optional<std::vector<TestCase>> listed =
      row == nullptr ? std::nullopt : tests_of(binary, arguments);
  if (!listed) {
    if (!filter.empty() && row == nullptr)
      throw UsageError(fmt::format("--filter: {} is no GoogleTest binary, nor one of {}: leave --filter out",
                                   binary.path, other_frameworks()));
    if (!filter.empty())
      throw UsageError(fmt::format("--filter: {}: leave --filter out", does_not_list(binary, *row)));
    if (row != nullptr)
      selection.notes.push_back(does_not_list(binary, *row) + ": it is explored as one program");
    selection.names = {""};
    return selection;
  }
  const std::vector<TestCase>& tests = *listed;
  if (filter.empty() && name_a_test(binary.framework, arguments, tests)) {
    selection.names = {""};
    return selection;
  }
  selection.framework = binary.framework;
  selection.several = tests.size() > 1;
  for (const TestCase& test : select_tests(tests, filter)) selection.names.push_back(test.name);
  selection.disabled = static_cast<std::size_t>(
      std::count_if(tests.begin(), tests.end(), [](const TestCase& test) { return test.disabled; }));
  if (!selection.names.empty()) return selection;
  if (filter.empty()) {
    throw UsageError(fmt::format("{} has no test to run ({} disabled): check that its tests are linked in",
                                 binary.path, selection.disabled));
  }
  std::vector<std::string> names;
  for (const TestCase& test : tests) names.push_back(test.name);
  throw UsageError(
      fmt::format("--filter: '{}' matches no test of {}: {}", filter, binary.path,
                  did_you_mean(filter, names, fmt::format("reex list tests {} names them", binary.path))));
}

void check_selection(const BinaryInfo& binary, TestSelection& tests) {
  const FrameworkRow* const row = row_of(tests.framework);
  if (row == nullptr || !row->is_pattern) return;
  for (const std::string& name : tests.names) {
    if (is_plain(name)) continue;
    try {
      const std::vector<std::string> chosen =
          chosen_tests({.binary = binary.path, .framework = tests.framework, .preload = ""}, name);
      if (std::find(chosen.begin(), chosen.end(), name) == chosen.end())
        throw UsageError(fmt::format("{} cannot run '{}' alone: its filter does not find the name: give the "
                                     "test another one, or leave it out with --filter",
                                     row->name, name));
      if (chosen.size() > 1)
        tests.notes.push_back(fmt::format("'{}' is a pattern to {}, which runs {} with it", name, row->name,
                                          counted(chosen.size() - 1, "other test")));
    } catch (const TestListError& error) {
      give_up(error);
    }
  }
}

void take_share_of_tests(TestSelection& tests) {
  if (tests.framework == Framework::none) return;
  const std::optional<Shard> shard = gtest_shard();
  if (!shard) return;
  std::vector<std::string> share;
  for (std::size_t i = shard->index - 1; i < tests.names.size(); i += shard->count)
    share.push_back(tests.names[i]);
  if (share.empty())
    throw UsageError(
        fmt::format("no test is left for shard {} of {} (GTEST_SHARD_INDEX={}), there are only {}: "
                    "--shard auto divides the schedules of each test instead",
                    shard->index, shard->count, shard->index - 1, tests.names.size()));
  tests.names = share;
}

} // namespace reex
