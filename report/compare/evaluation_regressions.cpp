// H: faults that were mended in public libraries, put back: the same columns as for the subjects.
#include <fmt/format.h>

#include <set>

#include "report/compare/evaluation_tables.h"
#include "report/figures/figures.h"
#include "report/text/text_layout.h"

namespace reex {
namespace {

std::string median_text(const Subject& subject, const std::string& contestant) {
  const Row* row = row_of(subject.findings, contestant, "auto");
  return row != nullptr ? schedules_text(row->median) : "–";
}

DocumentTable sources_table(const Evaluation& evaluation) {
  DocumentTable table{
      "H1. Regressions of public libraries",
      {"Each is a commit of a public library that mended a fault, turned back, with a test of "
       "data/regressions. The libraries are not part of this project. Medians of the schedules to the "
       "failure over randomized orders and seeds, with the reduction. (race): a data race is what fails."},
      {"regression", "points", "Basic", "LOA", "auto", "random", "pos", "pct", "surw", "what was mended"},
      {},
      true};
  std::set<unsigned> orders;
  for (const Subject& subject : evaluation.regressions) orders.insert(subject.comparison.seeds);
  table.text.push_back(orders.size() == 1 ? fmt::format("Randomized orders of each: {}.", *orders.begin())
                                          : fmt::format("Randomized orders of each: {} to {}.",
                                                        *orders.begin(), *orders.rbegin()));
  for (const Subject& subject : evaluation.regressions) {
    const Source& source = evaluation.published->regressions.at(subject.comparison.label);
    DocumentTable::Line line{
        {title_of(subject) + (subject.findings.measured == Measured::race ? " (race)" : ""),
         grouped(subject.comparison.impacted_points)}};
    for (const char* contestant : {"Basic", "LOA", "auto", "random", "pos", "pct", "surw"})
      line.cells.push_back(median_text(subject, contestant));
    line.cells.push_back(fmt::format("{} ({}, {})", source.fault, source.repository, source.fix));
    table.lines.push_back(std::move(line));
  }
  return table;
}

} // namespace

std::vector<DocumentTable> regression_tables(const Evaluation& evaluation) {
  if (evaluation.regressions.empty()) return {};
  Evaluation own{evaluation.regressions, {}, std::nullopt, ""};
  return {sources_table(evaluation),
          speed_up_table(own, "H2. Regressions, speed-ups, default order", "none", Orders::default_order),
          speed_up_table(own, "H3. Regressions, speed-ups, randomized orders", "none", Orders::randomized),
          speed_up_table(own, "H4. Regressions, speed-ups with the reduction, randomized orders", "auto",
                         Orders::randomized)};
}

} // namespace reex
