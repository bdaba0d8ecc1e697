// The tests of a GoogleTest binary. The parent process asks the binary for them (--gtest_list_tests). The
// binary runs for a moment, without control; no test is executed.
#pragma once

#include <chrono>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace reex {

struct GtestTest {
  std::string name;      // "Suite.Case", "Suite/0.Case", "Instance/Suite.Case/1"
  std::string parameter; // "GetParam() = 4" or "TypeParam = int", as the binary prints it; or ""
  bool disabled = false; // DISABLED_ is in the name of the suite or the case
};

// The binary did not list its tests. One line that says what happened and what to do.
struct GtestListError : std::runtime_error {
  GtestListError(const std::string& text, bool fails) : std::runtime_error(text), failed(fails) {}
  bool failed; // it ended otherwise than with 0; false: it did not end in time, or the machine has no room
};

struct GtestListOptions {
  std::string binary;  // path
  std::string preload; // a library without which the binary cannot start; "" for none
  std::chrono::milliseconds limit{10000};
};

// All tests in the binary's order, including disabled ones. Throws GtestListError.
std::vector<GtestTest> list_gtest_tests(const GtestListOptions& options);

// Reads the output of --gtest_list_tests. It ignores lines that are not part of the list, such as those that
// the binary prints before.
std::vector<GtestTest> parse_gtest_list(std::string_view text);

// The tests that a run explores: those that are not disabled and match the filter ("" matches all).
std::vector<GtestTest> select_tests(const std::vector<GtestTest>& tests, std::string_view filter);

} // namespace reex
