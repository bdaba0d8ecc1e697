// What the test writes to descriptors 1 and 2. These are the parent's memory files; an execution begins at
// the offsets that the text from before the first thread left. They are kept under other numbers as well:
// many programs close them at the end. A worker's controller, or its zygote.
#pragma once

#include <cstdint>

namespace reex {

inline constexpr int k_saved_output[] = {901, 902};

void remember_output(); // the zygote, at the first thread
void rewind_output();   // before an execution

// Everything written to the descriptor since the process started, copied to outcomes.text + `at`; its length.
std::uint64_t read_output(int descriptor, std::uint64_t at);

struct Hash128 {
  std::uint64_t a = 0x243f6a8885a308d3;
  std::uint64_t b = 0x13198a2e03707344;
  void add(const char* bytes, std::uint64_t length) {
    for (std::uint64_t i = 0; i < length; ++i) {
      a = (a ^ static_cast<unsigned char>(bytes[i])) * 0x100000001b3;
      b = (b + static_cast<unsigned char>(bytes[i])) * 0x9e3779b97f4a7c15 ^ (b >> 31);
    }
  }
};

// Everything written to descriptor 1 since the process started; returns its length.
std::uint64_t hash_output(std::uint64_t hash[2]);

// Keeps the output of a detailed execution for the report.
void store_output();

} // namespace reex
