// Interprets the ending of an execution: the kind of failure, its message, and a key that is the same in
// other runs and builds.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "reex/frameworks/framework.h"
#include "reex/records/ending.h"
#include "reex/run/result.h"

namespace reex {

struct CapturedOutput {
  std::string standard_output;
  std::string standard_error;
};

// "" for an ending that is not a failure. `framework`: the test framework that the binary uses.
std::string failure_kind(End end, int value, Framework framework, const std::string& standard_output);

// Deadlock and livelock: no thread has failed, they all wait or spin.
bool is_standstill(std::string_view kind);

std::string failure_message(const std::string& kind, const EndingCopy& ending, const CapturedOutput& output,
                            const std::vector<ThreadPosition>& where);

// 12 hexadecimal digits, of the failure's kind, message and places. The key depends on the kind, the names of
// the binary and of the test, and the innermost functions of the user's frames. The last four digits depend
// on the line of the check that failed, too.
std::string stable_key(const Failure& failure, const std::string& binary, const std::string& test_name);
// Whether two keys are equal, or differ in the line of the check only.
bool same_functions(std::string_view key, std::string_view other);

// 12 hexadecimal digits. The key depends on the kind, the test's name, the object, and what each side did in
// which functions. `object`: Resolver::data_symbol, so that the key is the same without debug information.
std::string finding_key(const Finding& finding, const std::string& object, const std::string& test_name);

} // namespace reex
