#include "report/compare/round_figures.h"

#include "report/figures/figures.h"

namespace reex {
namespace {

std::string text_of(const std::optional<Observation>& one) { return one ? schedules_text(*one) : "–"; }

} // namespace

std::vector<std::string> round_cells(const Row& row) {
  return {text_of(row.default_order), text_of(row.in_round->default_order), schedules_text(row.median),
          schedules_text(quantile(row.in_round->seeds, 0.5))};
}

} // namespace reex
