// The threads of this process as the kernel sees them: whether one is blocked, and whether all of them wait.
// Only the native monitor asks; under reex, the runtime knows.
//
// A thread is blocked if it is in a system call that waits for somebody else (a lock, a condition, a join, a
// pipe), and two looks at least a millisecond apart find it there without having run in between. A thread
// that sleeps is not blocked: it waits for nobody. Where the kernel does not tell the system call
// (/proc/self/task/TID/syscall), a thread that sleeps in any of them counts, and the report says so.
//
// Callers: the native monitor, under its lock.
//
// Cost: about 30 us for a look.
#pragma once

#include <cerrno>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <dirent.h>
#include <fcntl.h>
#include <string>
#include <sys/syscall.h>
#include <unistd.h>
#include <vector>

namespace reex {
namespace imunit {

#if defined(__SANITIZE_THREAD__)
#define REEX_IMUNIT_THREAD_SANITIZER true
#elif defined(__has_feature)
#define REEX_IMUNIT_THREAD_SANITIZER __has_feature(thread_sanitizer)
#else
#define REEX_IMUNIT_THREAD_SANITIZER false
#endif
inline constexpr bool k_thread_sanitizer = REEX_IMUNIT_THREAD_SANITIZER;
#undef REEX_IMUNIT_THREAD_SANITIZER

inline std::uint32_t own_thread() { return static_cast<std::uint32_t>(syscall(SYS_gettid)); }

// What one look at a thread has shown.
struct Look {
  enum class Kind : std::uint8_t {
    runs,     // or has ended
    sleeps,   // waits for time alone
    waits,    // for somebody, at most until a time
    outside,  // for somebody who may be outside of this process
    for_ever, // for another thread of this process
    nobodys   // a thread of ThreadSanitizer, which does nothing of the test
  };
  Kind kind = Kind::runs;
  bool approximate = false;   // the kernel does not tell the system call
  std::uint64_t place = 0;    // a hash of the system call and its arguments
  std::uint64_t address = 0;  // of the futex
  std::uint64_t switches = 0; // how often it has given up the processor

  bool is_blocked() const { return kind != Kind::runs && kind != Kind::sleeps && kind != Kind::nobodys; }
  bool same_as(const Look& other) const {
    return kind == other.kind && place == other.place && switches == other.switches;
  }
};

class ThreadLook {
public:
  // A look at the thread. Waits for what lies in [own, own + size) do not count: that is the monitor itself.
  static Look at(std::uint32_t thread, const void* own, std::size_t size) {
    Look look;
    char text[512];
    if (!read(thread, "syscall", text, sizeof text)) {
      if (exists(thread)) by_state(thread, look);
      return look;
    }
    unsigned long long part[7] = {};
    const int parts =
        sscanf(text, "%lld %llx %llx %llx %llx %llx %llx", reinterpret_cast<long long*>(&part[0]), &part[1],
               &part[2], &part[3], &part[4], &part[5], &part[6]);
    if (parts < 7) return look; // it runs
    look.kind = kind_of(static_cast<long>(part[0]), &part[1]);
    if (look.kind == Look::Kind::runs) return look;
    look.place = 14695981039346656037u;
    for (const unsigned long long each : part) look.place = (look.place ^ each) * 1099511628211u;
    look.address = part[1];
    const auto base = reinterpret_cast<std::uintptr_t>(own);
    if (part[0] == SYS_futex && look.address >= base && look.address < base + size)
      look.kind = Look::Kind::runs;
    look.switches = switches(thread);
    return look;
  }

  // The threads of this process.
  static std::vector<std::uint32_t> all() {
    std::vector<std::uint32_t> threads;
    DIR* const folder = opendir("/proc/self/task");
    if (folder == nullptr) return threads;
    while (const dirent* entry = readdir(folder))
      if (const unsigned long number = strtoul(entry->d_name, nullptr, 10); number != 0)
        threads.push_back(static_cast<std::uint32_t>(number));
    closedir(folder);
    return threads;
  }

private:
  static bool read(std::uint32_t thread, const char* file, char* text, std::size_t size) {
    char path[64];
    snprintf(path, sizeof path, "/proc/self/task/%u/%s", thread, file);
    const int descriptor = open(path, O_RDONLY | O_CLOEXEC);
    if (descriptor < 0) return false;
    const ssize_t length = ::read(descriptor, text, size - 1);
    close(descriptor);
    if (length <= 0) return false;
    text[length] = 0;
    return true;
  }

