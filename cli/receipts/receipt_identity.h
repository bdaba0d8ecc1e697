// The identity of a receipt: what is tested, of which commit, and how.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "cli/options/options.h"
#include "cli/receipts/receipt.h"

namespace reex {

constexpr const char* k_tree_of_receipt = "tree"; // the name of this part

struct Tested {
  std::string binary; // absolute
  std::vector<std::string> arguments;
  std::string filter;
  std::string folder;                   // where the test runs
  std::string tree;                     // of the commit whose files lie on the disk
  std::optional<std::string> base;      // the tree of the base; nullopt without a change
  std::string project_file;             // the path of .reex.toml, which need not exist
  std::string runtime;                  // libreex_rt.so
  std::vector<std::string> environment; // "NAME=value" of those that the entry sets
};

// `races` is what is done about data races in the end.
ReceiptIdentity receipt_identity(const Tested& tested, const Options& options, Races races);

// Whether a run with these options is one that the hook could have made: of the files on disk, and whole.
bool leaves_receipts(const Options& options);

} // namespace reex
