// A word for the shell: what a user pastes must mean the same again.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace reex {

std::string shell_quote(std::string_view word);
std::string shell_command(const std::vector<std::string>& words);

} // namespace reex
