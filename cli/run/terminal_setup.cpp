#include "cli/run/terminal_setup.h"

#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <cstdio>
#include <cstdlib>
#include <filesystem>

#include "cli/terminal/color.h"

namespace reex {
namespace {

std::string variable(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? "" : value;
}

} // namespace

std::size_t terminal_width(int descriptor) {
  constexpr std::size_t k_usual = 80;
  constexpr std::size_t k_narrowest = 60;
  winsize size = {};
  if (ioctl(descriptor, TIOCGWINSZ, &size) == 0 && size.ws_col != 0)
    return std::max<std::size_t>(size.ws_col, k_narrowest);
  const std::string columns = variable("COLUMNS"); // of a caller that shows the output later
  std::size_t width = 0;
  const auto [end, error] = std::from_chars(columns.data(), columns.data() + columns.size(), width);
  const bool whole = error == std::errc() && end == columns.data() + columns.size();
  constexpr std::size_t k_widest = 1000;
  return whole ? std::clamp(width, k_narrowest, k_widest) : k_usual;
}

TerminalOptions terminal_options(const Options& options, const std::string& program) {
  const ColorEnvironment environment{variable("NO_COLOR"), variable("CLICOLOR_FORCE"), variable("TERM"),
                                     isatty(STDOUT_FILENO) != 0};
  std::error_code ignored;
  TerminalOptions terminal;
  terminal.style = Style(decide_color(options.color, environment));
  terminal.width = terminal_width(STDOUT_FILENO);
  terminal.verbose = options.verbose;
  terminal.quiet = options.quiet;
  terminal.program = program.empty() ? "reex" : program;
  terminal.folder = std::filesystem::current_path(ignored).string();
  return terminal;
}

ProgressPrinter progress_printer(const Options& options, bool somebody_waits) {
  ProgressSetup setup;
  setup.terminal = isatty(STDERR_FILENO) != 0 && variable("TERM") != "dumb";
  if (options.quiet && !(somebody_waits && setup.terminal)) {
    setup.write = [](const std::string&) {};
    return ProgressPrinter(setup);
  }
  setup.width = terminal_width(STDERR_FILENO);
  setup.write = [](const std::string& text) {
    std::fwrite(text.data(), 1, text.size(), stderr);
    std::fflush(stderr);
  };
  return ProgressPrinter(setup);
}

} // namespace reex
