#include "reex/runtime/memory/dirty_pages.h"

#include <fcntl.h>
#include <linux/userfaultfd.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/resource.h>

#include "reex/runtime/core/ending.h"
#include "reex/runtime/machine/platform.h"

namespace reex {
namespace {

// Constants that are missing in headers older than Linux 6.7: linux/userfaultfd.h, linux/fs.h.
constexpr std::uint64_t k_unpopulated = std::uint64_t{1} << 13;  // UFFD_FEATURE_WP_UNPOPULATED
constexpr std::uint64_t k_asynchronous = std::uint64_t{1} << 15; // UFFD_FEATURE_WP_ASYNC
constexpr unsigned long k_user_mode_only = 1;                    // UFFD_USER_MODE_ONLY: needs no privilege
constexpr std::uint64_t k_is_written = 2;                        // PAGE_IS_WRITTEN

struct Region { // struct page_region
  std::uint64_t start;
  std::uint64_t end;
  std::uint64_t categories;
};

struct Scan { // struct pm_scan_arg
  std::uint64_t size;
  std::uint64_t flags;
  std::uint64_t start;
  std::uint64_t end;
  std::uint64_t walk_end;
  std::uint64_t regions;
  std::uint64_t region_count;
  std::uint64_t max_pages;
  std::uint64_t category_inverted;
  std::uint64_t category_mask;
  std::uint64_t category_anyof_mask;
  std::uint64_t return_mask;
};
constexpr unsigned long k_scan = _IOWR('f', 16, Scan); // PAGEMAP_SCAN

constexpr std::size_t k_page = 4096;
constexpr std::size_t k_chunk = std::size_t{1} << 20; // half a huge page: this splits huge pages
constexpr unsigned k_regions = 256;

// Behind those of the test, whose numbers are the same with and without a tracker, and behind the saved
// output's.
constexpr long k_least_descriptor = 903;

int g_faults = -1;
int g_pagemap = -1;
Region g_found[k_regions];

bool failed(long answer) { return answer < 0 && answer > -4096; }
std::uint64_t number(const char* address) { return reinterpret_cast<std::uint64_t>(address); }

// Returns the number of regions found from `from` on, and moves `from` behind the scanned memory. Negative:
// an error.
long scan(char*& from, char* high) {
  Scan wanted{};
  wanted.size = sizeof wanted;
  wanted.start = number(from);
  wanted.end = number(high);
  wanted.regions = reinterpret_cast<std::uint64_t>(g_found);
  wanted.region_count = k_regions;
  wanted.category_mask = wanted.return_mask = k_is_written;
  const long found = raw_syscall(SYS_ioctl, g_pagemap, static_cast<long>(k_scan), as_long(&wanted));
  from = reinterpret_cast<char*>(wanted.walk_end);
  return found;
}

bool written(char* page) {
  char* from = page;
  return scan(from, page + k_page) == 1 && g_found[0].start == number(page);
}

// Tests that a write of the process and a write of the kernel are found, each on its own page only, and that
// each is a page fault.
bool works() {
  const long memory =
      raw_syscall(SYS_mmap, 0, 3 * k_page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (failed(memory)) return false;
  auto* pages = reinterpret_cast<char*>(memory);
  pages[0] = 1;
  bool seen = track_pages(pages, pages + 3 * k_page);
  seen = seen && !written(pages) && !written(pages + k_page);
  const std::uint64_t before = page_faults();
  *static_cast<volatile char*>(pages) = 2;
  const std::uint64_t between = page_faults();
  seen = seen && before < between && written(pages) && !written(pages + k_page);
  const std::uint64_t again = page_faults();
  raw_syscall(SYS_clock_gettime, CLOCK_MONOTONIC, as_long(pages + k_page));
  seen = seen && again < page_faults() && written(pages + k_page) && !written(pages + 2 * k_page);
  raw_syscall(SYS_munmap, memory, 3 * k_page);
  return seen;
}

// Returns a copy out of the test's way; negative: there is none.
int put_aside(long descriptor) {
  if (descriptor < 0) return -1;
  const long copy = raw_syscall(SYS_fcntl, descriptor, F_DUPFD_CLOEXEC, k_least_descriptor);
  raw_syscall(SYS_close, descriptor);
  return copy < 0 ? -1 : static_cast<int>(copy);
}

void close_both() {
  if (g_faults >= 0) raw_syscall(SYS_close, g_faults);
  if (g_pagemap >= 0) raw_syscall(SYS_close, g_pagemap);
  g_faults = g_pagemap = -1;
}

} // namespace

bool open_page_tracker() {
  g_faults = put_aside(raw_syscall(SYS_userfaultfd, O_CLOEXEC | k_user_mode_only));
  g_pagemap =
      put_aside(raw_syscall(SYS_openat, AT_FDCWD, as_long("/proc/self/pagemap"), O_RDONLY | O_CLOEXEC));
  uffdio_api features{};
  features.api = UFFD_API;
  features.features = k_asynchronous | k_unpopulated;
  if (g_faults >= 0 && g_pagemap >= 0 &&
      !failed(raw_syscall(SYS_ioctl, g_faults, static_cast<long>(UFFDIO_API), as_long(&features))) && works())
    return true;
  close_both();
  return false;
}

std::uint64_t page_faults() {
  rusage used{};
  raw_syscall(SYS_getrusage, RUSAGE_THREAD, as_long(&used));
  return static_cast<std::uint64_t>(used.ru_minflt) + static_cast<std::uint64_t>(used.ru_majflt);
}

TrackerDescriptors tracker_descriptors() { return {g_faults, g_pagemap}; }

bool track_pages(char* low, char* high) {
  uffdio_register wanted{};
  wanted.range = {number(low), static_cast<std::uint64_t>(high - low)};
  wanted.mode = UFFDIO_REGISTER_MODE_WP;
  if (failed(raw_syscall(SYS_ioctl, g_faults, static_cast<long>(UFFDIO_REGISTER), as_long(&wanted))))
    return false;
  return protect_pages(low, high);
}

bool protect_pages(char* low, char* high) {
  for (char* at = low; at < high; at += k_chunk) {
    uffdio_writeprotect chunk{};
    chunk.range.start = number(at);
    chunk.range.len = at + k_chunk < high ? k_chunk : static_cast<std::uint64_t>(high - at);
    chunk.mode = UFFDIO_WRITEPROTECT_MODE_WP;
    if (failed(raw_syscall(SYS_ioctl, g_faults, static_cast<long>(UFFDIO_WRITEPROTECT), as_long(&chunk))))
      return false;
  }
  return true;
}

void for_each_written(char* low, char* high, void (*visit)(char*, char*, void*), void* argument) {
  for (char* from = low; from < high;) {
    const long found = scan(from, high);
    if (found < 0) internal_error("the kernel does not say which pages were written");
    for (long i = 0; i < found; ++i)
      visit(reinterpret_cast<char*>(g_found[i].start), reinterpret_cast<char*>(g_found[i].end), argument);
  }
}

} // namespace reex
