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
// None if no run had several rounds.
std::vector<DocumentTable> rounds_tables(const Evaluation& evaluation);
// None without regressions.
std::vector<DocumentTable> regression_tables(const Evaluation& evaluation);
// What strategies would need that take turns of heuristics, by the runs of these.
DocumentTable layers_table(const Evaluation& evaluation);

// What a strategy is compared with.
using ControlFactor = std::optional<Against> Row::*;

// A12 of a heuristic over the subjects, and where the test, adjusted for all of them, tells it from the
// control.
struct Effect {
  double a12 = 0.5;
  std::optional<Interval> interval;
  unsigned better = 0;
  unsigned worse = 0;
};

// nullopt if it took part nowhere.
std::optional<Effect> effect_of(const Evaluation& evaluation, const std::string& heuristic,
                                const std::string& reduction, ControlFactor control);
std::string a12_interval_text(const std::optional<Interval>& interval);

// A: the subjects. B: speed-ups, without and with the reduction, default and randomized orders. C: by what is
// matched and by all or some. D: the controls. E: effect sizes and tests. F: costs. G: differences from what
// was published. H: regressions of public libraries. I: layers of a strategy that goes by the change.
std::vector<DocumentTable> evaluation_tables(const Evaluation& evaluation);

} // namespace reex
