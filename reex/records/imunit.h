// Reads the record "imunit" (reex/shared/imunit.h).
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "reex/shared/imunit.h"

namespace reex {

struct ImunitCopy {
  bool used = false;
  bool several = false;
  bool infeasible = false;
  bool checks = false;
  std::string name;
  imunit::ParsedSchedule schedule; // without an error
  std::uint64_t satisfied = 0;
  std::uint64_t stuck = 0;
  std::uint64_t reached = 0;
  std::uint64_t held = 0;
  std::uint64_t unknown = 0;
  std::vector<ImunitPosition> positions;
};

struct PlaceCopy {
  std::string function;
  std::string from; // "": any
};
// The places that REEX_EVENT_AT has declared.
std::vector<PlaceCopy> read_places(const ImunitRecord& shared);

ImunitCopy read_imunit(const ImunitRecord& shared);
// The text alone; "" if no schedule was in force.
std::string read_imunit_text(const ImunitRecord& shared);

} // namespace reex
