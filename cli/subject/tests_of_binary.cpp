#include "cli/subject/tests_of_binary.h"

#include <fmt/format.h>

#include <algorithm>

#include "cli/options/shard.h"
#include "cli/options/similar.h"
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
    throw CommandError(error.failed ? ExitStatus::not_started : ExitStatus::uncontrolled, error.what());
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
  std::vector<std::string> names;
  for (const GtestTest& test : tests) names.push_back(test.name);
  throw UsageError(
      fmt::format("--filter: '{}' matches no test of {}: {}", filter, binary.path,
                  did_you_mean(filter, names, fmt::format("reex list tests {} names them", binary.path))));
}

void take_share_of_tests(TestSelection& tests) {
  if (!tests.gtest) return;
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
