// Reads the record "config" (reex/shared/config.h) of a run that was interrupted, and watches it in a run
// under way.
#pragma once

#include <array>

#include "reex/shared/config.h"

namespace reex {

RunConfig read_config(const RunConfig& shared);

// The bytes of the record as the parent wrote them. Nobody may change them afterwards.
class ConfigSeal {
public:
  ConfigSeal() = default;
  explicit ConfigSeal(const RunConfig& shared);
  void check(const RunConfig& shared) const; // throws DamagedMemory

private:
  std::array<char, sizeof(RunConfig)> m_bytes{};
  bool m_sealed = false;
};

} // namespace reex
