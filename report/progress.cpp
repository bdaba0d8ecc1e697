#include "report/progress.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>

#include "report/text/left_text.h"
#include "report/text/text_layout.h"

namespace reex {
namespace {

constexpr std::chrono::seconds k_longest_silence{30};

double seconds(std::chrono::steady_clock::duration duration) {
  return std::chrono::duration<double>(duration).count();
}

std::string samples_text(const Progress& progress, double rate) {
  if (progress.total == 0) return counted(progress.schedules, "schedule") + " drawn";
  std::string text =
      fmt::format("{} of {} drawn", grouped(progress.schedules), counted(progress.total, "schedule"));
  const auto left = static_cast<double>(progress.total - std::min(progress.total, progress.schedules));
  if (rate > 0 && left > 0) text += fmt::format(", {} left", estimated_time(left / rate));
  return text;
}

} // namespace

void ProgressPrinter::start(const std::string& title, Time now, std::optional<Time> deadline) {
  m_title = title;
  m_deadline = deadline;
  m_started = now;
  m_last_line = now;
  m_last_find.clear();
  m_next_power = 1;
  const std::string budget =
      deadline ? fmt::format(", budget {:.1f} s", std::max(0.0, seconds(*deadline - now))) : std::string();
  if (m_setup.terminal)
    overprint(fmt::format("reex: exploring {}{}", title, budget));
  else
    m_setup.write(fmt::format("reex: exploring {}{}\n", title, budget));
}

void ProgressPrinter::update(const Progress& progress, Time now) {
  if (m_setup.terminal) {
    overprint(text(progress, now));
    return;
  }
  const bool power = progress.schedules >= m_next_power;
  if (!power && now - m_last_line < k_longest_silence) return;
  if (power) m_next_power = std::bit_ceil(progress.schedules + 1);
  m_last_line = now;
  m_setup.write(text(progress, now) + '\n');
}

void ProgressPrinter::found(const Failure& failure, Time now) {
  m_last_find = fmt::format("{} at schedule {}", failure.kind, grouped(failure.schedule));
  if (m_setup.terminal) return;
  m_last_line = now;
  m_setup.write(fmt::format("reex: {}: found {}\n", m_title, m_last_find));
}

void ProgressPrinter::finish() {
  if (m_line_is_open) m_setup.write("\r\x1b[K");
  m_line_is_open = false;
}

std::string ProgressPrinter::text(const Progress& progress, Time now) const {
  const double elapsed = progress.seconds > 0 ? progress.seconds : seconds(now - m_started);
  const double rate = elapsed > 0 ? static_cast<double>(progress.schedules) / elapsed : 0;
  std::string line = fmt::format("reex: {}: ", m_title);
  if (progress.sampled)
    line += samples_text(progress, rate);
  else
    line += fmt::format("bound {}, {} done", progress.bound, counted(progress.schedules, "schedule"));
  if (const std::string left = left_in_progress(progress.left); !left.empty())
    line += ", " + left;
  else if (progress.pending > 0)
    line += fmt::format(", {} known to be left", grouped(progress.pending));
  line += fmt::format(", {}/s", grouped(static_cast<unsigned long long>(rate)));
  if (progress.failures > 0) line += fmt::format(", {}", counted(progress.failures, "failure"));
  if (!m_last_find.empty()) line += fmt::format(" (last: {})", m_last_find);
  if (m_deadline) line += fmt::format(", {:.0f} s of budget left", std::max(0.0, seconds(*m_deadline - now)));
  return line;
}

void ProgressPrinter::overprint(const std::string& text) {
  m_setup.write("\r\x1b[K" + fit(text, m_setup.width > 1 ? m_setup.width - 1 : 1));
  m_line_is_open = true;
}

} // namespace reex
