// What an ending means: the kind of failure, its message, and the key that stays the same over runs and
// rebuilds.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "reex/run/result.h"
#include "reex/shared/control.h"

namespace reex {

struct CapturedOutput {
  std::string standard_output;
  std::string standard_error;
};

// "" for an ending that is no failure. `gtest`: the binary is a GoogleTest one.
std::string failure_kind(End end, int value, bool gtest, const std::string& standard_output);

std::string failure_message(const std::string& kind, const Ending& ending, const CapturedOutput& output,
                            const std::vector<ThreadPosition>& where);

// From the kind and the functions of the user's frames, never from lines or addresses: 12 hexadecimal digits.
std::string stable_key(const std::string& kind, const std::vector<ThreadPosition>& where,
                       const std::string& test_name);

// Likewise, of the sides' functions and the object's name.
std::string finding_key(const Finding& finding, const std::string& test_name);

} // namespace reex
