// What a run did not see, and what this does to what it may claim (docs/semantics.md: "Claims").
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace reex {

struct Inconclusive;
struct TestRun;

// What a gap does to a run. The strongest effect of all gaps decides.
enum class GapEffect : std::uint8_t {
  told,    // the claims hold for what they name, and the user should know what they do not name
  claims,  // neither a completed bound nor exhaustion is claimed
  verdict, // and without a failure, the run is inconclusive
};
const char* to_string(GapEffect effect);

struct Gap {
  std::string kind;   // "loops", "stale-values", ...: docs/json.md
  std::string detail; // what was not seen; one line
  std::string remedy; // what the user can do about it; one line, "" if there is nothing to do
  GapEffect effect = GapEffect::told;

  bool operator==(const Gap&) const = default;
};

GapEffect effect_of(const std::vector<Gap>& gaps);

// What executions without an end of their own leave open, and loops that were cut.
std::vector<Gap> gaps_of(const Inconclusive& open);
// These and those that the exploration has named.
std::vector<Gap> all_gaps(const TestRun& run);

} // namespace reex
