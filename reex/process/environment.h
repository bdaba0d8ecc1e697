// The environment a test is started in. Parent process.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace reex {

// What `git rev-parse --local-env-vars` lists: with these set, a test's own git calls would hit the user's
// repository.
std::span<const std::string_view> git_local_variables();

// Takes them out of the calling process's environment. Not while other threads read it.
void unset_git_local_variables();

// The environment of the calling process without what would change what a GoogleTest binary lists: GTEST_*,
// git's local variables, LD_PRELOAD.
std::vector<std::string> clean_environment();

} // namespace reex
