// Published figures of subjects, to be shown beside those that were measured (data/published.json).
#pragma once

#include <map>
#include <string>

namespace reex {

// Where a fault comes from that was mended in a public library. The subject is the mending turned back.
struct Source {
  std::string repository;
  std::string fix; // the commit that mended it
  std::string fault;
};

// Of our counterpart of a subject, with its test (data/sizes).
struct SubjectSize {
  unsigned classes = 0;
  unsigned methods = 0;
  unsigned lines = 0; // neither blank nor comments
};

struct Published {
  std::string source;                                             // "Jagannath, dissertation 2012, table 4.3"
  std::map<std::string, double> basic;                            // schedules, by subject
  std::map<std::string, double> points;                           // impacted ones, by subject
  std::map<std::string, std::map<std::string, double>> speed_ups; // by subject and heuristic
  std::map<std::string, double> geometric_means;                  // by heuristic
  // Why a measured speed-up is another one than the published, by subject and heuristics ("MA,LA"), as it was
  // looked up in the traces.
  std::map<std::string, std::map<std::string, std::string>> reasons;
  std::map<std::string, Source> regressions; // by subject
  std::map<std::string, double> threads;     // by subject
  std::map<std::string, SubjectSize> sizes;  // by subject
};

// Throws ComparisonFileError.
Published read_published(const std::string& path);

} // namespace reex
