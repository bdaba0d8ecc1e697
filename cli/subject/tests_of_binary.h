// Which tests of a binary a run explores.
#pragma once

#include <string>
#include <vector>

#include "reex/symbols/binary_info.h"

namespace reex {

struct TestSelection {
  bool gtest = false;
  bool several = false;           // the binary has more than one test, selected or not
  std::vector<std::string> names; // full names; one "" for a plain program
  std::size_t disabled = 0;       // matched but skipped
};

// Throws UsageError where the filter matches no test, the binary has none, or it is no GoogleTest binary.
TestSelection select_tests_of(const BinaryInfo& binary, const std::string& filter);

// What is left of the tests for this process where GTEST_TOTAL_SHARDS is set, dealt out as GoogleTest does.
// Throws UsageError, also where nothing is left.
void take_share_of_tests(TestSelection& tests);

} // namespace reex
