// Runs a sleep-based test by itself, several times, and logs what its threads wait for: as the original
// IMUnit does (Jagannath, dissertation 2012, section 3.3.1), and for tests that reex cannot run.
//
// Only runs that pass count. Sleeps last several times as long, so that what they intend comes true on a busy
// machine, too.
//
// Errors: CommandError. Cost: so many runs of the test.
#pragma once

#include <string>
#include <vector>

#include "imunit/record.h"
#include "reex/frameworks/framework.h"
#include "reex/symbols/binary_info.h"

namespace reex {

struct NativeRuns {
  unsigned count = 5;
  unsigned scale = 3; // how many times as long the sleeps last
};

// `name` is the test's, "" for a plain program; `title` is for messages.
std::vector<inference::Execution> native_executions(const BinaryInfo& binary,
                                                    const std::vector<std::string>& arguments,
                                                    Framework framework, const std::string& name,
                                                    const std::string& title, const NativeRuns& runs);

} // namespace reex
