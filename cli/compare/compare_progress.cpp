#include "cli/compare/compare_progress.h"

#include <fmt/format.h>
#include <unistd.h>

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <string_view>

#include "cli/run/terminal_setup.h"
#include "cli/terminal/output.h"
#include "report/text/text_layout.h"

namespace reex {
namespace {

constexpr std::chrono::seconds k_silence(30);

bool is_terminal() {
  const char* terminal = std::getenv("TERM");
  return isatty(STDERR_FILENO) != 0 && (terminal == nullptr || std::string_view(terminal) != "dumb");
}

void write_error(const std::string& text) {
  std::fwrite(text.data(), 1, text.size(), stderr);
  std::fflush(stderr);
}

std::string outcome_of(const RunRecord& run) {
  if (!run.judged) return "not judged";
  if (run.failure) return fmt::format("failure at schedule {}", grouped(run.failure->schedule));
  return run.race ? "a data race" : fmt::format("none in {}", counted(run.schedules, "schedule"));
}

} // namespace

std::string duration_text(double seconds) {
  const auto whole = static_cast<unsigned long long>(std::ceil(seconds));
  if (whole < 60) return fmt::format("{} s", whole);
  if (whole < 3600) return fmt::format("{} min {} s", whole / 60, whole % 60);
  return fmt::format("{} h {} min", whole / 3600, whole % 3600 / 60);
}

CompareProgress::CompareProgress(std::size_t planned, std::size_t made, bool quiet)
    : m_planned(planned), m_first(made), m_made(made), m_quiet(quiet), m_terminal(is_terminal()) {}

std::string CompareProgress::text() const {
  const double passed = std::chrono::duration<double>(Clock::now() - m_started).count();
  const auto own = static_cast<double>(m_made - m_first);
  const double left = own > 0 ? passed / own * static_cast<double>(m_planned - m_made) : 0;
  return fmt::format("{} of {} runs{}{}", m_made, m_planned,
                     own > 0 ? fmt::format(", about {} left", duration_text(left)) : "",
                     m_last.empty() ? "" : "; " + m_last);
}

void CompareProgress::ended(const RunRecord& run) {
  ++m_made;
  m_last =
      fmt::format("{} {} seed {}: {}", run.id.contestant, run.id.reduction, run.id.seed, outcome_of(run));
  tick();
}

void CompareProgress::tick() {
  if (m_quiet) return;
  if (m_terminal) {
    write_error("\r\033[K" + fit("reex: " + text(), terminal_width(STDERR_FILENO) - 1));
    m_line_is_open = true;
    return;
  }
  const Clock::time_point now = Clock::now();
  const bool power = m_made - m_first >= m_next_power;
  if (!power && now - m_last_line < k_silence) return;
  say(text());
  m_last_line = now;
  while (m_next_power <= m_made - m_first) m_next_power *= 2;
}

void CompareProgress::finish() {
  if (m_line_is_open) write_error("\r\033[K");
  m_line_is_open = false;
}

} // namespace reex
