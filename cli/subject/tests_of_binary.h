// Selects the tests of a binary that a run explores.
#pragma once

#include <string>
#include <vector>

#include "reex/frameworks/framework.h"
#include "reex/symbols/binary_info.h"

namespace reex {

struct TestSelection {
  Framework framework = Framework::none; // whose cases are explored one by one
  bool several = false;                  // the binary has more than one test, selected or not
  std::vector<std::string> names;        // full names; a single "" for a plain program
  std::size_t disabled = 0;              // the number of disabled tests of the binary
  std::vector<std::string> notes;        // what to tell about the selection
};

// Throws UsageError if the filter matches no test, if the binary has no tests, or if there is a filter and
// the binary has no framework that lists tests.
// `arguments`: the test's own. Those that they choose, if they are a filter of the framework's, are all that
// the binary has.
TestSelection select_tests_of(const BinaryInfo& binary, const std::string& filter,
                              const std::vector<std::string>& arguments = {});

// Asks the framework whether each selected name chooses its test. Throws UsageError if one does not, and
// notes which other tests run with it.
void check_selection(const BinaryInfo& binary, TestSelection& tests);

// If GTEST_TOTAL_SHARDS is set, keeps the tests of this shard, which are those that GoogleTest would run.
// Throws UsageError, also if no test is left.
void take_share_of_tests(TestSelection& tests);

} // namespace reex
