// Record "provenance": what a run explores. A later run that continues it compares this (explorer/resume.h).
// The parent alone writes it.
#pragma once

#include <cstdint>

namespace reex {

inline constexpr unsigned k_digest_text = 65; // 64 hexadecimal digits and a terminator
inline constexpr unsigned k_file_text = 128;

struct Provenance {
  std::uint64_t run = 0;           // the same in the blocks of all workers of a run
  char binary[k_digest_text] = {}; // empty while the run is young: then the file must be the same
  char binary_file[k_file_text] = {};
  char change[k_digest_text] = {};
  char promoted[k_digest_text] = {}; // of the accesses that were visible from the start
  char profile[k_digest_text] = {};  // that samples are drawn from; empty without one
  char modules[k_digest_text] = {};  // where code is loaded; empty until it is known
  double seconds = 0;                // spent so far
};

} // namespace reex
