// Memory that an execution writes for the first time when a thousand others have left it alone. A restore
// must bring it back, whoever has written it. Each scenario prints how many words are not what they were
// before the first thread: none.
#include <algorithm>
#include <cassert>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <iterator>
#include <mutex>
#include <string>
#include <thread>

#include <asm/prctl.h>
#include <fcntl.h>
#include <linux/futex.h>
#include <sched.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "scenario.h"

extern "C" int library_count(int* value); // of library.cpp, which has no hooks

namespace {

constexpr std::size_t k_page = 4096;
constexpr unsigned long k_late = 1000; // executions that write nothing
constexpr unsigned long k_told = 1400; // this one says so

std::mutex g_mutex;

struct Memory {
  char* low;
  std::size_t size;
  char* before;
};
Memory g_memory[8];
unsigned g_count = 0;

alignas(k_page) char g_pages[64 * k_page];

std::size_t changed_words_of(const char* low, const char* before, std::size_t size) {
  std::size_t changed = 0;
  for (std::size_t at = 0; at < size; at += sizeof(long)) {
    long now, then;
    std::memcpy(&now, low + at, sizeof now);
    std::memcpy(&then, before + at, sizeof then);
    changed += now != then;
  }
  return changed;
}
std::size_t changed_words() {
  std::size_t changed = 0;
  for (unsigned i = 0; i < g_count; ++i)
    for (std::size_t at = 0; at < g_memory[i].size; at += k_page) {
      const std::size_t size = std::min(g_memory[i].size - at, k_page);
      const char* const low = g_memory[i].low + at;
      const char* const before = g_memory[i].before + at;
      if (std::memcmp(low, before, size) != 0) changed += changed_words_of(low, before, size);
    }
  return changed;
}

char* map(std::size_t size, int flags, int file) {
  void* const made = mmap(nullptr, size, PROT_READ | PROT_WRITE, flags, file, 0);
  assert(made != MAP_FAILED);
  return static_cast<char*>(made);
}

char* remember(char* low, std::size_t size) {
  char* const before = map(size, MAP_PRIVATE | MAP_ANONYMOUS, -1);
  std::memcpy(before, low, size);
  assert(mprotect(before, size, PROT_READ) == 0);
  g_memory[g_count++] = {low, size, before};
  return low;
}

// The number of this execution in its process: a register that no restore brings back.
unsigned long next_execution() {
  unsigned long number = 0;
  syscall(SYS_arch_prctl, ARCH_GET_GS, &number);
  syscall(SYS_arch_prctl, ARCH_SET_GS, number + 1);
  return number;
}

// A call that nobody sees but the kernel.
long raw(long number, long a = 0, long b = 0, long c = 0, long d = 0, long e = 0, long f = 0) {
  register long r10 asm("r10") = d;
  register long r8 asm("r8") = e;
  register long r9 asm("r9") = f;
  asm volatile("syscall"
               : "+a"(number)
               : "D"(a), "S"(b), "d"(c), "r"(r10), "r"(r8), "r"(r9)
               : "rcx", "r11", "memory");
  return number;
}
template <typename T>
long address(T* of) {
  return reinterpret_cast<long>(of);
}

struct Places {
  char* pages;  // of the program's data
  char* mapped; // anonymous
  char* file;   // private pages of a file
  char* shared; // the same pages, shared
  char* small;  // of the heap
  char* large;  // of the heap, more than the range of a page table
  int readable;
};
constexpr std::size_t k_large = std::size_t{4} << 20;
constexpr std::size_t k_table = std::size_t{2} << 20;

using Writer = void (*)(const Places& at);
constexpr Writer k_writers[] = {
    [](const Places& at) { at.pages[k_page] = 'w'; },
    [](const Places& at) { library_count(reinterpret_cast<int*>(at.pages + 2 * k_page)); },
    [](const Places& at) { std::snprintf(at.pages + 3 * k_page, 20, "%d %d", 12, 13); },
    [](const Places& at) { assert(raw(SYS_pread64, at.readable, address(at.pages + 4 * k_page), 4) == 4); },
    [](const Places& at) {
      iovec parts[] = {{at.pages + 5 * k_page, 2}, {at.mapped + k_page, 2}};
      assert(raw(SYS_preadv, at.readable, address(parts), 2) == 4);
    },
    [](const Places& at) { assert(raw(SYS_getrandom, address(at.pages + 6 * k_page), 16) == 16); },
    [](const Places& at) { raw(SYS_clock_gettime, CLOCK_MONOTONIC, address(at.pages + 7 * k_page)); },
    [](const Places& at) { assert(raw(SYS_uname, address(at.pages + 8 * k_page)) == 0); },
    [](const Places& at) { raw(SYS_sigaltstack, 0, address(at.pages + 9 * k_page)); },
    [](const Places& at) { raw(SYS_rt_sigpending, address(at.pages + 10 * k_page), 8); },
    [](const Places& at) { // the kernel adds one to the second word
      constexpr int k_add_one = (FUTEX_OP_ADD << 28) | (1 << 12);
      assert(raw(SYS_futex, address(at.pages + 11 * k_page), FUTEX_WAKE_OP_PRIVATE, 0, 0,
                 address(at.pages + 12 * k_page), k_add_one) == 0);
    },
    [](const Places& at) { std::memset(at.pages + 20 * k_page + 100, 'm', 30 * k_page); },
    [](const Places& at) { at.mapped[3 * k_page] = 'w'; },
    [](const Places& at) { at.file[100] = 'w'; },
    [](const Places& at) { assert(raw(SYS_pread64, at.readable, address(at.file + k_page), 4) == 4); },
    [](const Places& at) {
      at.shared[2 * k_page] = 'w';
    }, // the private page shows it, if nobody has written it
    [](const Places& at) { at.small[8000] = 'w'; },
    [](const Places& at) { at.large[3 * k_page] = 'w'; },
    [](const Places& at) {
      for (std::size_t page = 0; page < k_large; page += 3 * k_page) at.large[page] += 1;
    },
    [](const Places& at) { assert(madvise(at.mapped + 5 * k_page, k_page, MADV_DONTNEED) == 0); },
    [](const Places& at) { assert(raw(SYS_madvise, address(at.mapped), 4 * k_page, MADV_FREE) == 0); },
    [](const Places& at) { assert(madvise(at.file, 2 * k_page, MADV_DONTNEED) == 0); },
    [](const Places& at) { // the whole range of a page table, which the kernel may drop, too
      char* const first = reinterpret_cast<char*>((reinterpret_cast<unsigned long>(at.large) + k_table - 1) /
                                                  k_table * k_table);
      assert(madvise(first, k_table, MADV_DONTNEED) == 0);
    },
    [](const Places& at) {
      for (unsigned i = 0; i < 20; ++i)
        assert(madvise(at.mapped + (6 + 2 * i) * k_page, k_page, MADV_DONTNEED) == 0);
    },
};
constexpr unsigned long k_kinds = std::size(k_writers);

Places prepare() {
  Places at{};
  std::memset(g_pages, '.', sizeof g_pages);
  at.pages = remember(g_pages, sizeof g_pages);
  at.mapped = map(64 * k_page, MAP_PRIVATE | MAP_ANONYMOUS, -1);
  std::memset(at.mapped, 'm', 64 * k_page);
  remember(at.mapped, 64 * k_page);
  const int file = memfd_create("file", 0);
  assert(ftruncate(file, 4 * k_page) == 0 && pwrite(file, "file", 4, k_page) == 4);
  at.file = remember(map(4 * k_page, MAP_PRIVATE, file), 4 * k_page);
  at.shared = remember(map(4 * k_page, MAP_SHARED, file), 4 * k_page);
  at.small = static_cast<char*>(std::malloc(5 * k_page));
  std::memset(at.small, 's', 5 * k_page);
  remember(at.small, 5 * k_page);
  at.large = static_cast<char*>(std::malloc(k_large));
  std::memset(at.large, 'l', k_large);
  remember(at.large, k_large);
  at.readable = open("/proc/self/comm", O_RDONLY);
  return at;
}

template <class Each>
void explore(Each each) {
  const Places at = prepare();
  std::string order;
  const auto work = [&](char id) {
    std::lock_guard lock(g_mutex);
    order += id;
  };
  std::thread one([&] { work('1'); });
  std::thread two([&] { work('2'); });
  one.join();
  two.join();
  const std::size_t changed = changed_words();
  const unsigned long execution = next_execution();
  each(at, execution);
  std::printf("%s %zu%s\n", order.c_str(), changed, execution == k_told ? " late" : "");
}

void write_late(const Places& at, unsigned long execution) {
  if (execution >= k_late) k_writers[execution % k_kinds](at);
}

// Each page is written by few executions, the first time late.
void written_late() { explore(write_late); }

// There is a page fault in every execution, because memory that it maps is dropped.
void written_among_faults() {
  explore([](const Places& at, unsigned long execution) {
    char* const mapped = map(4 * k_page, MAP_PRIVATE | MAP_ANONYMOUS, -1);
    for (std::size_t page = 0; page < 4 * k_page; page += k_page) mapped[page] = 'f';
    write_late(at, execution);
  });
}

// Different pages in each execution, and all of them at the end.
void written_in_turn() {
  explore([](const Places& at, unsigned long execution) {
    at.pages[execution * 7919 % 64 * k_page] = 'w';
    at.large[execution * 7919 % (k_large / k_page) * k_page + execution % k_page] = 'w';
    if (execution % 100 == 99)
      for (std::size_t page = 0; page < k_large; page += 2 * k_page) at.large[page] = 'w';
  });
}

constexpr Scenario k_scenarios[] = {
    {"written_late", written_late},
    {"written_among_faults", written_among_faults},
    {"written_in_turn", written_in_turn},
};

} // namespace

int main(int count, char** arguments) { return run_scenario(k_scenarios, count, arguments); }
