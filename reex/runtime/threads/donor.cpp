#include "reex/runtime/threads/donor.h"

#include <atomic>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <linux/futex.h>
#include <linux/rseq.h>
#include <pthread.h>
#include <sched.h>
#include <sys/mman.h>

#include "reex/runtime/core/ending.h"
#include "reex/runtime/core/fiber.h"
#include "reex/runtime/core/running.h"
#include "reex/runtime/core/stacks.h"
#include "reex/runtime/machine/libc.h"
#include "reex/runtime/machine/platform.h"
#include "reex/runtime/order/annotated.h"
#include "reex/runtime/order/race.h"

namespace reex {
namespace {

constexpr std::size_t k_page = 4096;

constinit std::size_t g_stack_size = std::size_t{8} << 20; // glibc's default; pages are filled when used
Donor g_donors[k_max_donors];
Donor* g_by_address[k_max_donors]; // all that were made
unsigned g_donor_count = 0;
unsigned g_retired = 0;   // number of the first donors, whose stacks are too small for this test
char* g_images = nullptr; // the images, one after the other, each of g_image_size bytes
std::size_t g_image_size = 0;
unsigned g_image_count = 0; // the last of them is never taken: see renew_static
std::atomic<int> g_published;

// Where the thread control block of the calling thread has its number of the kernel.
std::uint32_t* find_tid(std::uint64_t fs) {
  constexpr std::size_t k_searched = 1024; // glibc 2.31 to 2.41 have it at 720
  const auto tid = static_cast<std::uint32_t>(raw_syscall(SYS_gettid));
  for (auto* at = reinterpret_cast<std::uint32_t*>(fs);
       at < reinterpret_cast<std::uint32_t*>(fs + k_searched); ++at)
    if (*at == tid) return at;
  return nullptr;
}

// The owner of libc's own recursive locks is a number of the kernel. The zygote and all fibers have one: a
// library's initializer, which holds the loader's lock, may wait for another fiber that needs the loader,
// and nobody else is there to wait for it.
void share_tid(const Donor& made) {
  std::uint32_t* const own = find_tid(read_fs());
  if (own != nullptr && made.tid != nullptr &&
      reinterpret_cast<std::uint64_t>(own) - read_fs() == reinterpret_cast<std::uint64_t>(made.tid) - made.fs)
    *made.tid = *own;
}

// Runs as a real thread and ends its kernel task without glibc's knowledge. After it has informed the zygote
// it must not use its stack, because a fiber may use it then.
void* donate(void* argument) {
  auto& made = *static_cast<Donor*>(argument);
  made.fs = read_fs();
  made.tid = find_tid(made.fs);
  made.stack_high = reinterpret_cast<char*>(
      (reinterpret_cast<std::uintptr_t>(__builtin_frame_address(0)) - 1024) & ~std::uintptr_t{63});
  raw_syscall(SYS_set_tid_address,
              0); // otherwise the kernel clears the tid, and glibc reuses it
  hide_processor();
  asm volatile("movl $1, (%0)\n\t"
               "movl %1, %%eax\n\t"
               "movq %0, %%rdi\n\t"
               "movl %2, %%esi\n\t"
               "movl $1, %%edx\n\t"
               "syscall\n\t"
               "movl %3, %%eax\n\t"
               "xorl %%edi, %%edi\n\t"
               "syscall\n\t"
               "hlt"
               :
               : "r"(&g_published), "i"(SYS_futex), "i"(FUTEX_WAKE_PRIVATE), "i"(SYS_exit)
               : "rax", "rdi", "rsi", "rdx", "rcx", "r11", "memory");
  __builtin_unreachable();
}

char* map(std::size_t size, int sharing) {
  const long address = raw_syscall(SYS_mmap, 0, static_cast<long>(size), PROT_READ | PROT_WRITE,
                                   sharing | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  return address < 0 && address > -4096 ? nullptr : reinterpret_cast<char*>(address);
}

void include(const Donor& made) {
  const auto low = reinterpret_cast<std::uintptr_t>(made.stack_low);
  const auto high = reinterpret_cast<std::uintptr_t>(made.end);
  const std::uintptr_t end = g_donors_low + g_donors_span;
  if (g_donors_span == 0 || low < g_donors_low) g_donors_low = low;
  g_donors_span = (high > end ? high : end) - g_donors_low;
}

void list_by_address(Donor& made) {
  unsigned at = g_donor_count;
  for (; at > 0 && g_by_address[at - 1]->stack_low > made.stack_low; --at)
    g_by_address[at] = g_by_address[at - 1];
  g_by_address[at] = &made;
}

bool make_donor(Donor& made) {
  char* stack = map(k_page + g_stack_size, MAP_PRIVATE);
  char* shadow = map(k_shadow_room + k_page, MAP_SHARED);
  if (stack == nullptr || shadow == nullptr) return false;
  raw_syscall(SYS_mprotect, as_long(stack), k_page, PROT_NONE);
  raw_syscall(SYS_mprotect, as_long(shadow + k_shadow_room), k_page, PROT_NONE);
  made.guard = stack;
  made.stack_low = stack + k_page;
  made.end = made.stack_low + g_stack_size;
  made.shadow = reinterpret_cast<void**>(shadow + k_below_shadow);
  include(made);

  sigset_t all, before;
  memset(&all, 0xff, sizeof all);
  raw_syscall(SYS_rt_sigprocmask, SIG_SETMASK, as_long(&all), as_long(&before), 8);
  pthread_attr_t attributes;
  pthread_attr_init(&attributes);
  pthread_attr_setstack(&attributes, made.stack_low, g_stack_size);
  g_published.store(0);
  pthread_t thread;
  const int error = libc().pthread_create(&thread, &attributes, donate, &made);
  pthread_attr_destroy(&attributes);
  while (error == 0 && g_published.load() == 0)
    raw_syscall(SYS_futex, as_long(&g_published), FUTEX_WAIT_PRIVATE, 0, 0);
  raw_syscall(SYS_rt_sigprocmask, SIG_SETMASK, as_long(&before), 0, 8);
  if (error == 0) share_tid(made);
  return error == 0;
}

bool add_donor() {
  if (g_donor_count == k_max_donors || !make_donor(g_donors[g_donor_count])) return false;
  list_by_address(g_donors[g_donor_count]);
  ++g_donor_count;
  return true;
}

std::size_t storage_size(const Donor& of) { return static_cast<std::size_t>(of.end - of.stack_high); }

void bring_back(Donor& used) {
  if (g_images == nullptr) return;
  memcpy(used.stack_high, g_images + static_cast<std::size_t>(&used - g_donors) * g_image_size,
         storage_size(used));
  used.dirty = false;
}

// glibc's vector of a thread's thread-local storage: a slot for each library that has some. The slot before
// the first two has their number.
struct StorageSlot {
  std::uintptr_t storage;
  void* block; // to be freed; null: the storage is a part of the thread's own
};
constexpr std::uintptr_t k_not_made = ~std::uintptr_t{0}; // glibc makes it as it is asked for

StorageSlot*& slots_of(const Donor& of) { return reinterpret_cast<StorageSlot**>(of.fs)[1]; }

// Storage that libraries got as their code asked for it. glibc frees it here, too, and it is no access of the
// thread that now creates another one: it knows nothing of the thread that is gone.
void forget_dynamic(Donor& used) {
  StorageSlot* const slots = slots_of(used);
  ignore_accesses();
  ignore_synchronization();
  for (std::uintptr_t i = 1; i <= slots[-1].storage; ++i) {
    if (slots[i].block != nullptr) free(slots[i].block);
    slots[i] = {k_not_made, nullptr};
  }
  heed_synchronization();
  heed_accesses();
}

// When a library is loaded whose storage is a part of the threads' own, glibc fills it in for all threads
// that it knows. Where the storage of the donor that nobody takes differs from its image, that was it.
void renew_static(Donor& used) {
  const Donor& fresh = g_donors[g_image_count - 1];
  const auto below = [](const Donor& of) {
    return static_cast<std::size_t>(reinterpret_cast<char*>(of.fs) - of.stack_high);
  };
  const std::size_t size = below(used) < below(fresh) ? below(used) : below(fresh);
  const char* const now = reinterpret_cast<char*>(fresh.fs) - size;
  const char* const before = g_images + (g_image_count - 1) * g_image_size + (below(fresh) - size);
  char* const own = reinterpret_cast<char*>(used.fs) - size;
  if (memcmp(now, before, size) == 0) return;
  for (std::size_t i = 0; i < size; ++i)
    if (now[i] != before[i]) own[i] = now[i];
}

// For another thread of the same execution. The vector may have been replaced by a longer one.
void renew(Donor& used) {
  forget_dynamic(used);
  StorageSlot* const slots = slots_of(used);
  bring_back(used);
  slots_of(used) = slots;
  renew_static(used);
  watch_renewed(used.stack_low, static_cast<std::size_t>(used.end - used.stack_low));
}

} // namespace

void hide_processor() {
  if (libc().rseq_offset == nullptr || *libc().rseq_size == 0) return;
  auto* area = reinterpret_cast<struct rseq*>(read_fs() + static_cast<std::uint64_t>(*libc().rseq_offset));
  raw_syscall(SYS_rseq, as_long(area), 32, RSEQ_FLAG_UNREGISTER, 0x53053053);
  area->cpu_id = static_cast<std::uint32_t>(RSEQ_CPU_ID_REGISTRATION_FAILED);
}

bool make_donors(unsigned usable) {
  unsigned total = g_retired + usable + 1;
  if (total > k_max_donors) total = k_max_donors;
  while (g_donor_count < total)
    if (!add_donor()) return false;
  return true;
}

void require_stack(std::size_t bytes) {
  const std::size_t with_storage = bytes + (std::size_t{64} << 10); // thread-local storage lies at the top
  if (with_storage <= g_stack_size) return;
  g_stack_size = (with_storage + k_page - 1) / k_page * k_page;
  g_retired = g_donor_count; // they stay in glibc's lists
}

std::size_t donor_stack_size() { return g_stack_size; }

unsigned donor_count() { return g_donor_count; }

unsigned usable_donors() {
  const unsigned large = g_donor_count - g_retired;
  return large == 0 ? 0 : large - 1;
}

Donor& donor(unsigned index) { return g_donors[index]; }

Donor* donor_at(std::uintptr_t address) {
  unsigned low = 0;
  for (unsigned high = g_donor_count; low < high;) {
    const unsigned middle = (low + high) / 2;
    if (reinterpret_cast<std::uintptr_t>(g_by_address[middle]->end) <= address)
      low = middle + 1;
    else
      high = middle;
  }
  if (low == g_donor_count || address < reinterpret_cast<std::uintptr_t>(g_by_address[low]->stack_low))
    return nullptr;
  return g_by_address[low];
}

Donor* take_donor() {
  for (unsigned i = g_retired; i < g_donor_count; ++i) {
    Donor& candidate = g_donors[i];
    if (candidate.taken || i + 1 == g_image_count || (candidate.dirty && i >= g_image_count)) continue;
    if (candidate.dirty) renew(candidate);
    candidate.taken = candidate.dirty = true;
    return &candidate;
  }
  return nullptr;
}

Donor* take_new_donor() { return add_donor() ? take_donor() : nullptr; }

void release_donor(Fiber& fiber) {
  if (fiber.donor != nullptr) fiber.donor->taken = false;
  fiber.donor = nullptr;
}

void snapshot_donors() {
  if (g_donor_count == 0) return;
  g_image_size = 0;
  for (unsigned i = 0; i < g_donor_count; ++i)
    if (storage_size(g_donors[i]) > g_image_size) g_image_size = storage_size(g_donors[i]);
  g_images = map(g_image_size * g_donor_count, MAP_SHARED);
  if (g_images == nullptr) internal_error("no memory for the images of thread-local storage");
  g_image_count = g_donor_count;
  for (unsigned i = g_retired; i < g_donor_count; ++i)
    memcpy(g_images + i * g_image_size, g_donors[i].stack_high, storage_size(g_donors[i]));
}

void separate_calls(const Fiber& fiber, void** top) {
  char* const own = map(k_shadow_room, MAP_PRIVATE);
  if (own == nullptr) internal_error("no memory for the calls of a process that the test forked");
  if (top > fiber.shadow_base)
    memcpy(own + k_below_shadow, fiber.shadow_base,
           static_cast<std::size_t>(top - fiber.shadow_base) * sizeof *top);
  raw_syscall(SYS_mremap, as_long(own), k_shadow_room, k_shadow_room, MREMAP_MAYMOVE | MREMAP_FIXED,
              as_long(fiber.shadow_base) - static_cast<long>(k_below_shadow));
}

void restore_donors() {
  for (unsigned i = 0; i < g_donor_count; ++i) {
    g_donors[i].taken = false;
    g_donors[i].user = nullptr;
    g_donors[i].user_id = 0;
    if (g_donors[i].dirty) bring_back(g_donors[i]);
  }
}

} // namespace reex
