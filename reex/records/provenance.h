// Reads the record "provenance" (reex/shared/provenance.h).
#pragma once

#include <cstdint>
#include <string>

#include "reex/shared/provenance.h"

namespace reex {

struct ProvenanceCopy {
  std::uint64_t run = 0;
  std::string binary;
  std::string binary_file;
  std::string change;
  std::string promoted;
  std::string profile;
  std::string modules;
  double seconds = 0;
};

ProvenanceCopy read_provenance(const Provenance& shared);

} // namespace reex
