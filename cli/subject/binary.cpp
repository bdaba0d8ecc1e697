#include "cli/subject/binary.h"

#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "cli/terminal/command_error.h"
#include "reex/hooks/flags.h"

namespace reex {

namespace {

namespace fs = std::filesystem;

// Searches PATH, as a shell does, unless the name is a file in the current folder.
std::string found_in_path(const std::string& name) {
  std::error_code error;
  const char* folders = std::getenv("PATH");
  if (folders == nullptr || name.empty() || name.find('/') != std::string::npos || fs::exists(name, error))
    return name;
  std::istringstream list(folders);
  for (std::string folder; std::getline(list, folder, ':');) {
    const std::string path = fs::path(folder.empty() ? "." : folder) / name;
    if (fs::is_regular_file(path, error) && access(path.c_str(), X_OK) == 0) return path;
  }
  return name;
}

[[noreturn]] void refuse(const std::string& path, const char* why) {
  throw CommandError(ExitStatus::uncontrolled, fmt::format("{} {}", path, why));
}

// "/bin/sh" for a script that begins with "#!/bin/sh -e"; "" if the file is not a script.
std::string script_interpreter(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  std::string line;
  std::getline(file, line);
  if (!line.starts_with("#!")) return "";
  line.erase(0, line.find_first_not_of(" \t", 2));
  return line;
}

bool gains_privileges(const std::string& path) {
  struct stat status {};
  return stat(path.c_str(), &status) == 0 && (status.st_mode & (S_ISUID | S_ISGID)) != 0;
}

// Throws if the binary can run, but not under control.
void refuse_uncontrollable(const BinaryInfo& info, const std::string& path) {
  if (info.go) refuse(path, "is a Go program, whose threads do not go through libc: it cannot be controlled");
  if (info.is_static) refuse(path, "is linked statically and cannot be controlled: link it without -static");
  if (info.loader.find("/ld-musl") != std::string::npos)
    refuse(path, "is built for musl and cannot be controlled: build it for the GNU C library");
  if (info.contains_tsan) {
    refuse(path, "has ThreadSanitizer's own runtime inside and cannot be controlled: link it with "
                 "`reex flags --link` or reex::instrument");
  }
  if (info.asan) {
    refuse(path, "is built with -fsanitize=address, whose runtime takes over what reex controls: build it "
                 "without, or with what `reex flags --compile` prints");
  }
  if (info.criterion)
    refuse(path,
           "uses Criterion, which starts itself anew for each test, so that no test comes under control: "
           "call what is tested from a main function, or from another framework");
  if (gains_privileges(path))
    refuse(path,
           "is set-user-ID or set-group-ID, for which nothing is preloaded: run a copy without the bit");
}

} // namespace

bool is_there(const std::string& name) {
  std::error_code error;
  return fs::exists(found_in_path(name), error);
}

BinaryInfo require_binary(const std::string& name) {
  const std::string path = found_in_path(name);
  std::error_code error;
  if (!fs::exists(path, error)) {
    throw UsageError(fmt::format("there is no test binary {}: build it, or give its path", path));
  }
  if (!fs::is_regular_file(path, error)) {
    throw UsageError(fmt::format("{} is no program: give the test's executable", path));
  }
  BinaryInfo info = read_binary_info(path);
  if (!info.error.empty()) {
    if (const std::string interpreter = script_interpreter(path); !interpreter.empty()) {
      throw CommandError(
          ExitStatus::uncontrolled,
          fmt::format("{} is a script for {}: give the program that it starts", path, interpreter));
    }
    throw UsageError(fmt::format("{} is no program (it {}): give the test's executable", path, info.error));
  }
  if (!info.x86_64) refuse(path, "is not built for x86-64: build it for this machine");
  if (!info.executable) {
    throw UsageError(fmt::format("{} is a library or an object file: give the test's executable", path));
  }
  refuse_uncontrollable(info, path);
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
