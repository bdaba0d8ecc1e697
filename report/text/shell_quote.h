// Quotes words for the shell, so that a command that the user pastes has the same meaning.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace reex {

std::string shell_quote(std::string_view word);
std::string shell_command(const std::vector<std::string>& words);

} // namespace reex
