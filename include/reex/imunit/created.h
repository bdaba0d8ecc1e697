// Names for threads that cannot name themselves, because several run the same function: the thread that
// creates them says what the next one is called.
//
//   for (int i = 0; i < 3; ++i) {
//     REEX_CREATES("seller#");                 // seller1, seller2, seller3
//     sellers.emplace_back(&Airline::run, this);
//   }
//
// How: a new thread inherits the name that the kernel has for its creator. There a name of ours has a mark,
// so that the thread knows it when it comes to its first event. Nothing is done while no schedule is in
// force.
//
// Invariant: where the name ends with #, threads of one place are created by one thread at a time.
#pragma once

#include <cstdio>
#include <cstring>
#include <pthread.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "reex/imunit/names.h"

extern "C" {
__attribute__((weak)) void reex_imunit_thread(const char* name);
// The name that reex_imunit_thread has given the calling thread, or the thread that created it.
__attribute__((weak)) const char* reex_imunit_name();
}

namespace reex {
namespace imunit REEX_IMUNIT_SHARED {

constexpr char k_created_mark = '>';
constexpr unsigned k_kernel_name = 16; // with the mark and the end

// How often a REEX_CREATES was executed under the schedule.
struct CreationPlace {
  unsigned schedule = 0; // its number
  unsigned count = 0;
};

inline unsigned g_schedules = 0; // that were in force so far

REEX_IMUNIT_UNSEEN inline unsigned count_creation(CreationPlace& place) {
  if (place.schedule != g_schedules) place.count = 0;
  place.schedule = g_schedules;
  return ++place.count;
}

inline void set_kernel_name(const char* name) {
  if (reex_imunit_thread != nullptr)
    reex_imunit_thread(name);
  else
    syscall(SYS_prctl, PR_SET_NAME, name, 0, 0, 0);
}

inline void get_kernel_name(char (&name)[k_kernel_name]) {
  if (reex_imunit_thread == nullptr)
    syscall(SYS_prctl, PR_GET_NAME, name, 0, 0, 0);
  else if (reex_imunit_name != nullptr)
    std::snprintf(name, sizeof name, "%s", reex_imunit_name());
}

// Takes the name that the creator has given to the calling thread. False: it has given none.
inline bool take_created_name(char* name, unsigned size) {
  char kernel_name[k_kernel_name] = "";
  get_kernel_name(kernel_name);
  if (kernel_name[0] != k_created_mark) return false;
  std::snprintf(name, size, "%s", kernel_name + 1);
  set_kernel_name(name);
  return true;
}

// The threads that the calling thread creates from here on are called so.
inline void name_created(const char* name, CreationPlace& place) {
  char text[k_kernel_name];
  const unsigned length = length_of(name);
  const bool counts = length != 0 && name[length - 1] == '#';
  const unsigned number = count_creation(place);
  if (counts)
    std::snprintf(text, sizeof text, "%c%.*s%u", k_created_mark, static_cast<int>(length - 1), name, number);
  else
    std::snprintf(text, sizeof text, "%c%s", k_created_mark, name);
  set_kernel_name(text);
}

} // namespace REEX_IMUNIT_SHARED
} // namespace reex
