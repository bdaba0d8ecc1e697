// The shadow memory of the race detector (race.h): a cell of access records for every eight bytes of the
// test's memory, and a mark for every page. The mark says whether the page's cells need to be read at all.
//
// Callers: the running fiber; prepare_shadow_memory, a new worker before its first execution.
//
// Invariants: cells and marks lie outside every snapshot and name their execution, so a restore does not
// change them and nothing is cleared between executions: those of earlier executions are out of date. A new
// worker maps new ones. g_execution rises with each execution of a worker, up to k_last_execution.
//
// Cost: address space, of which the kernel fills only the pages that are used.
#pragma once

#include <cstddef>
#include <cstdint>

#include "reex/runtime/core/runtime.h"
#include "reex/runtime/order/annotated.h"
#include "reex/runtime/order/happens_before.h"

namespace reex {

extern std::uint32_t g_execution; // number of the execution in this worker, from 1
inline constexpr std::uint32_t k_last_execution = (1u << 30) - 1; // the last that an access record can store

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

// How large the accesses of a record are, if they are of 1, 2 or 4 bytes at a multiple of that: 1 to 3. 0: as
// large as they have bytes.
inline constexpr unsigned k_size_shift = 32;
inline std::uint64_t size_bits(std::uintptr_t at, std::size_t size) {
  const std::uint64_t code = size == 4 ? 3 : size <= 2 ? size : 0;
  return (at & (size - 1)) == 0 ? code << k_size_shift : 0; // sizes that have a code are powers of two
}

// An access, or several of one instruction at the same clock, which differ in their bytes alone: the record
// of a loop over characters. Such a record loses its parts one by one. One without bytes is empty.
struct AccessRecord {
  std::uint64_t
      where;          // pc << 17 | low bits of the slot << 8 | bytes of the granule; in a link: the next cell
  std::uint64_t when; // execution << 34 | size << 32 | clock << 8 | the high bit of the slot << 7 | flags

  bool is_of(std::uint32_t execution) const { return when >> 34 == execution; }
  bool is_current() const { return is_of(g_execution); }
  std::uint32_t clock() const { return static_cast<std::uint32_t>(when) >> 8; }
  unsigned slot() const {
    return (static_cast<unsigned>(where >> 8) & 0x1ff) | (static_cast<unsigned>(when >> 7) & 1) << 9;
  }
  unsigned bytes() const { return static_cast<unsigned>(where) & 0xff; }
  std::uint64_t pc() const { return where >> 17; }
  unsigned thread() const { return thread_at(slot(), clock()); } // its number
  unsigned size_code() const { return static_cast<unsigned>(when >> k_size_shift) & 3; }
  unsigned size() const {
    return size_code() == 0 ? static_cast<unsigned>(__builtin_popcount(bytes())) : 1u << (size_code() - 1);
  }
  bool may_have_parts() const { return size_code() != 0; }
  // Whether the bytes of this one are whole parts of the other one, as far as they are of it.
  bool has_whole_parts_of(const AccessRecord& other) const {
    return other.may_have_parts() && other.size_code() <= size_code();
  }
  // Whether the other one is of the same instruction at the same clock, and as large.
  bool is_like(const AccessRecord& other) const {
    return when == other.when && (where ^ other.where) >> 8 == 0;
  }
  bool has_bytes_of(const AccessRecord& other) const { return (other.where & ~where & 0xff) == 0; }
  // is_like and has_bytes_of, with one branch.
  bool contains(const AccessRecord& other) const {
    return (((where ^ other.where) & (other.where | ~std::uint64_t{0xff})) | (when ^ other.when)) == 0;
  }
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
extern std::uint64_t g_record_when;   // execution << 34 | clock << 8 | high bit of the slot << 7
inline void stamp_records() {
  const std::uint64_t slot = g.current->slot;
  g_record_thread = (slot & 0x1ff) << 8;
  g_record_when = static_cast<std::uint64_t>(g_execution) << 34 |
                  static_cast<std::uint64_t>(g_clocks[slot][slot]) << 8 | slot >> 9 << 7;
}
inline AccessRecord record_of(const void* pc, unsigned bytes, std::uint64_t flags) {
  return {reinterpret_cast<std::uint64_t>(pc) << 17 | g_record_thread | bytes, g_record_when | flags};
}

// The thread that has freed this address; -1: none.
int freeing_thread(std::uintptr_t address);
// Whether a part of these pages may have been freed. One look-up for each page.
bool may_be_freed(std::uintptr_t low, std::uintptr_t high);

// The usual case of an access, in a few instructions: the running fiber alone has accessed the word, with
// plain accesses of the same bytes, such as a variable on its stack. There are at most a write and a read
// after it, with which nothing can race; the access takes the place of the one that it covers (race.h, rule
// 1). Not to be called in a signal handler (rule 7). False: it is another case, and nothing is done.
[[gnu::always_inline]] inline bool renews(AccessRecord* record, const AccessRecord& now, bool write) {
  constexpr std::uint64_t k_slot_and_bytes = 0x1ffff;              // of `where`
  constexpr std::uint64_t k_clock_and_kind = 0xffffff00 | k_write; // of `when`
  const auto is_alike = [&now](const AccessRecord& other) {
    return (((other.where ^ now.where) & k_slot_and_bytes) | ((other.when ^ now.when) & ~k_clock_and_kind)) ==
           0;
  };
  if (!is_alike(record[0])) return false;
  const bool second = record[1].is_current();
  if (second && (!is_alike(record[1]) || record[2].is_current())) return false;
  if (write || (record[0].when & k_write) == 0)
    record[0] = now;
  else if (!second || (record[1].when & k_write) == 0)
    record[1] = now;
  else
    return false;
  return true;
}

// Whether the access needs no further work: a record of its word has it. It was compared with the records
// that were there then, and those that came later with it. Or it takes the place of such a record. Or no
// records are made, and the memory is not freed. An access that goes beyond its word is never found to be
// settled.
[[gnu::always_inline]] inline bool settle(const void* address, std::size_t size, bool write, const void* pc) {
  const auto at = reinterpret_cast<std::uintptr_t>(address);
  const unsigned in_granule = at % k_granule;
  if (in_granule + size > k_granule) return false;
  if (!g_ordering) [[unlikely]]
    return freeing_thread(at) < 0;
  const AccessRecord now =
      record_of(pc, ((1u << size) - 1) << in_granule, (write ? k_write : 0) | size_bits(at, size));
  AccessRecord* record = shadow_of(at).record;
  if (record[0].contains(now) || record[1].contains(now))
    return true; // a read and a write, more often than not
  return !accesses_are_ignored() && g.current->interrupted == nullptr && renews(record, now, write);
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
