#include "report/compare/comparison_text.h"

#include <fmt/format.h>

#include <map>

#include "report/figures/figures.h"
#include "report/text/paths.h"
#include "report/text/text_layout.h"

namespace reex {
namespace {

constexpr std::size_t k_width = 80;

std::string right(const std::string& text, std::size_t width) {
  const std::size_t own = display_width(text);
  return std::string(own < width ? width - own : 0, ' ') + text;
}

std::string paragraph(const std::string& text, const std::string& indent) {
  std::string result;
  for (const std::string& line : wrap(text, k_width - indent.size())) result += indent + line + '\n';
  return result;
}

// What is too long for its column takes room from those behind it.
std::string line_of(const std::string& name, const std::vector<std::string>& cells) {
  static constexpr std::size_t k_widths[] = {8, 7, 8, 7, 8, 8, 6, 8, 9};
  std::string line = fmt::format("  {:<8}", name);
  std::size_t end = 10;
  for (std::size_t i = 0; i < cells.size(); ++i) {
    end += k_widths[i];
    const std::size_t used = display_width(line) + 1;
    line += ' ' + right(cells[i], used < end ? end - used : 0);
  }
  return line + '\n';
}

std::optional<Estimate> factor_of(const std::optional<Against>& against) {
  return against ? against->factor : std::nullopt;
}

std::string row_text(const Row& row) {
  return line_of(
      row.contestant.name,
      {row.default_order ? schedules_text(*row.default_order) : "–", schedules_text(row.lower),
       schedules_text(row.median), schedules_text(row.upper),
       row.contestant.kind == ContestantKind::basic
           ? "1"
           : factor_text(row.seeds.empty() ? row.default_against_basic : factor_of(row.against_basic)),
       row.contestant.name == "random" ? "1" : factor_text(factor_of(row.against_random)),
       std::to_string(row.not_found), fmt::format("{:.1f}", row.processor_seconds),
       row.schedules_per_second > 0 ? grouped(static_cast<unsigned long long>(row.schedules_per_second))
                                    : "–"});
}

// Beneath a row: the same without earlier rounds.
std::string round_text(const RoundCounts& counts) {
  return line_of("in round",
                 {counts.default_order ? schedules_text(*counts.default_order) : "–",
                  schedules_text(quantile(counts.seeds, 0.25)), schedules_text(quantile(counts.seeds, 0.5)),
                  schedules_text(quantile(counts.seeds, 0.75))});
}

std::string title_of(const std::string& reduction) {
  if (reduction == "auto") return "with the reduction (the default)";
  if (reduction == "none") return "all of them (--reduction none, as published)";
  return "samples, which have no order and no reduction";
}

std::string failures_text(const Comparison& comparison, Measured measured) {
  std::map<std::string, std::pair<const FirstFailure*, std::uint64_t>> found;
  for (const RunRecord& run : comparison.runs)
    if (const FirstFailure* failure = found_by(run, measured);
        failure != nullptr && run.id.reduction != k_cost_run) {
      auto& [first, count] = found[failure->key];
      first = failure;
      ++count;
    }
  std::string text;
  if (found.size() > 1) text += "  The runs did not all find the same failure:\n";
  for (const auto& [key, one] : found)
    text += fmt::format("  {}, {}: in {}\n", one.first->kind, key, counted(one.second, "run"));
  if (measured == Measured::race)
    text += "  No execution failed; what is measured is the first data race that counts.\n";
  return text;
}

std::string problems_text(const Comparison& comparison) {
  std::string text;
  for (const RunRecord& run : comparison.runs)
    if (!run.judged)
      text +=
          paragraph(fmt::format("not judged, and not counted: {} {} seed {} (status {}): {}",
                                run.id.contestant, run.id.reduction, run.id.seed, run.status, run.problem),
                    "  ");
  return text;
}

} // namespace

std::string comparison_text(const Comparison& comparison, const Style& style) {
  const Findings findings = analyse(comparison);
  const Tone tone = findings.verdict.pays == Pays::yes  ? Tone::good
                    : findings.verdict.pays == Pays::no ? Tone::bad
                                                        : Tone::doubtful;
  std::string text = style(tone, findings.verdict.headline) + ' ' + comparison.label + '\n';
  text += paragraph(findings.verdict.text, "  ");
  if (findings.shallow)
    text += paragraph("The failure is shallow: random finds it in a median of less than 20 schedules, so "
                      "it tells little about a strategy.",
                      "  ");
  std::string reduction;
  for (const Row& row : findings.rows) {
    if (row.reduction != reduction) {
      reduction = row.reduction;
      text += fmt::format("\nSchedules to the failure, {}\n", title_of(reduction));
      text += style(Tone::faint, line_of("", {"default", "lower", "median", "upper", "/Basic", "/random",
                                              "cens.", "cpu s", "sched/s"}));
    }
    text += row_text(row);
    if (row.in_round) text += round_text(*row.in_round);
  }
  text += '\n' + failures_text(comparison, findings.measured);
  text += paragraph(fmt::format("default: in default order; lower, median, upper: quartiles over {}; /Basic, "
                                "/random: how many times as many these need (geometric means); cens.: "
                                "runs without a failure within {} schedules and {:g} s; cpu s: of all runs.",
                                counted(comparison.seeds, "randomized order"),
                                grouped(comparison.schedule_limit), comparison.budget_seconds),
                    "  ");
  if (has_rounds(findings))
    text += paragraph("in round: without the schedules before the search began anew, with the accesses of a "
                      "data race as scheduling points.",
                      "  ");
  return text + problems_text(comparison);
}

} // namespace reex
