// The tests of a GoogleTest binary, found by asking it (--gtest_list_tests). Called in the parent process;
// the binary runs for a moment, without control, and nothing of a test is executed.
#pragma once

#include <chrono>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace reex {

struct GtestTest {
  std::string name;      // "Suite.Case", "Suite/0.Case", "Instance/Suite.Case/1"
  std::string parameter; // "GetParam() = 4" or "TypeParam = int" as the binary says it, "" if there is none
  bool disabled = false; // DISABLED_ in the suite's or the case's name
};

// The binary could not be asked: one line, what happened and what to do.
struct GtestListError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

struct GtestListOptions {
  std::string binary;  // path
  std::string preload; // a library the binary needs to be started at all, "" for none
  std::chrono::milliseconds limit{10000};
};

// All tests in the binary's order, disabled ones included. Throws GtestListError.
std::vector<GtestTest> list_gtest_tests(const GtestListOptions& options);

// Understands the text of --gtest_list_tests; lines that belong to no list (what the binary printed before)
// are left out.
std::vector<GtestTest> parse_gtest_list(std::string_view text);

// Those that a run explores: not disabled, and matched by GoogleTest's filter language ("" matches all).
std::vector<GtestTest> select_tests(const std::vector<GtestTest>& tests, std::string_view filter);

} // namespace reex
