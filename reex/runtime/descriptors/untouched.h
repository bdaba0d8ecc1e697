// Sockets that a thread has made and not used yet, but to try in vain to connect them. Closing one takes back
// its making, so a thread that asks again and again whether somebody listens changes nothing
// (schedule/spin.cpp).
//
// Others may have seen such a socket although nobody has used it: a descriptor of theirs got a higher number.
// The turn of a loop that spins gets what it got before. What code that is not watched opens gets a number
// that nobody looks at.
//
// Callers: the running fiber.
#pragma once

#include <cstdint>

namespace reex {

struct SystemCall;

enum class Untouched : std::uint8_t {
  no,
  seen, // by its number alone
  yes,
};

// The running fiber's call has made descriptors; `made` is its result.
void note_made(const SystemCall& call, long made);
// The descriptor is used.
void touch(int descriptor);
// The running fiber looks at the descriptor, which counts if it is another thread's.
void note_look(int descriptor);
void touch_all();
// Whether the running fiber has made it, and this is all that was done to it.
Untouched untouched(int descriptor);

} // namespace reex
