// A file that stores what a run has reported so far. It is next to the run's control block (.reex/runs). A
// run that continues with --resume loads it, so that its own report contains everything. Only the same build
// of reex can read the file.
//
// Callers: the parent process. One run at a time uses the file: the run that has locked the control block.
//
// Invariants: a record is a length and its bytes (CBOR). append() only adds at the end. If a run is killed in
// the middle of append(), load() removes the incomplete record, and all earlier records are intact.
//
// Cost: append() opens the file, writes once, and closes it. load() reads the whole file.
//
// Errors: append() throws std::system_error. A file that does not exist is like an empty one.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "reex/run/result.h"

namespace reex {

// One report of a worker (FailureSlot in reex/shared/control.h), as the parent has understood it.
struct StoredReport {
  std::uint32_t worker = 0;
  std::uint32_t serial = 0;      // the serial number of the worker's report
  std::uint32_t slot = 0;        // index of the failure among the known failures of the control block
  std::string failure_key;       // "" without a failure
  bool first = false;            // no failure known then is earlier in the order of exploration
  std::vector<Failure> failures; // none or one; it is new, or replaces the known one with the same key
  std::vector<Finding> findings; // all of one execution, without its choices
  std::shared_ptr<const Schedule> how_of_findings; // these
  std::vector<std::string> notes;
  std::vector<Gap> gaps;
};

class ReportStore {
public:
  ReportStore() = default; // stores nothing
  explicit ReportStore(std::string path) : m_path(std::move(path)) {}

  void clear() const;
  // All complete records. Cuts the file off behind them.
  std::vector<StoredReport> load() const;
  void append(const StoredReport& report) const;

private:
  std::string m_path;
};

} // namespace reex
