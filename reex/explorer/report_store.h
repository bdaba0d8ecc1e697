// What a run has reported so far, kept in a file beside its control block (.reex/runs), so that a run that
// goes on from there has it in its own report. A binary file for the same build of reex.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "reex/run/result.h"

namespace reex {

// What came of one report of the test: FailureSlot in reex/shared/control.h.
struct StoredReport {
  std::uint32_t worker = 0;
  std::uint32_t serial = 0;      // of the worker's report
  std::uint32_t slot = 0;        // of the failure in the control block
  std::string failure_key;       // "" without one
  bool first = false;            // nothing that was known then comes before it
  std::vector<Failure> failures; // none or one: new, or that takes the place of the one with its key
  std::vector<Finding> findings;
  std::vector<std::string> notes;
};

class ReportStore {
public:
  ReportStore() = default; // keeps nothing
  explicit ReportStore(std::string path) : m_path(std::move(path)) {}

  void clear() const;
  // All that were written to their end; what follows them is cut off.
  std::vector<StoredReport> load() const;
  void append(const StoredReport& report) const; // throws std::system_error

private:
  std::string m_path;
};

} // namespace reex
