// The tables of an evaluation, for each format that prints them.
#pragma once

#include <string>
#include <vector>

#include "report/compare/evaluation.h"

namespace reex {

struct DocumentTable {
  std::string title;
  std::vector<std::string> text; // paragraphs above the table
  std::vector<std::string> columns;
  struct Line {
    std::vector<std::string> cells;
    bool published = false; // not measured here
    bool total = false;
  };
  std::vector<Line> lines;
  bool ends_in_words = false; // the last column has texts, and no figures
};

// What the default strategy and the default heuristic bring, on the regressions and on the subjects, judged
// by intervals over them.
DocumentTable verdict_table(const Evaluation& evaluation);
DocumentTable speed_up_table(const Evaluation& evaluation, const std::string& title,
                             const std::string& reduction, Orders orders);
// What differs from the published speed-ups, and why.
DocumentTable differences_table(const Evaluation& evaluation);
// None without regressions.
std::vector<DocumentTable> regression_tables(const Evaluation& evaluation);
// What strategies would need that take turns of heuristics, by the runs of these.
DocumentTable layers_table(const Evaluation& evaluation);

// A: the subjects. B: speed-ups, without and with the reduction, default and randomized orders. C: by what is
// matched and by all or some. D: the controls. E: effect sizes and tests. F: costs. G: differences from what
// was published. H: regressions of public libraries. I: layers of a strategy that goes by the change.
std::vector<DocumentTable> evaluation_tables(const Evaluation& evaluation);

} // namespace reex
