#include "report/stack_text.h"

#include <fmt/format.h>

#include "reex/run/result.h"
#include "report/text/paths.h"
#include "report/text/text_layout.h"

namespace reex {
namespace {

constexpr std::size_t k_frames = 4; // without -v

std::string frame_text(const Frame& frame, SourceLines& sources, const TerminalOptions& options) {
  const std::string place = frame.file.empty()
                                ? base_name(frame.module)
                                : fmt::format("{}:{}", path_within(frame.file, options.folder), frame.line);
  const std::string function = frame.function.empty() ? "(unknown function)" : frame.function;
  const char mark = frame.changed ? '*' : ' ';
  const std::string together = fmt::format("{} in {}", place, function);
  std::string text;
  if (display_width(together) + 6 <= options.width)
    text = fmt::format("    {} {}\n", mark, together);
  else
    text = fmt::format("    {} {}\n        in {}\n", mark, place, fit(function, options.width - 11));
  const std::string source = frame.system_header ? "" : sources.trimmed(frame.file, frame.line);
  if (!source.empty())
    text += fmt::format("        {}\n", options.style(Tone::faint, fit(source, options.width - 8)));
  return text;
}

} // namespace

std::string stack_text(const std::vector<Frame>& stack, SourceLines& sources,
                       const TerminalOptions& options) {
  const bool library = options.verbose || user_frame(stack) == nullptr;
  std::string text;
  std::size_t met = 0;
  bool changed = false;
  for (const Frame& frame : stack) {
    if (frame.system_header && !library) continue;
    const bool within = met++ < k_frames || options.verbose;
    if (!within && met == k_frames + 1) text += "      ...\n";
    if (within || (frame.changed && !changed)) text += frame_text(frame, sources, options);
    changed = changed || frame.changed;
  }
  return text;
}

} // namespace reex
