// The names of settings, and the check of names that look like one: a setting with a misspelled name would
// have no effect, and nobody would notice.
//
// Errors: UsageError, which names what was probably meant.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace reex {

// The keys of all settings, as "keep-going".
std::vector<std::string> setting_keys();

// The variables that begin with REEX_ and are no settings: those that reex sets for a test, so that a reex
// inside a test does not stumble over them, and those of reex's own tests. All that begin with REEX_TEST_ are
// free.
std::span<const std::string_view> other_variables();

// Of a variable of the environment; any other than REEX_... is right.
void check_variable(const std::string& name);
// Of a key of git's configuration; any other than reex... is right.
void check_git_key(const std::string& key);

} // namespace reex
