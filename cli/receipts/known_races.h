// The data races that runs have shown, by the files that were tested: .reex/races. A race that the base has
// shown before is not of a change, whatever its lines have to do with it (docs/semantics.md: "Verdicts").
//
// Invariants: a file is written beside its place and renamed to it. A file that is torn counts as none. Two
// races are the same if they have the same key, and if all frames of both stacks are on the same lines: what
// one side does elsewhere, or called from elsewhere, is another race. At most k_most_race_files are kept, the
// newest.
//
// Cost: reading and writing a file of at most k_most_races races.
#pragma once

#include <string>
#include <vector>

#include "git/change.h"
#include "reex/run/result.h"

namespace reex {

constexpr const char* k_races_folder = "races"; // in .reex
constexpr std::size_t k_most_race_files = 64;
constexpr std::size_t k_most_races = 500;

struct RacePlace {
  std::string function;
  std::string file;
  unsigned line = 0;
  auto operator<=>(const RacePlace&) const = default;
};

struct KnownRace {
  std::string key;
  std::vector<std::vector<RacePlace>> sides; // sorted
  auto operator<=>(const KnownRace&) const = default;
};

// What was tested: a tree of git, and the test.
struct RaceSubject {
  std::string tree;
  std::string binary;
  std::vector<std::string> arguments;
};

// Those of the runs, whether they count or not.
std::vector<KnownRace> races_of(const std::vector<TestRun>& runs);

// Adds them to what is known of the subject. `folder` is .reex/races. What cannot be written is not known.
void keep_races(const std::string& folder, const RaceSubject& subject, const std::vector<KnownRace>& races);
std::vector<KnownRace> known_races(const std::string& folder, const RaceSubject& subject);

// Whether the finding is one of `known`, which were found before the changes. `root` is that of the
// repository.
bool is_known_race(const Finding& finding, const std::vector<KnownRace>& known,
                   const std::vector<FileChange>& changes, const std::string& root);

} // namespace reex
