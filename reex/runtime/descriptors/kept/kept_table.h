// Which descriptors an execution has opened, in a worker that restores (kept_descriptors.h).
//
// Callers: kept_descriptors.cpp and kept_channels.cpp.
#pragma once

#include <cstdint>

namespace reex {

enum class Kept : std::uint8_t {
  no,
  read,    // may only be read
  written, // nothing of what is written outlasts the descriptor, or the parent puts it back
  channel, // this process has all ends
  asks,    // asks the kernel, which answers at once
};

Kept kept(long descriptor);
// A failed call has changed nothing. False: there is no room, and the descriptor is closed again.
bool keep(long descriptor, Kept how);

// Standard output or standard error, which are captured.
bool is_output(long descriptor);
// It is about to be closed, or replaced.
void lose_output(long descriptor);
// What a copy of the descriptor is.
Kept kept_as_copy(long descriptor);
// Makes a call of which the caller knows that it changes nothing, or only what a restore takes back.
bool make_if(bool harmless, long number, const long* arguments, long& answer);

void each_made_channel(void (*visit)(int descriptor)); // in this execution
bool has_used_early_channels();                        // from before the first thread

// Calls that make channels, or are made on their descriptors. False: as make_kept_call.
bool make_channel_call(long number, const long* arguments, long& answer);
// Before a restore closes what is kept.
void reset_connections();

} // namespace reex
