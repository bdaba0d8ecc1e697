// What a function of accesses.cpp does, and what recorder.cpp must see of it.
#pragma once

struct Access {
  const char* name;
  void (*run)(char* to, const char* from);
  unsigned written; // bytes at `to`
  unsigned read;    // bytes at `from`
};

// Both buffers have so many bytes. `from` begins with k_text.
inline constexpr unsigned k_room = 512;
inline constexpr char k_text[] = "a text that is longer than some registers";

// Accesses to so many bytes at `local`, an object on the stack, count as accesses to `to` and `from`.
extern void (*const hand_out)(const void* local, unsigned size);

extern const Access accesses[];
extern const unsigned access_count;
