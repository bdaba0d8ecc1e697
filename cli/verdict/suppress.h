// What the project suppresses: [[suppress]] in .reex.toml, and --suppressions FILE (docs/settings.md). A
// suppressed failure or finding does not make the run fail. It does not end the exploration either, and it
// stands in the reports with its reason.
//
// Thread safety: one thread.
#pragma once

#include <string>
#include <vector>

#include "cli/options/project_file.h"
#include "reex/run/result.h"

namespace reex {

class Suppressions {
public:
  Suppressions() = default;
  // `today` is a date like "2027-01-31"; what has expired does not count. Files are compared relative to
  // `root`.
  Suppressions(const std::vector<Suppression>& all, const std::string& root, const std::string& today);

  bool empty() const { return m_rows.empty(); }
  bool covers(const Failure& failure) const { return find(failure) != nullptr; }
  bool covers(const Finding& finding) const { return find(finding) != nullptr; }

  // Moves what is covered to TestRun::suppressed, and removes its schedule files.
  void apply(TestRun& run);

  // A line for each suppression that does not count any more.
  const std::vector<std::string>& expired() const { return m_expired; }
  // A line for each one that has covered nothing so far.
  std::vector<std::string> unused() const;

private:
  struct Row {
    Suppression suppression;
    bool used = false;
  };
  // `object` is what a finding is about.
  bool matches(const Suppression& one, const std::string& kind, const std::string& key,
               const std::vector<ThreadPosition>& where, const std::string& object) const;
  bool matches(const Suppression& one, const Frame& frame) const;
  const Row* find(const Failure& failure) const;
  const Row* find(const Finding& finding) const;

  std::vector<Row> m_rows;
  std::vector<std::string> m_expired;
  std::string m_root;
};

// Of the clock and the time zone of this machine.
std::string today();

} // namespace reex
