#include "reex/process/native_run.h"

#include <chrono>
#include <cstring>

#include "reex/process/environment.h"
#include "reex/process/orphans.h"

namespace reex {
namespace {

constexpr std::chrono::seconds k_limit{10};

// "" if it ended with 0.
std::string end_text(const CapturedProcess& process) {
  switch (process.end) {
  case CapturedProcess::End::not_started:
    return std::string("does not start: ") + std::strerror(process.code);
  case CapturedProcess::End::timed_out:
    return "had not ended after " + std::to_string(k_limit.count()) + " s";
  case CapturedProcess::End::signalled:
    return "is ended by signal " + std::to_string(process.code);
  case CapturedProcess::End::exited:
    break;
  }
  return process.code == 0 ? "" : "ends with exit status " + std::to_string(process.code);
}

} // namespace

CapturedProcess run_natively(const TestCommand& command) {
  std::vector<std::string> arguments{command.binary};
  arguments.insert(arguments.end(), command.arguments.begin(), command.arguments.end());
  adopt_orphans();
  CapturedProcess process =
      run_captured(arguments, environment_of_test(), k_limit, command.working_directory);
  end_orphans();
  return process;
}

RunError start_error(const TestCommand& command, const std::string& seen, ErrorKind otherwise) {
  const CapturedProcess native = run_natively(command);
  const std::string text = seen.empty() ? "" : seen + "; ";
  if (shows_failure(native)) return {ErrorKind::not_started, text + "by itself it " + end_text(native)};
  const std::string end = end_text(native);
  return {otherwise, text + "by itself it " + (end.empty() ? "ends with 0" : end)};
}

} // namespace reex
