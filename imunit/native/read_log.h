// Reads what a native run has written (native/record.h), as an execution that record_log() understands.
//
// Errors: `problem` says why the file is no whole log.
#pragma once

#include <string>

#include "imunit/record.h"

namespace reex::inference {

struct NativeExecution {
  Execution execution;
  std::string problem; // one line; "" if all is there
};

// Cost: that of finding the source lines of all frames (reex/symbols/resolver.h).
NativeExecution read_native_log(const std::string& path);

} // namespace reex::inference
