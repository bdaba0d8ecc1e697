// The schedule file: one execution, kept to be run again. Versioned, self-describing JSON;
// docs/schedule-file.md is its specification. Written and read in the parent process only.
#pragma once

#include <cstdint>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "reex/run/options.h"
#include "reex/run/result.h"

namespace reex {

struct ScheduleFile {
  static constexpr int k_version = 2;
  static constexpr int k_oldest_version = 1; // read, too: without promoted accesses

  std::string reex_version;
  std::string binary;   // absolute path
  std::string build_id; // hex of the ELF note, "" if the binary has none
  std::string working_directory;
  std::vector<std::string> arguments;
  std::string test_name; // GoogleTest's, "" for a plain program
  bool gtest = false;
  Accesses accesses = Accesses::sync;
  std::vector<PromotedAccess> promoted;
  bool timeouts = false;
  bool spurious = false;
  std::uint64_t max_steps = 0;

  // What the execution ended in.
  std::string failure_kind; // "" if it passed
  std::string failure_key;
  std::string message;
  std::optional<int> exit;
  std::string stdout_sha256;

  unsigned preemptions = 0;
  std::vector<Decision> decisions;
  // The operations of the execution, to see where a replay diverges: thread, operation, object.
  struct Step {
    int thread = 0;
    std::string operation;
    std::string object;
    std::string location;
  };
  std::vector<Step> steps;
};

// One line: what happened and what to do.
struct ScheduleFileError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

// Throws ScheduleFileError for a file that is missing, damaged or of another version.
ScheduleFile read_schedule_file(const std::string& path);

// Replaces the file in one step, so that an interrupted run leaves no half file. Throws ScheduleFileError.
void write_schedule_file(const std::string& path, const ScheduleFile& file);

// The two halves without a file system; `name` stands in the errors.
ScheduleFile parse_schedule_file(std::string_view text, std::string_view name);
std::string format_schedule_file(const ScheduleFile& file);

} // namespace reex
