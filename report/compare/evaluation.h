// Comparisons on several subjects, together: what is written as docs/evaluation.md.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "report/compare/analysis.h"
#include "report/compare/published.h"

namespace reex {

struct Subject {
  Comparison comparison;
  Findings findings;
};

// Each with the label of its comparison as its name.
struct Evaluation {
  std::vector<Subject> subjects;
  std::vector<Subject> regressions; // of public libraries; told of by themselves
  std::optional<Published> published;
  std::string command; // that made the page, for its reader
};

// The geometric mean of factors, such as the speed-ups of a heuristic, over several subjects. Subjects where
// the factor is not known, as neither side has found the failure, are left out.
struct MeanFactor {
  double value = 0;
  std::size_t subjects = 0;
  bool some_at_least = false; // of some subjects only a bound is known
  bool some_at_most = false;
};

MeanFactor mean_of(const std::vector<std::optional<Estimate>>& factors);

enum class Orders : std::uint8_t { default_order, randomized };

// nullopt if there is no such run.
std::optional<Estimate> speed_up(const Subject& subject, const std::string& heuristic,
                                 const std::string& reduction, Orders orders);
MeanFactor mean_speed_up(const std::vector<const Subject*>& subjects, const std::string& heuristic,
                         const std::string& reduction, Orders orders);

// "3.1", "≥3.1", "~3.1" where bounds point in both directions; "–" without a subject.
std::string mean_text(const MeanFactor& mean);

std::vector<const Subject*> all_of(const Evaluation& evaluation);
// Those that are not shallow.
std::vector<const Subject*> deep_of(const Evaluation& evaluation);
// Those with published speed-ups.
std::vector<const Subject*> published_of(const Evaluation& evaluation);

// "airline (shallow)"
std::string title_of(const Subject& subject);

// The 14 heuristics, in the order of the table.
std::vector<std::string> heuristic_names();

} // namespace reex
