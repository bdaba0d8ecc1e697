#include "cli/binary.h"

#include <fmt/format.h>
#include <unistd.h>

#include <filesystem>

#include "cli/command_error.h"
#include "reex/hooks/flags.h"

namespace reex {

BinaryInfo require_binary(const std::string& path) {
  std::error_code error;
  if (!std::filesystem::exists(path, error)) {
    throw UsageError(fmt::format("there is no test binary {}: build it, or give its path", path));
  }
  if (!std::filesystem::is_regular_file(path, error)) {
    throw UsageError(fmt::format("{} is no program: give the test's executable", path));
  }
  BinaryInfo info = read_binary_info(path);
  if (!info.error.empty()) {
    throw UsageError(fmt::format("{} is no program (it {}): give the test's executable", path, info.error));
  }
  if (!info.x86_64) {
    throw CommandError(ExitStatus::uncontrolled,
                       fmt::format("{} is not built for x86-64: build it for this machine", path));
  }
  if (!info.executable) {
    throw UsageError(fmt::format("{} is a library or an object file: give the test's executable", path));
  }
  if (info.is_static) {
    throw CommandError(
        ExitStatus::uncontrolled,
        fmt::format("{} is linked statically and cannot be controlled: link it without -static", path));
  }
  if (info.contains_tsan) {
    throw CommandError(
        ExitStatus::uncontrolled,
        fmt::format("{} has ThreadSanitizer's own runtime inside and cannot be controlled: link it with "
                    "`reex flags --link` or reex::instrument",
                    path));
  }
  if (access(path.c_str(), X_OK) != 0) {
    throw UsageError(fmt::format("{} may not be executed: chmod +x {}", path, path));
  }
  return info;
}

std::string own_executable() {
  std::error_code error;
  const std::string path = std::filesystem::read_symlink("/proc/self/exe", error).string();
  if (error) {
    throw CommandError(ExitStatus::internal, "/proc/self/exe cannot be read: mount /proc");
  }
  return path;
}

RuntimeFiles require_runtime(const BinaryInfo& binary) {
  try {
    const std::string self = own_executable();
    return {.library = runtime_library(self).string(),
            .libtsan = binary.links_tsan ? libtsan_directory(self).string() : ""};
  } catch (const std::runtime_error& error) {
    throw CommandError(ExitStatus::internal, error.what());
  }
}

} // namespace reex
