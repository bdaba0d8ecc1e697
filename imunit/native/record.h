// The file that libreex_log.so writes, and `reex imunit infer --logs native:N` reads: a head, then records in
// the order in which the operations were over. Both are of the same build.
//
// Callers: the test's process writes, through a shared mapping, so that nothing is lost when the test is
// killed; reex reads when it has ended. Freestanding.
#pragma once

#include <atomic>
#include <cstdint>

namespace reex::native_log {

inline constexpr std::uint64_t k_magic = 0x31676f6c78656572; // "reexlog1"
inline constexpr std::uint32_t k_capacity = 1u << 17;        // records; the file is sparse
inline constexpr unsigned k_frames = 48;

// Environment variables of the test.
inline constexpr const char* k_file_variable = "REEX_LOG_FILE";   // the file: made by reex, empty
inline constexpr const char* k_scale_variable = "REEX_LOG_SCALE"; // how many times as long sleeps last

enum class Operation : std::uint16_t {
  arrival, // the operation of the next record of the thread begins; none for a sleep
  sleep,
  wait,    // anything else that may make a thread stand still
  release, // what makes others go on: unlocking, notifying, posting
  thread_create,
  thread_start,
  thread_join,
  thread_end
};

struct Record {
  std::uint64_t time;   // ns, CLOCK_MONOTONIC
  std::uint32_t thread; // by order of creation; 0 is main
  std::uint32_t child;  // of thread_create
  Operation operation;
  bool blocked; // the thread stood still
  bool written; // the record is whole
  std::uint8_t frames;
  std::uint64_t pc[k_frames]; // inside the instruction; innermost first
};

struct Head {
  std::uint64_t magic;
  std::atomic<std::uint32_t> records; // that were asked for: more than k_capacity if some were lost
  std::atomic<std::uint32_t> threads; // created
  std::atomic<bool> incomplete;       // a thread was not created, or is of an unknown kind
  std::uint32_t maps_length;
  char maps[1u << 18]; // /proc/self/maps
  Record record[k_capacity];
};

} // namespace reex::native_log
