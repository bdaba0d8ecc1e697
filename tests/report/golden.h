// Compares a text with an approved file. With UPDATE_GOLDEN=1 in the environment, it writes the file instead;
// then the reviewer of the commit checks the difference.
#pragma once

#include <string>

namespace reex {

void expect_golden(const std::string& folder, const std::string& name, const std::string& text);

} // namespace reex
