// The results of a comparison on the disk: a line for each run, written when the run has ended. A comparison
// that was killed goes on with the runs that are not there.
//
// Invariants: a line is written whole, by one call, and counts if it ends in a line feed. One process at a
// time has the file.
//
// Errors: UsageError if the file cannot be written, or if another comparison has it.
#pragma once

#include <string>
#include <vector>

#include "report/compare/comparison.h"

namespace reex {

// What is known before the first run.
struct ResultsHead {
  std::string started; // UTC, ISO 8601
  std::uint64_t impacted_points = 0;
  std::string auto_heuristic; // what heuristic auto goes by
  AnalysisCost analysis;
};

class ResultsFile {
public:
  // Opens or makes FOLDER/results.jsonl. `fresh`: what is in it does not count.
  ResultsFile(const std::string& folder, bool fresh);
  ~ResultsFile();
  ResultsFile(const ResultsFile&) = delete;
  ResultsFile& operator=(const ResultsFile&) = delete;

  // Whether there is a head; without one, begin() comes first.
  bool begun() const { return m_begun; }
  void begin(const ResultsHead& head);
  const ResultsHead& head() const { return m_head; }
  const std::vector<RunRecord>& runs() const { return m_runs; }
  void append(const RunRecord& run);
  const std::string& path() const { return m_path; }

private:
  void read();
  void write(const std::string& line);

  std::string m_path;
  int m_file = -1;
  bool m_begun = false;
  ResultsHead m_head;
  std::vector<RunRecord> m_runs;
};

} // namespace reex
