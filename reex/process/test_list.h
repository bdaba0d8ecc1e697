// The tests of a binary that uses a test framework (reex/frameworks). The parent process asks the binary for
// them. The binary runs for a moment, without control and within a time limit; no test is executed.
#pragma once

#include <chrono>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "reex/frameworks/table.h"

namespace reex {

// The binary did not list its tests. One line that says what happened and what to do.
struct TestListError : std::runtime_error {
  TestListError(const std::string& text, bool fails) : std::runtime_error(text), failed(fails) {}
  bool failed; // it ended otherwise than with 0; false: it did not end in time, or the machine has no room
};

struct TestListOptions {
  std::string binary; // path
  Framework framework = Framework::none;
  std::string preload; // a library without which the binary cannot start; "" for none
  // The test's own. If they choose some of the cases, as the framework's own filter does, these are listed.
  std::vector<std::string> arguments = {};
  std::chrono::milliseconds limit{10000};
};

// All tests in the binary's order, including disabled ones. nullopt: it answered with something else than a
// list, because its main function does not hand the question on. Throws TestListError.
std::optional<std::vector<TestCase>> list_tests(const TestListOptions& options);

// Whether arguments of the test's own are names of its tests, as in Qt Test: "function" or "function:row". To
// name one more would run that as well.
bool name_a_test(Framework framework, const std::vector<std::string>& arguments,
                 const std::vector<TestCase>& tests);

// The names of the tests that the arguments for one test choose: of a pattern, several may be. Throws
// TestListError.
std::vector<std::string> chosen_tests(const TestListOptions& options, const std::string& name);

// The tests that a run explores: those that are not disabled and match the filter ("" matches all). A filter
// that is the name of a test selects this test alone.
std::vector<TestCase> select_tests(const std::vector<TestCase>& tests, std::string_view filter);

// The list arguments as one writes them in a shell, for texts: "--gtest_list_tests".
std::string list_arguments_text(Framework framework);

} // namespace reex
