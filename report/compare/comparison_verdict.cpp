#include "report/compare/comparison_verdict.h"

#include <fmt/format.h>

#include "report/figures/figures.h"
#include "report/text/text_layout.h"

namespace reex {
namespace {

Pays side_of(const std::optional<Against>& against) {
  if (!against || !against->factor || !against->factor_interval) return Pays::unknown;
  const Interval& interval = *against->factor_interval;
  // A bound holds in its direction only.
  const Known known = against->factor->known;
  if (interval.low > 1 && (known == Known::exactly || known == Known::at_least)) return Pays::yes;
  if (interval.high < 1 && (known == Known::exactly || known == Known::at_most)) return Pays::no;
  return Pays::unclear;
}

std::string side_text(const char* control, const std::optional<Against>& against, Pays side) {
  if (side == Pays::unknown) return fmt::format("{}: not enough runs", control);
  std::string text = fmt::format("{} needs {} times its schedules ({})", control,
                                 factor_text(against->factor), interval_text(against->factor_interval));
  if (side == Pays::unclear) text += ", not distinguishable";
  return text;
}

} // namespace

ComparisonVerdict verdict_on(const Comparison& comparison, const Findings& findings) {
  const Row* row = row_of(findings, comparison.judged, "auto");
  if (row == nullptr || row->seeds.empty())
    return {Pays::unknown, "NO VERDICT",
            fmt::format("{} has no runs in randomized orders", comparison.judged)};
  const Pays basic = side_of(row->against_basic);
  const Pays random = side_of(row->against_random);
  const std::string text = fmt::format(
      "{} against Basic and random, geometric means over {}, 95 % intervals: {}; {}", comparison.judged,
      counted(row->seeds.size(), "order"), side_text("Basic", row->against_basic, basic),
      side_text("random", row->against_random, random));
  if (basic == Pays::unknown || random == Pays::unknown) return {Pays::unknown, "NO VERDICT", text};
  if (basic == Pays::yes && random == Pays::yes) return {Pays::yes, "THE CHANGE PAYS", text};
  if (basic == Pays::no || random == Pays::no)
    return {Pays::no,
            basic == Pays::no && random == Pays::no ? "THE CHANGE DOES NOT PAY"
            : basic == Pays::no                     ? "THE CHANGE DOES NOT PAY AGAINST BASIC"
                                                    : "THE CHANGE DOES NOT PAY AGAINST RANDOM",
            text};
  return {Pays::unclear, "NOT DISTINGUISHABLE", text};
}

} // namespace reex
