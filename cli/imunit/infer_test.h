// Runs a sleep-based test, and infers its events and its schedule: once under reex, in its default execution,
// or several times by itself (native_logs.h).
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "cli/options/options.h"
#include "cli/terminal/command_error.h"
#include "imunit/infer.h"
#include "imunit/rewrite.h"
#include "reex/frameworks/framework.h"
#include "reex/symbols/binary_info.h"

namespace reex {

struct InferredTest {
  std::string name; // "" for a plain program
  std::unique_ptr<inference::Source> source;
  inference::Inference inference;
};

// The test never sleeps, or has one thread.
struct NothingToInfer : UsageError {
  using UsageError::UsageError;
};

// Throws NothingToInfer; or CommandError: the test fails, its file is not there or newer than the binary, or
// it cannot be controlled.
InferredTest infer_test(const BinaryInfo& binary, const std::vector<std::string>& arguments,
                        Framework framework, const std::string& name, const Options& options);

} // namespace reex
