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
};

// A: the subjects. B: speed-ups, without and with the reduction, default and randomized orders. C: by what is
// matched and by all or some. D: the controls. E: effect sizes and tests. F: costs.
std::vector<DocumentTable> evaluation_tables(const Evaluation& evaluation);

} // namespace reex