  static bool exists(std::uint32_t thread) {
    char path[64];
    snprintf(path, sizeof path, "/proc/self/task/%u", thread);
    return access(path, F_OK) == 0;
  }

  static void by_state(std::uint32_t thread, Look& look) {
    char text[512];
    look.approximate = true;
    if (!read(thread, "stat", text, sizeof text)) return;
    const char* const name_end = strrchr(text, ')');
    if (name_end == nullptr || name_end[1] == 0 || name_end[2] != 'S') return;
    look.kind = Look::Kind::waits;
    look.switches = switches(thread);
  }

  static std::uint64_t switches(std::uint32_t thread) {
    char text[4096];
    if (!read(thread, "status", text, sizeof text)) return 0;
    const char* const line = strstr(text, "\nvoluntary_ctxt_switches:");
    return line == nullptr ? 0 : strtoull(line + 25, nullptr, 10);
  }

  static Look::Kind kind_of(long call, const unsigned long long* argument) {
    using Kind = Look::Kind;
    switch (call) {
    case SYS_futex:
      return argument[3] != 0 ? Kind::waits : Kind::for_ever;
#ifdef SYS_futex_waitv
    case SYS_futex_waitv:
      return argument[3] != 0 ? Kind::waits : Kind::for_ever;
#endif
#ifdef SYS_poll
    case SYS_poll:
#endif
    case SYS_ppoll:
      return argument[1] == 0 ? Kind::sleeps : Kind::outside; // without descriptors
#ifdef SYS_select
    case SYS_select:
#endif
    case SYS_pselect6:
      return argument[0] == 0 ? Kind::sleeps : Kind::outside;
#ifdef SYS_epoll_wait
    case SYS_epoll_wait:
#endif
    case SYS_epoll_pwait:
    case SYS_read:
    case SYS_readv:
    case SYS_write:
    case SYS_writev:
    case SYS_recvfrom:
    case SYS_recvmsg:
    case SYS_recvmmsg:
    case SYS_sendto:
    case SYS_sendmsg:
    case SYS_accept:
    case SYS_accept4:
    case SYS_connect:
    case SYS_wait4:
    case SYS_waitid:
    case SYS_flock:
    case SYS_fcntl:
    case SYS_semop:
    case SYS_semtimedop:
    case SYS_msgrcv:
    case SYS_msgsnd:
    case SYS_mq_timedreceive:
    case SYS_mq_timedsend:
    case SYS_rt_sigtimedwait:
    case SYS_rt_sigsuspend:
#ifdef SYS_pause
    case SYS_pause:
#endif
      return Kind::outside;
#ifdef SYS_nanosleep
    case SYS_nanosleep:
      // The C library sleeps by clock_nanosleep.
      return k_thread_sanitizer ? Kind::nobodys : Kind::sleeps;
#endif
    case SYS_clock_nanosleep:
      return Kind::sleeps;
    default:
      return Kind::runs;
    }
  }
};

// Remembers the last looks, so that a thread can be found where it was.
class Looks {
public:
  static constexpr std::chrono::milliseconds k_apart{1};

  Looks(const void* own, std::size_t size) : m_own(own), m_size(size) {}

  bool is_blocked(std::uint32_t thread) {
    const auto now = std::chrono::steady_clock::now();
    const Look look = ThreadLook::at(thread, m_own, m_size);
    m_approximate = m_approximate || look.approximate;
    for (Entry& entry : m_entries) {
      if (entry.thread != thread) continue;
      if (!look.is_blocked() || !look.same_as(entry.look)) {
        entry = {thread, look, now};
        return false;
      }
      return now - entry.time >= k_apart;
    }
    m_entries.push_back({thread, look, now});
    return false;
  }
  bool is_approximate() const { return m_approximate; }

private:
  struct Entry {
    std::uint32_t thread;
    Look look; // the first of those that agree
    std::chrono::steady_clock::time_point time;
  };

  const void* m_own;
  std::size_t m_size;
  std::vector<Entry> m_entries;
  bool m_approximate = false;
};

} // namespace imunit
} // namespace reex
