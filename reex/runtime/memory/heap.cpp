// An allocator with segregated free lists: a list for each size class, and new blocks from the top of the
// arena or of the thread's region. The variables here are the runtime's own: a restore leaves them alone.
// divide_heap sets g_most and g_divided once in a worker; heap_trim empties the regions.
#include "reex/runtime/memory/heap.h"

#include <bit>
#include <cerrno>
#include <cstdint>
#include <cstring>
#include <sys/mman.h>
#include <utility>

#include "reex/runtime/core/ending.h"
#include "reex/runtime/core/runtime.h"
#include "reex/runtime/core/visible.h"
#include "reex/runtime/machine/kept_call.h"
#include "reex/runtime/machine/platform.h"
#include "reex/runtime/memory/memory_error.h"
#include "reex/runtime/order/buffers.h"
#include "reex/runtime/order/dependence.h"
#include "reex/runtime/order/fingerprint.h"
#include "reex/runtime/order/promoted.h"
#include "reex/runtime/order/race.h"
#include "reex/runtime/order/script.h"
#include "reex/runtime/order/shadow_memory.h"
#include "reex/shared/address_space.h"

namespace reex {
namespace {

constexpr std::size_t k_alignment = 16;
constexpr unsigned k_small_classes = 64;                 // 16, 32, ... 1024
constexpr unsigned k_classes = k_small_classes + 4 * 27; // then four for each doubling, up to 2^37
constexpr std::size_t k_drop_pages_above = std::size_t{1} << 20;

// The slot of the thread that allocated or freed the block last is added.
constexpr std::uint32_t k_allocated = 0x616c6000, k_freed = 0x66726000;
static_assert(k_max_threads <= 0x1000);

struct alignas(16) Block { // lies right before the memory that is handed out
  std::uint32_t state;
  std::uint16_t size_class;
  std::uint16_t slack; // bytes of the size class that were not asked for, at most 0xffff
  Block* next;         // the next free or quarantined block; in an aligned block, the memory of the real one

