// Finds and leaves the receipts of one binary's run.
//
// Invariants: what the receipt says of the files on disk was true as the run began: it is found out in a
// process of its own, beside the run, because to compare a large repository with its commit takes seconds. A
// run leaves none if the files are not those of a commit, or if the test or a library was written while it
// ran.
#pragma once

#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "cli/options/options.h"
#include "cli/receipts/known_races.h"
#include "cli/receipts/receipt.h"
#include "cli/terminal/exit_status.h"
#include "reex/process/forked_work.h"
#include "reex/run/result.h"

namespace reex {

struct ReceiptSubject {
  std::string binary; // absolute
  std::vector<std::string> arguments;
  std::string runtime; // libreex_rt.so
  std::string folder;  // where .reex is
  std::string base;    // a revision; "" without a change
  // The tree of the files on disk; "" if they are of no commit, nullopt if it is to be found out.
  std::optional<std::string> tree;
  std::string by;
  std::vector<std::string> environment; // "NAME=value"
};

class ReceiptKeeper {
public:
  // Before the first test starts.
  ReceiptKeeper(const ReceiptSubject& subject, const Options& options);

  // The receipt of a run within the bound, with the same change, or without any: it then looked for all
  // races.
  std::optional<Receipt> find(std::optional<unsigned> bound);

  // Leaves a receipt if all tests passed, and takes one back if one failed, and keeps the data races of the
  // runs (known_races.h). Returns a line if the receipt cannot be written, else "".
  std::string keep(const std::vector<TestRun>& runs, ExitStatus status);

private:
  // The identities of the receipts that this run may leave or find: of its change, if it has one, and of a
  // run without a change. None: there can be no receipt. Waits until they are known.
  const std::vector<ReceiptIdentity>& identities();

  void keep_races_of(const std::vector<TestRun>& runs);

  std::string m_folder; // .reex/receipts
  RaceSubject m_tested; // but for its tree
  std::string m_by;
  std::unique_ptr<ForkedWork> m_beside; // until its result is taken
  std::vector<ReceiptIdentity> m_identities;
  std::filesystem::file_time_type m_begun;
};

} // namespace reex
