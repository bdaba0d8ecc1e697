// Compares a text with an approved file. With UPDATE_GOLDEN=1 in the environment the file is written instead;
// the difference is then for the reviewer of the commit.
#pragma once

#include <string>

namespace reex {

void expect_golden(const std::string& folder, const std::string& name, const std::string& text);

} // namespace reex
