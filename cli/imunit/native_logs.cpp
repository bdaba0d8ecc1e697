#include "cli/imunit/native_logs.h"

#include <chrono>
#include <filesystem>
#include <fstream>

#include <unistd.h>

#include <fmt/format.h>

#include "cli/subject/binary.h"
#include "cli/terminal/command_error.h"
#include "imunit/native/read_log.h"
#include "imunit/native/record.h"
#include "reex/frameworks/table.h"
#include "reex/hooks/flags.h"
#include "reex/process/captured_process.h"
#include "reex/process/environment.h"

namespace reex {
namespace {

namespace fs = std::filesystem;

constexpr std::chrono::minutes k_limit{2}; // of a run
constexpr const char* k_preload = "LD_PRELOAD=";
constexpr const char* k_library_path = "LD_LIBRARY_PATH=";

// An empty file, which is removed at the end.
class LogFile {
public:
  LogFile() : m_path(fs::temp_directory_path() / fmt::format("reex-log-{}", getpid())) { empty(); }
  ~LogFile() {
    std::error_code ignored;
    fs::remove(m_path, ignored);
  }
  LogFile(const LogFile&) = delete;
  LogFile& operator=(const LogFile&) = delete;

  void empty() const {
    if (!std::ofstream(m_path, std::ios::trunc))
      throw UsageError(fmt::format("{} cannot be written: set TMPDIR", m_path.string()));
  }
  std::string path() const { return m_path.string(); }

private:
  fs::path m_path;
};

// What a variable of the list is to begin with; it is added if it is not there.
void put_first(std::vector<std::string>& environment, const std::string& variable, const std::string& value) {
  for (std::string& each : environment)
    if (each.starts_with(variable)) {
      each = variable + value + ':' + each.substr(variable.size());
      return;
    }
  environment.push_back(variable + value);
}

std::vector<std::string> environment_of_run(const BinaryInfo& binary, const std::string& file,
                                            unsigned scale) {
  const Layout files = layout(own_executable());
  if (!fs::exists(files.log))
    throw CommandError(ExitStatus::internal,
                       fmt::format("'{}' is missing: build or install reex again", files.log.string()));
  std::vector<std::string> result = environment_of_test();
  put_first(result, k_preload, files.log.string());
  if (binary.links_tsan) put_first(result, k_library_path, files.libtsan.string());
  result.push_back(fmt::format("{}={}", native_log::k_file_variable, file));
  result.push_back(fmt::format("{}={}", native_log::k_scale_variable, scale));
  return result;
}

std::string end_of(const CapturedProcess& process) {
  using End = CapturedProcess::End;
  if (process.end == End::timed_out) return fmt::format("has not ended after {} minutes", k_limit.count());
  if (process.end == End::not_started) return "does not start";
  return fmt::format("ends with {} {}", process.end == End::exited ? "exit status" : "signal", process.code);
}

} // namespace

std::vector<inference::Execution> native_executions(const BinaryInfo& binary,
                                                    const std::vector<std::string>& arguments,
                                                    Framework framework, const std::string& name,
                                                    const std::string& title, const NativeRuns& runs) {
  std::vector<std::string> words = arguments_of_case(framework, name, arguments);
  words.insert(words.begin(), binary.path);
  const LogFile file;
  const std::vector<std::string> environment = environment_of_run(binary, file.path(), runs.scale);
  std::vector<inference::Execution> result;
  std::string failure;
  for (unsigned run = 0; result.size() < runs.count && run < 2 * runs.count; ++run) {
    file.empty();
    const CapturedProcess process = run_captured(words, environment, k_limit);
    if (process.end != CapturedProcess::End::exited || process.code != 0) {
      failure = end_of(process);
      continue;
    }
    inference::NativeExecution native = inference::read_native_log(file.path());
    if (!native.problem.empty())
      throw CommandError(ExitStatus::uncontrolled, fmt::format("{}: {}", title, native.problem));
    result.push_back(std::move(native.execution));
  }
  if (result.size() < runs.count)
    throw CommandError(
        ExitStatus::failed,
        fmt::format("{} by itself {} in {} of {} runs: a schedule is inferred from runs that pass", title,
                    failure, 2 * runs.count - result.size(), 2 * runs.count));
  return result;
}

} // namespace reex
