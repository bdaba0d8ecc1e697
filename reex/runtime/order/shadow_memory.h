// The shadow memory of the race detector (race.h): a cell of access records for every eight bytes of the
// test's memory, and a mark for every page. The mark says whether the page's cells need to be read at all.
//
// Callers: the running fiber; prepare_shadow_memory, a new worker before its first execution.
//
// Invariants: cells and marks lie outside every snapshot and name their execution, so a restore does not
// change them and nothing is cleared between executions: those of earlier executions are out of date. A new
// worker maps new ones. g_execution rises with each execution of a worker.
//
// Cost: address space, of which the kernel fills only the pages that are used.
#pragma once

#include <cstddef>
#include <cstdint>

#include "reex/runtime/core/runtime.h"
#include "reex/runtime/order/happens_before.h"

namespace reex {

extern std::uint32_t g_execution; // number of the execution in this worker, from 1

inline constexpr unsigned k_granule = 8;
inline constexpr unsigned k_records_per_cell = 4;
inline constexpr std::size_t k_marked_page = 4096;
// Cells are found by the address modulo 1 TiB. Programs, libraries, stacks and the heap's arena differ there.
inline constexpr std::uint64_t k_address_mask = (std::uint64_t{1} << 40) - 1;

// Flags of an access record.
inline constexpr std::uint64_t k_write = 1;
inline constexpr std::uint64_t k_atomic = 2;
inline constexpr std::uint64_t k_freed = 4;
inline constexpr std::uint64_t k_link = 8;
inline constexpr std::uint64_t k_ignored = 16;  // the test has said that it may race (annotated.h)
inline constexpr std::uint64_t k_object = 32;   // of a synchronization object; written: initialized
inline constexpr std::uint64_t k_destroys = 64; // with k_object
inline constexpr std::uint64_t k_used = k_atomic | k_object;
inline constexpr std::uint64_t k_left = k_freed | k_object; // never kept in a cell
inline constexpr std::uint64_t k_flags = 0x7f;
static_assert(k_max_threads <= 1u << 10); // slots have 10 bits in an access record

struct AccessRecord {
  std::uint64_t
      where;          // pc << 17 | low bits of the slot << 8 | bytes of the granule; in a link: the next cell
  std::uint64_t when; // execution << 32 | clock << 8 | the high bit of the slot << 7 | flags

  bool is_current() const { return when >> 32 == g_execution; }
  std::uint32_t clock() const { return static_cast<std::uint32_t>(when) >> 8; }
  unsigned slot() const {
    return (static_cast<unsigned>(where >> 8) & 0x1ff) | (static_cast<unsigned>(when >> 7) & 1) << 9;
  }
  unsigned bytes() const { return static_cast<unsigned>(where) & 0xff; }
  std::uint64_t pc() const { return where >> 17; }
  unsigned thread() const { return thread_at(slot(), clock()); } // its number
};

// The records fill the first slots, up to one that is not of this execution.
struct alignas(64) ShadowCell {
  AccessRecord record[k_records_per_cell];

  void clear() {
    for (AccessRecord& each : record) each.when = 0;
  }
};
static_assert(sizeof(ShadowCell) == 64);

// If the mark is not of this execution, the page's cells hold no records.
struct PageMark {
  std::uint32_t execution;
  std::uint16_t thread; // number of the thread that freed the page
  bool freed;           // the whole page was freed, and its cells hold no records; otherwise they may
  bool has_freed;       // the page was freed, or cells of it may say that they were

  bool is_current() const { return execution == g_execution; }
};
static_assert(sizeof(PageMark) == 8);

extern ShadowCell* g_shadow_cells; // null: there is not enough address space
extern PageMark* g_page_marks;

inline ShadowCell& shadow_of(std::uintptr_t address) {
  return g_shadow_cells[(address & k_address_mask) / k_granule];
}
inline PageMark& page_mark_of(std::uintptr_t address) {
  return g_page_marks[(address & k_address_mask) / k_marked_page];
}

// The parts that all records of the running fiber share, until it switches or its clock rises.
extern std::uint64_t g_record_thread; // low bits of the slot << 8
extern std::uint64_t g_record_when;   // execution << 32 | clock << 8 | high bit of the slot << 7
inline void stamp_records() {
  const std::uint64_t slot = g.current->slot;
  g_record_thread = (slot & 0x1ff) << 8;
  g_record_when = static_cast<std::uint64_t>(g_execution) << 32 |
                  static_cast<std::uint64_t>(g_clocks[slot][slot]) << 8 | slot >> 9 << 7;
}
inline AccessRecord record_of(const void* pc, unsigned bytes, std::uint64_t flags) {
  return {reinterpret_cast<std::uint64_t>(pc) << 17 | g_record_thread | bytes, g_record_when | flags};
}

// The thread that has freed this address; -1: none.
int freeing_thread(std::uintptr_t address);
// Whether a part of these pages may have been freed. One look-up for each page.
bool may_be_freed(std::uintptr_t low, std::uintptr_t high);

// Whether the access needs no further work: the first record of its word is the same access, and nothing has
// changed since; or no records are made, and the memory is not freed. An access that goes beyond its word is
// never found to be settled.
inline bool is_settled(const void* address, std::size_t size, bool write, const void* pc) {
  const auto at = reinterpret_cast<std::uintptr_t>(address);
  const unsigned in_granule = at % k_granule;
  if (in_granule + size > k_granule) return false;
  if (!g_ordering) [[unlikely]]
    return freeing_thread(at) < 0;
  const AccessRecord now = record_of(pc, ((1u << size) - 1) << in_granule, write ? k_write : 0);
  const AccessRecord& first = shadow_of(at).record[0];
  return first.when == now.when && first.where == now.where;
}

// To be called in a new worker.
void prepare_shadow_memory();

// Afterwards the range is as if nobody had accessed it. Cost: a few ns for each page, or a few hundred if it
// was accessed.
void forget_records(std::uintptr_t low, std::uintptr_t high);

// Calls `visit` for each page of the range, with the part of the range that lies in it.
template <typename Visit>
void each_page(std::uintptr_t low, std::uintptr_t high, Visit visit) {
  while (low < high) {
    const std::uintptr_t next = (low & ~(k_marked_page - 1)) + k_marked_page;
    visit(page_mark_of(low), low, next < high ? next : high);
    low = next;
  }
}

} // namespace reex