  void* memory() { return this + 1; }
  bool is(std::uint32_t what) const { return state - what < k_max_threads; }
  unsigned thread() const { return state & 0xfff; }
};
static_assert(sizeof(Block) == 16);

// The size class of an aligned block's header, which points back to the real block.
constexpr std::uint16_t k_aligned_class = 0xffff;

// While the quarantine has room, blocks that are freed in a watched execution are not handed out again, so
// that later uses are found. First in, first out. With --reuse, the search chooses whether a
// thread gets what it frees again instead, or what all free, the last block first, from the first time on
// that it could.
constexpr std::size_t k_quarantine = std::size_t{16} << 20; // bytes

// A block of up to so many bytes that grows byte by byte puts at most k_always_moved^2 / 2 bytes, half of the
// quarantine, there.
constexpr std::size_t k_always_moved = 4096;
static_assert(k_always_moved * k_always_moved / 2 <= k_quarantine / 2);

enum class Reuse : std::uint8_t { undecided, no, own, all };

struct Bins { // what a thread has freed
  Block* free[k_classes];
  Block* last_freed[k_classes]; // of those in the quarantine, while `reuse` is undecided
  Reuse reuse;                  // what has been chosen in this execution (--reuse)
};

struct Arena { // main's blocks, and large ones
  char* top;
  Bins bins;
  Block* quarantine_first;
  Block* quarantine_last;
  std::size_t quarantine_bytes;
  bool quarantine_over; // it was full once, and blocks have left it
  // Where a thread gets what all free:
  Block* last_freed[k_classes]; // of those in the quarantine, by any thread
  Block* common[k_classes];     // what was there, and what is freed since
  bool has_common;
};

constexpr std::size_t k_arena_head = (sizeof(Arena) + 15) & ~std::size_t{15};

// The blocks of one thread, so that their addresses do not depend on what the others allocate. The regions
// lie at the end of the arena's address space; their bookkeeping is not part of a snapshot, and heap_trim
// resets it.
struct Region {
  char* top; // null: nothing was allocated yet
  Bins bins;
};

constexpr std::size_t k_region = std::size_t{32} << 20;
constexpr std::size_t k_regions = k_region * k_max_threads; // bytes
constexpr std::size_t k_most_of_main = k_arena_size - k_regions;
static_assert(k_regions <= k_arena_size / 2);

Arena* g_arena = nullptr;
std::size_t g_most = k_arena_size; // bytes that may be in use
Region g_regions[k_max_threads];   // by slot; main has none
unsigned g_used_regions = 0;       // slots from here on have no blocks
std::size_t g_in_regions = 0;      // bytes
bool g_divided = false;            // threads allocate in their regions

unsigned class_of(std::size_t size) {
  if (size <= 1024) return size == 0 ? 0 : static_cast<unsigned>((size - 1) / 16);
  const unsigned log = std::bit_width(size - 1) - 1u; // 2^log < size <= 2^(log+1)
  const std::size_t quarter = std::size_t{1} << (log - 2);
  return k_small_classes + (log - 10) * 4 +
         static_cast<unsigned>((size - 1 - (std::size_t{1} << log)) / quarter);
}

std::size_t size_of(unsigned size_class) {
  if (size_class < k_small_classes) return (size_class + 1) * std::size_t{16};
  const unsigned log = 10 + (size_class - k_small_classes) / 4;
  const std::size_t quarter = std::size_t{1} << (log - 2);
  return (std::size_t{1} << log) + ((size_class - k_small_classes) % 4 + 1) * quarter;
}

Arena& arena() {
  if (g_arena == nullptr) {
    const long address = raw_syscall(SYS_mmap, 0, k_arena_size, PROT_READ | PROT_WRITE,
                                     MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (address < 0 && address > -4096) internal_error("no address space for the heap");
    g_arena = reinterpret_cast<Arena*>(address);
    g_arena->top = reinterpret_cast<char*>(g_arena) + k_arena_head;
  }
  return *g_arena;
}

void set_size(Block& block, std::size_t size) {
  const std::size_t slack = size_of(block.size_class) - size;
  block.slack = static_cast<std::uint16_t>(slack > 0xffff ? 0xffff : slack);
}

std::size_t size_asked_for(const Block& block) { return size_of(block.size_class) - block.slack; }

Block* header(void* memory) { return reinterpret_cast<Block*>(static_cast<char*>(memory) - sizeof(Block)); }

char* base_of_region(unsigned slot) {
  return reinterpret_cast<char*>(&arena()) + k_most_of_main + slot * k_region;
}

// Null: the running thread has none.
Region* own_region() {
  if (!g_divided || g.current == nullptr || g.current->slot == 0) return nullptr;
  Region& region = g_regions[g.current->slot];
  if (region.top == nullptr) {
    region.top = base_of_region(g.current->slot);
    if (g.current->slot >= g_used_regions) g_used_regions = g.current->slot + 1u;
  }
  return &region;
}

std::uint32_t by_this_thread(std::uint32_t what) {
  return what + (g.current == nullptr ? 0 : g.current->slot);
}

Bins& bins_of(Region* region) { return region != nullptr ? region->bins : arena().bins; }

// Which block is handed out may depend on what other threads have allocated: without a region, or in that of
// a thread that is gone. Once the quarantine releases blocks, it also depends on what they have freed.
void note_allocated(const void* memory) {
  if (arena().quarantine_over) fingerprint_fence();
  if (own_region() == nullptr && g.current->slot != 0) fingerprint_dark(true);
  fingerprint_value(reinterpret_cast<std::uint64_t>(memory));
}

// A block that was never handed out. Null: there is no room.
Block* cut_off(Region* region, std::size_t total) {
  Arena& from = arena();
  std::size_t used = static_cast<std::size_t>(from.top - reinterpret_cast<char*>(&from));
  if (used + g_in_regions + total > g_most && g.controlled)
    end_execution(End::memory_limit, 0, "the memory limit was reached");
  if (region != nullptr && total <= k_region / 4 &&
      region->top + total <= base_of_region(g.current->slot) + k_region) {
    g_in_regions += total;
    region->top += total;
    return reinterpret_cast<Block*>(region->top - total);
  }
  if (used + total > k_most_of_main) return nullptr;
  if (region != nullptr) {
    fingerprint_dark(true);
    depend_on_all();
  }
  from.top += total;
  return reinterpret_cast<Block*>(from.top - total);
}

// The thread that frees a block is the one that gets it again.
void make_free(Block& block) {
  Block*& first = bins_of(own_region()).free[block.size_class];
  block.next = first;
  first = &block;
}

void put_in_quarantine(Block& block) {
  Arena& of = arena();
  block.next = nullptr;
  (of.quarantine_last == nullptr ? of.quarantine_first : of.quarantine_last->next) = &block;
  of.quarantine_last = &block;
  of.quarantine_bytes += size_of(block.size_class);
  while (of.quarantine_bytes > k_quarantine) {
    Block& oldest = *of.quarantine_first;
    of.quarantine_first = oldest.next;
    if (of.quarantine_first == nullptr) of.quarantine_last = nullptr;
    of.quarantine_bytes -= size_of(oldest.size_class);
    make_free(oldest);
    of.quarantine_over = true;
    if (g_noting) distrust_script(); // which thread comes to this depends on what all have freed
  }
}

// False: the block has left it.
bool take_from_quarantine(Block& block) {
  Arena& of = arena();
  Block* before = nullptr;
  for (Block* at = of.quarantine_first; at != &block; at = at->next) {
    if (at == nullptr) return false;
    before = at;
  }
  (before == nullptr ? of.quarantine_first : before->next) = block.next;
  if (of.quarantine_last == &block) of.quarantine_last = before;
  of.quarantine_bytes -= size_of(block.size_class);
  return true;
}

void put_in_common(Block& block) {
  Block*& first = arena().common[block.size_class];
  block.next = first;
  first = &block;
}

void share_quarantine() {
  Arena& of = arena();
  of.has_common = true;
  for (Block* block = std::exchange(of.quarantine_first, nullptr); block != nullptr;) {
    Block* const next = block->next;
    put_in_common(*block);
    block = next;
  }
  of.quarantine_last = nullptr;
  of.quarantine_bytes = 0;
}

// What a thread may get depends on the order in which all have freed blocks of the class.
void note_order(unsigned size_class) {
  fingerprint_words(Operation::plain_write, &arena().last_freed[size_class], sizeof(Block*));
}

void choose_reuse(Bins& bins, unsigned size_class) {
  if (bins.reuse != Reuse::undecided || !g.active) return;
  Arena& of = arena();
  Block* const own = of.has_common ? nullptr : bins.last_freed[size_class];
  const Block* const last = of.has_common        ? of.common[size_class]
                            : of.quarantine_over ? nullptr
                                                 : of.last_freed[size_class];
  std::uint16_t again[3] = {k_max_created}; // nobody's, this thread's, another's
  unsigned count = 1;
  if (own != nullptr) again[count++] = g.current->id;
  if (last != nullptr && last->is(k_freed) && last->thread() != g.current->slot)
    again[count++] = g_fibers[last->thread()].id;
  if (count == 1) return;
  const unsigned chosen = choose_among(ChoiceKind::reuse, again, count);
  if (chosen == 0) {
    bins.reuse = Reuse::no;
  } else if (again[chosen] == g.current->id) {
    bins.reuse = Reuse::own;
    if (take_from_quarantine(*own)) make_free(*own);
  } else {
    bins.reuse = Reuse::all;
    if (!of.has_common) share_quarantine();
  }
}

void* allocate(std::size_t size) {
  if (size > k_most_of_main / 4) {
    errno = ENOMEM;
    return nullptr;
  }
  Region* const region = own_region();
  const unsigned size_class = class_of(size);
  Bins& bins = bins_of(region);
  if (g_watching && g_addresses_come_again) {
    if (bins.reuse == Reuse::undecided || bins.reuse == Reuse::all) note_order(size_class);
    choose_reuse(bins, size_class);
  }
  const bool is_common = bins.reuse == Reuse::all && arena().common[size_class] != nullptr;
  Block*& free = is_common ? arena().common[size_class] : bins.free[size_class];
  Block* block = free;
  if (block != nullptr) {
    free = block->next;
    if (g_watching) watch_reuse(block->memory(), size_of(size_class));
  } else {
    block = cut_off(region, sizeof(Block) + size_of(size_class));
    if (block == nullptr) {
      errno = ENOMEM;
      return nullptr;
    }
  }
  block->state = by_this_thread(k_allocated);
  block->size_class = static_cast<std::uint16_t>(size_class);
  set_size(*block, size);
  if (g.detail && g.active) remember_allocated(block->memory());
  if (g_fingerprinting) note_allocated(block->memory());
  return block->memory();
}

[[noreturn]] void misuse(void* memory, bool freed_before) {
  if (g.controlled) freed_before ? double_free(memory) : invalid_free(memory);
  const char* what = freed_before ? "free(): double free detected\n" : "free(): invalid pointer\n";
  raw_syscall(SYS_write, 2, as_long(what), static_cast<long>(strlen(what)));
  raw_syscall(SYS_exit_group, 134);
  __builtin_unreachable();
}

// The part of the heap that is in use and contains the address.
struct Part {
  char* first; // its first block
  char* top;
};

Part part_of(const void* address) {
  Arena& of = arena();
  char* const base = reinterpret_cast<char*>(&of);
  const auto distance =
      static_cast<std::size_t>(static_cast<const char*>(address) - base); // huge if it lies before
  if (distance < k_most_of_main) return {base + k_arena_head, of.top};
  if (distance >= k_arena_size) return {};
  const auto slot = static_cast<unsigned>((distance - k_most_of_main) / k_region);
  return {base_of_region(slot), g_regions[slot].top};
}

bool lies_in_arena(const void* memory) {
  const Part part = part_of(memory);
  return memory > static_cast<const void*>(part.first) && memory < static_cast<const void*>(part.top) &&
         reinterpret_cast<std::uintptr_t>(memory) % k_alignment == 0;
}

void release(void* memory) {
  if (memory == nullptr) return;
  if (!lies_in_arena(memory)) misuse(memory, false);
  Block* block = header(memory);
  if (block->size_class == k_aligned_class && block->is(k_allocated)) {
    block->state = by_this_thread(k_freed);
    block = header(block->next);
  }
  if (block->is(k_freed)) misuse(memory, true);
  if (!block->is(k_allocated) || block->size_class >= k_classes) misuse(memory, false);
  block->state = by_this_thread(k_freed);
  if (!g_watching) return make_free(*block);
  if (g.detail && g.active) remember_freed(block->memory());
  watch_free(block->memory(), size_asked_for(*block));
  if (g_fingerprinting) { // who comes later to what was used there uses freed memory
    const auto low = reinterpret_cast<std::uintptr_t>(block->memory());
    fingerprint_left(low, low + size_asked_for(*block));
  }
  Bins& bins = bins_of(own_region());
  if (bins.reuse == Reuse::own) return make_free(*block);
  if (g_addresses_come_again) {
    note_order(block->size_class);
    if (arena().has_common) return put_in_common(*block);
    arena().last_freed[block->size_class] = block;
  }
  if (bins.reuse == Reuse::undecided) bins.last_freed[block->size_class] = block;
  put_in_quarantine(*block);
  if (g_fingerprinting && arena().quarantine_over) fingerprint_fence();
}

const Block* block_at(std::uintptr_t address) { // null: none starts there
  void* const memory = reinterpret_cast<void*>(address);
  return lies_in_arena(memory) ? header(memory) : nullptr;
}

bool could_be_at(const Block& used, const Block& freed) {
  return used.is(k_allocated) && freed.is(k_freed) && used.size_class == freed.size_class;
}

void check_allocated(void* memory) {
  if (!lies_in_arena(memory)) misuse(memory, false);
  if (const Block* block = header(memory); !block->is(k_allocated)) misuse(memory, block->is(k_freed));
}

void resize_in_place(void* memory, std::size_t size) {
  if (Block* block = header(memory); block->size_class != k_aligned_class) set_size(*block, size);
}

std::size_t usable(void* memory) {
  Block* block = header(memory);
  if (block->size_class != k_aligned_class) return size_of(block->size_class);
  char* real = reinterpret_cast<char*>(block->next);
  return size_of(header(real)->size_class) - static_cast<std::size_t>(static_cast<char*>(memory) - real);
}

void* allocate_aligned(std::size_t alignment, std::size_t size) {
  if (alignment <= k_alignment) return allocate(size);
  if (size > SIZE_MAX - alignment - sizeof(Block)) return nullptr;
  char* real = static_cast<char*>(allocate(size + alignment + sizeof(Block)));
  if (real == nullptr) return nullptr;
  const auto address = reinterpret_cast<std::uintptr_t>(real);
  if (address % alignment == 0) return real;
  char* aligned = reinterpret_cast<char*>((address + sizeof(Block) + alignment - 1) / alignment * alignment);
  Block* block = header(aligned);
  block->state = by_this_thread(k_allocated);
  block->size_class = k_aligned_class;
  block->slack = 0;
  block->next = reinterpret_cast<Block*>(real);
  return aligned;
}

// Memory that was never handed out is zero.
void clear(char* from, char* to) {
  if (static_cast<std::size_t>(to - from) > k_drop_pages_above) {
    constexpr std::uintptr_t k_page_mask = 4095;
    char* page =
        reinterpret_cast<char*>((reinterpret_cast<std::uintptr_t>(from) + k_page_mask) & ~k_page_mask);
    reex_kept_call(SYS_madvise, as_long(page), (to - page + 4095) & ~4095L, MADV_DONTNEED);
    to = page;
  }
  memset(from, 0, static_cast<std::size_t>(to - from));
}

} // namespace

HeapExtent heap_extent() {
  Arena& of = arena();
  return {reinterpret_cast<char*>(&of), static_cast<std::size_t>(of.top - reinterpret_cast<char*>(&of))};
}

void divide_heap(std::size_t bytes) {
  const std::size_t used = heap_extent().used;
  g_most = bytes == 0 || bytes > k_arena_size - used ? k_arena_size : used + bytes;
  g_divided = true;
}

void for_each_region(void (*visit)(char* low, char* high, void* argument), void* argument) {
  for (unsigned slot = 0; slot < g_used_regions; ++slot)
    if (char* const top = g_regions[slot].top; top != nullptr) visit(base_of_region(slot), top, argument);
}

HeapBlock heap_block_of(const void* address) {
  const Part part = part_of(address);
  char* at = part.first;
  while (at < part.top) {
    Block& block = *reinterpret_cast<Block*>(at);
    char* next = at + sizeof(Block) + size_of(block.size_class);
    if (address < next)
      return address < block.memory() ? HeapBlock{} : HeapBlock{block.memory(), size_asked_for(block)};
    at = next;
  }
  return {};
}

KeptAddress address_kept(std::uintptr_t expected, std::uintptr_t seen) {
  const Block* const freed = block_at(expected);
  const Block* const used = block_at(seen);
  if (freed == nullptr || used == nullptr || !could_be_at(*used, *freed)) return KeptAddress::none;
  return used->thread() == freed->thread() ? KeptAddress::of_same_thread : KeptAddress::of_another;
}

void heap_trim(const HeapExtent& used_by_execution, const HeapExtent& snapshot) {
  for (unsigned slot = 0; slot < g_used_regions; ++slot) {
    Region& region = g_regions[slot];
    if (region.top == nullptr) continue;
    clear(base_of_region(slot), region.top);
    memset(&region, 0, sizeof region);
  }
  g_used_regions = 0;
  g_in_regions = 0;
  if (used_by_execution.used > snapshot.used)
    clear(snapshot.base + snapshot.used, used_by_execution.base + used_by_execution.used);
}

} // namespace reex

REEX_EXPORT void* malloc(std::size_t size) { return reex::allocate(size); }
REEX_EXPORT void free(void* memory) { reex::release(memory); }

REEX_EXPORT void* calloc(std::size_t count, std::size_t size) {
  std::size_t total = 0;
  if (__builtin_mul_overflow(count, size, &total)) {
    errno = ENOMEM;
    return nullptr;
  }
  void* memory = reex::allocate(total);
  if (memory != nullptr) memset(memory, 0, total);
  return memory;
}

REEX_EXPORT void* realloc(void* memory, std::size_t size) {
  if (memory == nullptr) return reex::allocate(size);
  if (size == 0) {
    reex::release(memory);
    return nullptr;
  }
  reex::check_allocated(memory);
  const std::size_t room = reex::usable(memory);
  // In a watched execution, smaller blocks always move, so that a use of the old pointer is found.
  const bool moves = reex::g_watching && room <= reex::k_always_moved;
  if (size <= room && !moves && (size > room / 2 || room <= 64)) {
    reex::resize_in_place(memory, size);
    return memory;
  }
  void* moved = reex::allocate(size);
  if (moved == nullptr) return nullptr;
  memcpy(moved, memory, size < room ? size : room);
  reex::release(memory);
  return moved;
}

REEX_EXPORT void* reallocarray(void* memory, std::size_t count, std::size_t size) {
  std::size_t total = 0;
  if (__builtin_mul_overflow(count, size, &total)) {
    errno = ENOMEM;
    return nullptr;
  }
  return realloc(memory, total);
}

REEX_EXPORT void* memalign(std::size_t alignment, std::size_t size) {
  return reex::allocate_aligned(alignment, size);
}
REEX_EXPORT void* aligned_alloc(std::size_t alignment, std::size_t size) {
  return reex::allocate_aligned(alignment, size);
}
REEX_EXPORT void* valloc(std::size_t size) { return reex::allocate_aligned(4096, size); }
REEX_EXPORT void* pvalloc(std::size_t size) {
  if (size > SIZE_MAX - 4095) return nullptr;
  return reex::allocate_aligned(4096, (size + 4095) & ~std::size_t{4095});
}

REEX_EXPORT int posix_memalign(void** memory, std::size_t alignment, std::size_t size) {
  if (alignment < sizeof(void*) || (alignment & (alignment - 1)) != 0) return EINVAL;
  void* const pc = REEX_CALLER;
  reex::will_write_buffer(memory, pc);
  void* aligned = reex::allocate_aligned(alignment, size);
  if (aligned == nullptr) return ENOMEM;
  *memory = aligned;
  reex::writes_object(memory, pc);
  return 0;
}

REEX_EXPORT std::size_t malloc_usable_size(void* memory) {
  return memory == nullptr ? 0 : reex::usable(memory);
}
