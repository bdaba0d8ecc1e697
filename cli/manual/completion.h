// Completions for shells. They offer the verbs, the options of the verb, and the values that an option takes.
#pragma once

#include <string>

namespace reex {

std::string bash_completion();
std::string zsh_completion();
std::string fish_completion();

} // namespace reex
