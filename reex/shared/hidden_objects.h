// State that libc and libstdc++ keep for the whole process and that no access of the test shows: the objects
// of the operations library_read and library_write (semantics: "Hidden state"). Such an object is a number;
// what belongs to one thing of the test (a directory stream, an exception) is an object by the thing's
// address. Freestanding: used inside the test process and by the parent.
#pragma once

#include <cstdint>

#include "reex/shared/limits.h"

namespace reex {

// name, text in traces
#define REEX_HIDDEN_OBJECTS(X)                                                                               \
  X(random, "rand's numbers")                                                                                \
  X(random48, "drand48's numbers")                                                                           \
  X(tokens, "strtok's position")                                                                             \
  X(time, "the time buffer")                                                                                 \
  X(zone, "the time zone")                                                                                   \
  X(environment, "the environment")                                                                          \
  X(locale, "the locale")                                                                                    \
  X(error_text, "strerror's buffer")                                                                         \
  X(signal_text, "strsignal's buffer")                                                                       \
  X(file_names, "tmpnam's buffer")                                                                           \
  X(terminal, "ttyname's buffer")                                                                            \
  X(login, "getlogin's buffer")                                                                              \
  X(users, "the user database")                                                                              \
  X(groups, "the group database")                                                                            \
  X(shadow, "the password database")                                                                         \
  X(logins, "the login records")                                                                             \
  X(hosts, "the host database")                                                                              \
  X(networks, "the network database")                                                                        \
  X(protocols, "the protocol database")                                                                      \
  X(services, "the service database")                                                                        \
  X(mounts, "the table of file systems")                                                                     \
  X(ether, "ether_ntoa's buffer")                                                                            \
  X(digits, "ecvt's buffer")                                                                                 \
  X(letters, "l64a's buffer")                                                                                \
  X(cipher, "crypt's buffer")                                                                                \
  X(table, "hsearch's table")                                                                                \
  X(options, "getopt's position")                                                                            \
  X(characters, "the state of multibyte characters")                                                         \
  X(date, "getdate's buffer")                                                                                \
  X(folder, "the working directory")                                                                         \
  X(mode_mask, "the file mode mask")                                                                         \
  X(loader, "the loader")                                                                                    \
  X(files, "the files")                                                                                      \
  X(fork_handlers, "the handlers of fork")                                                                   \
  X(terminate_handler, "the handler of terminate")                                                           \
  X(new_handler, "the handler of new")                                                                       \
  X(resource, "the default memory resource")                                                                 \
  X(stream_words, "xalloc's numbers")                                                                        \
  X(log_mask, "setlogmask's mask")                                                                           \
  X(concurrency, "the level of concurrency")                                                                 \
  X(limits, "the limits of the process")                                                                     \
  X(keys, "the numbers of keys")                                                                             \
  X(openmp_team, "OpenMP's team")                                                                            \
  X(openmp_critical, "OpenMP's critical section")                                                            \
  X(openmp_atomic, "OpenMP's atomic section")                                                                \
  X(openmp_ordered, "OpenMP's ordered section")                                                              \
  X(openmp_work, "OpenMP's shared work")                                                                     \
  X(openmp_tasks, "OpenMP's tasks")

enum class Hidden : std::uint8_t {
#define X(name, text) name,
  REEX_HIDDEN_OBJECTS(X)
#undef X
      count
};

inline constexpr const char* k_hidden_objects[] = {
#define X(name, text) text,
    REEX_HIDDEN_OBJECTS(X)
#undef X
};

// The numbers lie below all addresses, above the numbers of threads and descriptors, and apart from each
// other, because the reduction tells objects apart by four bytes.
inline constexpr std::uint64_t k_hidden_step = 8;
inline constexpr std::uint64_t k_first_hidden = 0x8000;
inline constexpr std::uint64_t k_first_thread_name = 0x9000;
inline constexpr unsigned k_named_threads = 1024; // the last of these objects stands for all later threads
inline constexpr std::uint64_t k_last_thread_name = k_first_thread_name + k_hidden_step * k_named_threads;
inline constexpr std::uint64_t k_first_thread_scheduling = k_last_thread_name;
inline constexpr std::uint64_t k_last_thread_scheduling =
    k_first_thread_scheduling + k_hidden_step * k_named_threads;
static_assert(k_last_thread_scheduling <= 0x10000); // no address lies below

static_assert(k_first_hidden + k_hidden_step * static_cast<unsigned>(Hidden::count) <= k_first_thread_name);

constexpr std::uint64_t hidden_object(Hidden which) {
  return k_first_hidden + k_hidden_step * static_cast<unsigned>(which);
}
constexpr std::uint64_t thread_scheduling_object(unsigned thread) {
  return k_first_thread_scheduling +
         k_hidden_step * (thread < k_named_threads ? thread : k_named_threads - 1);
}
constexpr std::uint64_t thread_name_object(unsigned thread) {
  return k_first_thread_name + k_hidden_step * (thread < k_named_threads ? thread : k_named_threads - 1);
}

} // namespace reex
