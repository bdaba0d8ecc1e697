// Finds and leaves the receipts of one binary's run.
//
// Invariants: what the receipt says of the files on disk was true before the run began. A run leaves none if
// the files are not those of a commit, or if a library was written while it ran.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "cli/options/options.h"
#include "cli/receipts/receipt.h"
#include "cli/terminal/exit_status.h"
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
  ReceiptKeeper(const ReceiptSubject& subject, const Options& options);

  // The receipt of a run within the bound, with the same change, or without any: it then looked for all
  // races.
  std::optional<Receipt> find(std::optional<unsigned> bound) const;

  // Leaves a receipt if all tests passed, and takes one back if one failed. Returns a line if the receipt
  // cannot be written, else "".
  std::string keep(const std::vector<TestRun>& runs, ExitStatus status) const;

private:
  std::string m_folder; // .reex/receipts; "" if there can be no receipt
  std::string m_by;
  std::optional<ReceiptIdentity> m_of_change;
  ReceiptIdentity m_of_everything;
  std::filesystem::file_time_type m_begun;
};

} // namespace reex
