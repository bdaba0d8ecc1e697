#include "cli/terminal/output.h"

#include <fmt/format.h>

#include <cerrno>
#include <cstdio>
#include <cstring>

#include "cli/terminal/command_error.h"

namespace reex {

void print(const std::string& text) {
  std::fwrite(text.data(), 1, text.size(), stdout);
  if (std::fflush(stdout) != 0) {
    throw UsageError(
        fmt::format("standard output cannot be written ({}): check where it leads", std::strerror(errno)));
  }
}

// Where standard error cannot be written, there is nobody to tell it.
void say(const std::string& line) {
  const std::string text = "reex: " + line + "\n";
  std::fwrite(text.data(), 1, text.size(), stderr);
}

} // namespace reex
