// A2: of searches that began anew when a race was promoted, the counts without the earlier rounds.
#include "report/compare/evaluation_tables.h"
#include "report/compare/round_figures.h"

namespace reex {

std::vector<DocumentTable> rounds_tables(const Evaluation& evaluation) {
  DocumentTable table{
      "A2. Counts within a round",
      {"A search that finds a data race begins anew, in a further round, with the accesses of the race as "
       "scheduling points. The other tables count the schedules of all rounds; here beside them those of the "
       "round in which the failure was found. Subjects and strategies whose runs had one round are left "
       "out."},
      {"subject", "strategy", "reduction", "default, all rounds", "in its round", "median, all rounds",
       "in its round"},
      {}};
  for (const std::vector<Subject>* subjects : {&evaluation.subjects, &evaluation.regressions})
    for (const Subject& subject : *subjects)
      for (const Row& row : subject.findings.rows) {
        if (!row.in_round) continue;
        DocumentTable::Line line{{title_of(subject), row.contestant.name, row.reduction}};
        for (std::string& cell : round_cells(row)) line.cells.push_back(std::move(cell));
        table.lines.push_back(std::move(line));
      }
  if (table.lines.empty()) return {};
  return {std::move(table)};
}

} // namespace reex
