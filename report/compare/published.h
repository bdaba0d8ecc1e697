// Published figures of subjects, to be shown beside those that were measured (data/published.json).
#pragma once

#include <map>
#include <string>

namespace reex {

struct Published {
  std::string source;                                             // "Jagannath, dissertation 2012, table 4.3"
  std::map<std::string, double> basic;                            // schedules, by subject
  std::map<std::string, std::map<std::string, double>> speed_ups; // by subject and heuristic
  std::map<std::string, double> geometric_means;                  // by heuristic
};

// Throws ComparisonFileError.
Published read_published(const std::string& path);

} // namespace reex
