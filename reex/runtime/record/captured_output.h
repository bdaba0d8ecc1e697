// The output of the test on descriptors 1 and 2. Both are memory files of the parent. Each execution begins
// at the offsets behind what the test wrote before its first thread. The files are open under other numbers
// too, because many programs close 1 and 2 at the end.
//
// Callers: a worker's controller, or its zygote. The zygote sets the variables of this file once; workers
// only read them, except where an execution's output has ended.
#pragma once

#include <cstdint>

namespace reex {

inline constexpr int k_saved_output[] = {901, 902};

void remember_output(); // the zygote, at the first pthread_create
void rewind_output();   // the controller, before each execution

bool is_output_saved();
void put_back_output(int descriptor); // behind 1 or 2

// Copies all that was written to the descriptor since the process started to outcomes.text + `at`. Returns
// the length. To be called when the execution writes nothing more.
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

// Hashes all that was written to descriptor 1 since the process started. Returns the length.
std::uint64_t hash_output(std::uint64_t hash[2]);

// Stores the output of a detailed execution for the report.
void store_output();

} // namespace reex
