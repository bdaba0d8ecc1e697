// The environment variables for a test. Called in the parent process.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace reex {

// The variables that `git rev-parse --local-env-vars` lists. If they were set, a test's own git calls would
// use the user's repository.
std::span<const std::string_view> git_local_variables();

// Removes them from the environment of the calling process. No other thread may read the environment
// meanwhile.
void unset_git_local_variables();

// The environment of the calling process without variables that would change the list of a binary's tests:
// GTEST_*, BOOST_TEST_*, git's local variables, LD_PRELOAD.
std::vector<std::string> clean_environment();

// The environment of the calling process, as a test gets it: without the variables by which a test
// framework would leave the test to another shard, and with a seed for the hash tables of Qt, which would
// take it from the processor's random numbers.
std::vector<std::string> environment_of_test();

} // namespace reex
