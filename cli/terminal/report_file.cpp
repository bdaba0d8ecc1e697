// The files of reports. A report takes the place of an earlier one when it is complete and on the disk: who
// is killed before leaves the earlier one.
#include "cli/terminal/output.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>

#include "cli/terminal/command_error.h"

namespace reex {
namespace {

namespace fs = std::filesystem;

[[noreturn]] void fail(const std::string& path, int error) {
  const char* remedy = error == EFBIG ? "allow larger files: ulimit -f unlimited"
                       : error == ENOSPC || error == EDQUOT
                           ? "make room on the disk, or give another path with --format"
                           : "give another path with --format";
  throw UsageError(
      fmt::format("the report {} cannot be written ({}): {}", path, std::strerror(error), remedy));
}

// Where a link leads, so that the link stays.
fs::path target_of(const std::string& path) {
  std::error_code error;
  const fs::path target = fs::canonical(path, error);
  return error ? fs::path(path) : target;
}

fs::path folder_of(const fs::path& path) {
  return path.has_parent_path() ? path.parent_path() : fs::path(".");
}

// A pipe or a device, such as /dev/stdout: nothing can take its place.
bool is_special(const fs::path& path) {
  struct stat status = {};
  return stat(path.c_str(), &status) == 0 && !S_ISREG(status.st_mode);
}

// Whether another file can take the place of the one at this path.
bool is_replaceable(const fs::path& path) {
  return !is_special(path) && access(folder_of(path).c_str(), W_OK | X_OK) == 0;
}

// 0, or the error.
int write_all(int file, const std::string& text) {
  for (std::size_t done = 0; done < text.size();) {
    const ssize_t count = write(file, text.data() + done, text.size() - done);
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) return errno;
    if (count == 0) return EIO;
    done += static_cast<std::size_t>(count);
  }
  return 0;
}

int write_in_place(const fs::path& path, const std::string& text) {
  const int file = open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
  if (file < 0) return errno;
  const int error = write_all(file, text);
  return close(file) != 0 && error == 0 ? errno : error;
}

int replace(const fs::path& path, const std::string& text) {
  const fs::path made = folder_of(path) / fmt::format(".{}.{}.new", path.filename().string(), getpid());
  unlink(made.c_str());
  const int file = open(made.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
  if (file < 0) return errno;
  struct stat before = {};
  if (stat(path.c_str(), &before) == 0) fchmod(file, before.st_mode & 0777);
  int error = write_all(file, text);
  if (error == 0 && fsync(file) != 0) error = errno;
  if (close(file) != 0 && error == 0) error = errno;
  if (error == 0 && rename(made.c_str(), path.c_str()) != 0) error = errno;
  if (error != 0) unlink(made.c_str());
  return error;
}

} // namespace

void check_report_path(const std::string& path) {
  if (path == "-") return;
  const fs::path target = target_of(path);
  const auto refuse = [&](const std::string& why) {
    throw UsageError(fmt::format("the report {} cannot be written ({}): give another path", path, why));
  };
  std::error_code ignored;
  const fs::path folder = folder_of(target);
  if (!fs::is_directory(folder, ignored))
    throw UsageError(fmt::format("the report {} cannot be written: there is no folder {}: make it first",
                                 path, folder.string()));
  if (fs::is_directory(target, ignored)) refuse("it is a folder");
  if (fs::exists(target, ignored) ? access(target.c_str(), W_OK) != 0 : !is_replaceable(target))
    refuse(std::strerror(errno));
}

void write_report(const std::string& path, const std::string& text) {
  if (path == "-") {
    print(text);
    return;
  }
  const fs::path target = target_of(path);
  if (const int error = is_replaceable(target) ? replace(target, text) : write_in_place(target, text);
      error != 0)
    fail(path, error);
}

} // namespace reex
