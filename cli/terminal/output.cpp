#include "cli/terminal/output.h"

#include <fmt/format.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <fstream>

#include "cli/terminal/command_error.h"

namespace reex {

void print(const std::string& text) {
  std::fwrite(text.data(), 1, text.size(), stdout);
  if (std::fflush(stdout) != 0) {
    throw UsageError(
        fmt::format("standard output cannot be written ({}): check where it leads", std::strerror(errno)));
  }
}

void write_report(const std::string& path, const std::string& text) {
  if (path == "-") {
    print(text);
    return;
  }
  errno = 0;
  std::ofstream out(path, std::ios::binary | std::ios::trunc);
  out << text;
  if (!out.flush()) {
    const int error = errno != 0 ? errno : EIO;
    const char* remedy =
        error == EFBIG ? "allow larger files: ulimit -f unlimited" : "give another path with --format";
    throw UsageError(
        fmt::format("the report {} cannot be written ({}): {}", path, std::strerror(error), remedy));
  }
}

// Where standard error cannot be written, there is nobody to tell it.
void say(const std::string& line) {
  const std::string text = "reex: " + line + "\n";
  std::fwrite(text.data(), 1, text.size(), stderr);
}

} // namespace reex
