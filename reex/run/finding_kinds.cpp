#include "reex/run/finding_kinds.h"

#include <algorithm>
#include <array>

namespace reex {
namespace {

constexpr std::array<FindingRow, 6> k_rows = {{
    {"data-race", "race", "data race", "data races"},
    {"never-joined", "never-joined", "thread never joined", "threads never joined"},
    {"destroyed-while-held", "destroyed-while-held", "mutex destroyed while held",
     "mutexes destroyed while held"},
    {"unlocked-by-stranger", "unlocked-by-stranger", "mutex unlocked by another thread",
     "mutexes unlocked by other threads"},
    {"woken-after-free", "woken-after-free", "wake-up at freed memory", "wake-ups at freed memory"},
    {"gone-thread", "gone-thread", "use of a thread that is gone", "uses of threads that are gone"},
}};

constexpr std::array<std::string_view, 24> k_failure_kinds = {"deadlock",
                                                              "livelock",
                                                              "assertion",
                                                              "abort",
                                                              "signal",
                                                              "exception",
                                                              "exit",
                                                              "gtest",
                                                              "catch2",
                                                              "doctest",
                                                              "boost-test",
                                                              "qt-test",
                                                              "cpputest",
                                                              "cppunit",
                                                              "use-after-free",
                                                              "double-free",
                                                              "invalid-free",
                                                              "stack-use-after-return",
                                                              "race",
                                                              "never-joined",
                                                              "destroyed-while-held",
                                                              "unlocked-by-stranger",
                                                              "woken-after-free",
                                                              "gone-thread"};

const FindingRow* row_with(std::string_view FindingRow::*member, std::string_view value) {
  const auto* found =
      std::find_if(k_rows.begin(), k_rows.end(), [&](const FindingRow& row) { return row.*member == value; });
  return found == k_rows.end() ? nullptr : found;
}

} // namespace

std::span<const FindingRow> finding_rows() { return k_rows; }

std::span<const std::string_view> failure_kinds() { return k_failure_kinds; }

const FindingRow* row_of_finding(std::string_view kind) { return row_with(&FindingRow::kind, kind); }

const FindingRow* row_of_failure(std::string_view kind) { return row_with(&FindingRow::failure, kind); }

} // namespace reex
