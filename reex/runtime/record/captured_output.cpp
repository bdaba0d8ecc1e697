#include <fcntl.h>
#include <unistd.h>

#include "reex/runtime/core/runtime.h"
#include "reex/runtime/machine/kept_call.h"
#include "reex/runtime/machine/platform.h"
#include "reex/runtime/record/captured_output.h"

namespace reex {

namespace {

long g_output_start[2] = {0, 0};

constexpr long k_unknown = -1;
// What read_output has seen in this execution.
long g_output_end[2] = {k_unknown, k_unknown};

bool g_output_saved = false;

int output_descriptor(int descriptor) { return g_output_saved ? k_saved_output[descriptor - 1] : descriptor; }

} // namespace

bool is_output_saved() { return g_output_saved; }

void put_back_output(int descriptor) {
  reex_kept_call(SYS_dup3, k_saved_output[descriptor - 1], descriptor, 0);
}

std::uint64_t read_output(int descriptor, std::uint64_t at) {
  long& end = g_output_end[descriptor - 1];
  descriptor = output_descriptor(descriptor);
  const long length = end = raw_syscall(SYS_lseek, descriptor, 0, SEEK_CUR);
  Outcomes& outcomes = g.control->outcomes;
  if (length <= 0 || at + static_cast<std::uint64_t>(length) > k_max_outcome_text) return 0;
  const long got = raw_syscall(SYS_pread64, descriptor, as_long(outcomes.text + at), length, 0);
  return got < 0 ? 0 : static_cast<std::uint64_t>(got);
}

void remember_output() {
  g_output_saved = raw_syscall(SYS_dup3, 1, k_saved_output[0], O_CLOEXEC) >= 0 &&
                   raw_syscall(SYS_dup3, 2, k_saved_output[1], O_CLOEXEC) >= 0;
  for (int i = 1; i <= 2; ++i) g_output_start[i - 1] = raw_syscall(SYS_lseek, i, 0, SEEK_CUR);
}

void rewind_output() {
  for (int i = 1; i <= 2; ++i) {
    if (g_output_end[i - 1] != g_output_start[i - 1])
      raw_syscall(SYS_lseek, output_descriptor(i), g_output_start[i - 1], SEEK_SET);
    g_output_end[i - 1] = k_unknown;
  }
}

std::uint64_t hash_output(std::uint64_t hash[2]) {
  const Outcomes& outcomes = g.control->outcomes;
  const std::uint64_t length = read_output(1, outcomes.text_used);
  Hash128 seen;
  seen.add(outcomes.text + outcomes.text_used, length);
  hash[0] = seen.a;
  hash[1] = seen.b;
  return length;
}

void store_output() {
  Outcomes& outcomes = g.control->outcomes;
  FailureSlot& slot = g.control->failure;
  slot.output_offset = outcomes.text_used;
  slot.output_length = read_output(1, outcomes.text_used);
  outcomes.text_used += slot.output_length;
  slot.error_length = read_output(2, outcomes.text_used);
  outcomes.text_used += slot.error_length;
}

} // namespace reex
