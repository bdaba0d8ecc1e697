#include "cli/subject/tests_of_binary.h"

#include <fmt/format.h>

#include <algorithm>

#include "cli/terminal/command_error.h"
#include "reex/process/gtest_tests.h"

namespace reex {

TestSelection select_tests_of(const BinaryInfo& binary, const std::string& filter) {
  TestSelection selection;
  if (!binary.gtest) {
    if (!filter.empty()) {
      throw UsageError(fmt::format("--filter: {} is no GoogleTest binary: leave --filter out", binary.path));
    }
    selection.names = {""};
    return selection;
  }
  std::vector<GtestTest> tests;
  try {
    tests = list_gtest_tests({.binary = binary.path, .preload = ""});
  } catch (const GtestListError& error) {
    throw CommandError(ExitStatus::not_started, error.what());
  }
  selection.gtest = true;
  selection.several = tests.size() > 1;
  for (const GtestTest& test : select_tests(tests, filter)) selection.names.push_back(test.name);
  selection.disabled = static_cast<std::size_t>(
      std::count_if(tests.begin(), tests.end(), [](const GtestTest& test) { return test.disabled; }));
  if (!selection.names.empty()) return selection;
  if (filter.empty()) {
    throw UsageError(fmt::format("{} has no test to run ({} disabled): check that its tests are linked in",
                                 binary.path, selection.disabled));
  }
  throw UsageError(fmt::format("--filter: '{}' matches no test of {}: reex list tests {} names them", filter,
                               binary.path, binary.path));
}

} // namespace reex
