// The schedule file: one execution, saved so that it can be executed again. It is JSON with a version number;
// docs/schedule-file.md specifies the format.
//
// Callers: the parent process, on any thread.
//
// Invariants: parse_schedule_file() reads what format_schedule_file() writes. It also reads k_oldest_version,
// and a file from which a person has deleted a decision. write_schedule_file() writes a new file and renames
// it, so an interrupted run never leaves half a file.
//
// Cost: reading and writing hold the whole file in memory.
//
// Errors: ScheduleFileError: one line that says what happened and what to do.
#pragma once

#include <cstdint>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "reex/frameworks/framework.h"
#include "reex/run/options.h"
#include "reex/run/result.h"

namespace reex {

struct ScheduleFile {
  static constexpr int k_version = 2;
  static constexpr int k_oldest_version = 1; // also read; it has no promoted accesses

  std::string reex_version;
  std::string binary;   // absolute path
  std::string build_id; // the ELF note in hexadecimal; "" if the binary has none
  std::string working_directory;
  std::vector<std::string> arguments;
  std::string test_name; // the framework's full name of the case; "" for a plain program
  Framework framework = Framework::none;
  Framework framework_of_case() const { return test_name.empty() ? Framework::none : framework; }
  Accesses accesses = Accesses::sync;
  std::vector<PromotedAccess> promoted;
  bool timeouts = false;
  bool sleeps_any = false;
  bool spurious = false;
  bool reuse = false;
  bool code_is_entered = true; // files of earlier versions do not say
  std::uint64_t max_steps = 0;
  std::uint32_t slice = 0;    // operations of a time slice; 0: none
  std::uint32_t patience = 0; // slices in which time stood still

  // The end of the execution.
  std::string failure_kind; // "" if it passed
  std::string failure_key;
  std::vector<std::string> places; // of a finding: the lines of its sides, "file:line", sorted
  std::string message;
  std::optional<int> exit;
  std::string stdout_sha256;

  unsigned preemptions = 0;
  std::vector<Decision> decisions;
  enum class Reduction : std::uint8_t { none, partly, complete };
  Reduction reduced = Reduction::none; // whether all decisions are known to be needed, or may be
  std::vector<std::string> changed;    // the lines of the change that are on its stacks, "file:line", sorted
  // One operation of the execution. A replay compares its operations with these to see where it diverges.
  struct Step {
    int thread = 0;
    std::string operation;
    std::string object;
    std::string location;
  };
  std::vector<Step> steps;
};

struct ScheduleFileError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

// Throws if the file is missing, damaged or of another version.
ScheduleFile read_schedule_file(const std::string& path);

// The member `binary` of the file, of which only the beginning is read; "" if that is damaged or missing.
std::string binary_of_schedule_file(const std::string& path);

// Replaces the file if it exists. The folder must exist.
void write_schedule_file(const std::string& path, const ScheduleFile& file);

// The same from and to text, without the file system. `name` is the file's name for error messages.
ScheduleFile parse_schedule_file(std::string_view text, std::string_view name);
std::string format_schedule_file(const ScheduleFile& file);

} // namespace reex
