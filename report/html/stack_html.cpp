#include "report/html/stack_html.h"

#include <fmt/format.h>

#include <algorithm>

#include "report/html/html_text.h"
#include "report/text/paths.h"
#include "report/text/text_layout.h"

namespace reex {
namespace {

constexpr int k_colours = 8;

std::string place(const RunReport& report, const Frame& frame) {
  if (frame.file.empty()) return html(base_name(frame.module));
  return fmt::format("{}:{}", html(shown_path(report, frame.file)), frame.line);
}

std::string frame_html(const RunReport& report, const Frame& frame, bool with_source) {
  const std::string source = with_source ? report.sources.trimmed(frame.file, frame.line) : "";
  return fmt::format(
      "<li class=\"frame{}{}\"><span class=\"place\">{}</span> <code class=\"fn\">{}</code>{}</li>\n",
      is_of_user(frame) ? "" : " library", frame.changed ? " changed" : "", place(report, frame),
      html(frame.function.empty() ? "?" : frame.function),
      source.empty() ? "" : "<code class=\"src\">" + html(source) + "</code>");
}

std::string position_html(const RunReport& report, const ThreadPosition& position) {
  std::string text = fmt::format("<li class=\"position\">\n<p>{} {}</p>\n",
                                 position.thread < 0 ? "" : thread_tag(position.thread),
                                 html(short_thread_names(position.state)));
  if (!position.holders.empty())
    text += "<p class=\"holders\">" + html(short_thread_names(position.holders)) + "</p>\n";
  std::string users;
  for (const Frame& frame : position.stack)
    if (is_of_user(frame)) users += frame_html(report, frame, true);
  if (!users.empty()) text += "<ol class=\"frames\">\n" + users + "</ol>\n";
  const auto others = std::count_if(position.stack.begin(), position.stack.end(),
                                    [](const Frame& frame) { return !is_of_user(frame); });
  if (others > 0)
    text += fmt::format("<details><summary>whole stack, {}</summary>{}</details>\n",
                        counted(position.stack.size(), "frame"), frames_html(report, position.stack));
  return text + "</li>\n";
}

} // namespace

std::string thread_tag(int thread) {
  return fmt::format("<span class=\"who c{}\">T{}</span>", thread % k_colours, thread);
}

std::string frames_html(const RunReport& report, const std::vector<Frame>& stack) {
  std::string text = "<ol class=\"frames\">\n";
  for (const Frame& frame : stack) text += frame_html(report, frame, false);
  return text + "</ol>\n";
}

std::string positions_html(const RunReport& report, const std::vector<ThreadPosition>& where) {
  std::string text = "<ul class=\"positions\">\n";
  for (const ThreadPosition& position : where) text += position_html(report, position);
  return text + "</ul>\n";
}

} // namespace reex
