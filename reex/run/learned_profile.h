// What samplers have learned of a test, as plain values: to be kept in a file and given to other runs
// (explorer/profile_file.h).
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "reex/run/result.h"
#include "reex/search/profile.h"

namespace reex {

struct LearnedObject {
  MemoryPart part = MemoryPart::program;
  std::int64_t offset = 0; // from the start of the part; it is the same in all processes of the test
  std::uint64_t total = 0;
  std::uint32_t first_thread = 0; // its number + 1
  bool several_threads = false;
  bool written = false;
  std::vector<std::uint64_t> counts; // of each thread
};

// As search/profile.h says, without what belongs to an execution under way.
struct LearnedProfile {
  std::uint64_t executions = 0;       // that were counted, of the last round
  std::vector<std::uint16_t> parents; // of each thread
  std::vector<std::uint64_t> all;     // of each thread, as those below
  std::vector<std::uint64_t> impacted;
  std::vector<LearnedObject> objects;
  std::uint64_t longest = 0;             // of pct: choices of a thread
  std::optional<std::uint32_t> patience; // that the first execution has shown
  std::uint64_t max_steps = 0;           // that it has shown; 0: the user has set the limit
  std::string modules;                   // a digest of the libraries and their distances
  std::vector<PromotedAccess> promoted;  // whose operations are counted

  std::string digest; // of all that, and of what it fits
};

} // namespace reex
