// Selects the tests of a binary that a run explores.
#pragma once

#include <string>
#include <vector>

#include "reex/symbols/binary_info.h"

namespace reex {

struct TestSelection {
  bool gtest = false;
  bool several = false;           // the binary has more than one test, selected or not
  std::vector<std::string> names; // full names; a single "" for a plain program
  std::size_t disabled = 0;       // the number of disabled tests of the binary
};

// Throws UsageError if the filter matches no test, if the binary has no tests, or if there is a filter and
// the binary does not use GoogleTest.
TestSelection select_tests_of(const BinaryInfo& binary, const std::string& filter);

// If GTEST_TOTAL_SHARDS is set, keeps the tests of this shard, which are those that GoogleTest would run.
// Throws UsageError, also if no test is left.
void take_share_of_tests(TestSelection& tests);

} // namespace reex
