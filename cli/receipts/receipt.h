// Receipts: what a run that passed leaves in .reex/receipts, so that the pre-push hook need not repeat it
// (docs/hook.md: "Receipts").
//
// Invariants: a receipt is a file of its own, written beside its place and renamed to it, so that a reader
// sees all of it or nothing. It counts only if it has the same identity, word for word, and if every file
// that it names still has the same contents. A file that is torn, or that anybody has changed, counts as
// none. At most k_most_receipts are kept, the newest.
//
// Cost: looking one up reads the files that it names: the test, its libraries.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace reex {

constexpr std::size_t k_most_receipts = 64;

// Everything that must be equal, as names and values: the test, the commit, the settings.
using ReceiptIdentity = std::vector<std::pair<std::string, std::string>>;

struct Receipt {
  ReceiptIdentity identity;
  std::optional<unsigned> bound;                          // nullopt: every schedule was explored
  std::vector<std::pair<std::string, std::string>> files; // what was executed: path and version_of_file()
  std::uint64_t time = 0;                                 // when the run ended, in seconds of the epoch
  std::string by;                                         // "reex run", "the hook"
  std::uint64_t tests = 0;
  std::uint64_t schedules = 0;
};

// What a file of a test is known by: the SHA-256 of its contents. A library of the system, or reex's own, is
// not the work of those who push; its build id is enough, and spares reading some megabytes. "" if it cannot
// be read.
std::string version_of_file(const std::string& path);

// `folder` is .reex/receipts. Returns why the receipt could not be written; "" if it was.
std::string write_receipt(const std::string& folder, const Receipt& receipt);

// The receipt of this identity, if all schedules with at most `bound` preemptions were explored (nullopt:
// all).
std::optional<Receipt> find_receipt(const std::string& folder, const ReceiptIdentity& identity,
                                    std::optional<unsigned> bound);

// After a failure: what was said before does not hold.
void withdraw_receipt(const std::string& folder, const ReceiptIdentity& identity);

} // namespace reex
