// What makes several changes of shared memory one: before a place is changed, what stood there is written
// down, and when all changes are made the list is dropped. A process that was killed in between leaves the
// list behind, and whoever comes next puts everything back.
//
// Each worker has an undo log, at the end of its own memory. Where several share a search, a transaction that
// changes what is shared has the search's lock from then on until the list is dropped, so that nobody else
// has built on what is put back.
//
// Freestanding; one process at a time. Places are remembered by their distance to the undo log at the end of
// the same mapping, so another process may undo. Cost of keep: a few stores.
#pragma once

#include <atomic>
#include <cstdint>
#include <cstring>

namespace reex {

// Stores before it are made before those behind it, for whoever finds the memory after a kill.
inline void in_order() { std::atomic_signal_fence(std::memory_order_seq_cst); }

struct UndoEntry {
  std::int64_t where; // distance << 5 | kind bits | bytes - 1
  std::uint64_t old;
};

inline constexpr std::uint32_t k_max_undo_entries = 1u << 26;

struct UndoLog {
  std::uint32_t depth; // transactions begun inside one another; 0: nothing is written down
  std::uint32_t count;
  UndoEntry entry[k_max_undo_entries];

  // Before `place`, which lies in this worker's memory, changes.
  template <typename T>
  void save(const T& place) {
    save(*this, place);
  }
  // The same of a place in the memory that `home` is at the end of.
  template <typename T>
  void save(const UndoLog& home, const T& place) {
    const auto* bytes = reinterpret_cast<const char*>(&place);
    for (std::size_t at = 0; at < sizeof(T); at += 8) {
      const std::size_t size = sizeof(T) - at < 8 ? sizeof(T) - at : 8;
      std::uint64_t old = 0;
      std::memcpy(&old, bytes + at, size);
      note(home, bytes + at, static_cast<std::int64_t>(size - 1), old);
    }
  }
  // Before one is taken from a number that others change at the same time.
  void save_decrement(const UndoLog& home, const std::uint32_t& number) {
    note(home, reinterpret_cast<const char*>(&number), k_decremented, 0);
  }

  // Puts back what a transaction changed that did not come to its end. `shared`: the undo log at the end of
  // the memory that several workers share.
  void undo(UndoLog& shared) {
    for (std::uint32_t i = count; i-- > 0;) {
      UndoLog& home = (entry[i].where & k_shared) != 0 ? shared : *this;
      char* place = reinterpret_cast<char*>(&home) + (entry[i].where >> 5);
      if ((entry[i].where & k_decremented) != 0)
        __atomic_fetch_add(reinterpret_cast<std::uint32_t*>(place), 1, __ATOMIC_RELAXED);
      else
        std::memcpy(place, &entry[i].old, static_cast<std::size_t>(entry[i].where & 7) + 1);
    }
    drop();
  }

  void drop() {
    in_order();
    count = 0;
    depth = 0;
    in_order();
  }

private:
  static constexpr std::int64_t k_shared = 8;
  static constexpr std::int64_t k_decremented = 16;

  void note(const UndoLog& home, const char* place, std::int64_t bits, std::uint64_t old) {
    if (depth == 0) return;
    if (&home != this) bits |= k_shared;
    entry[count] = {(place - reinterpret_cast<const char*>(&home)) * 32 + bits, old};
    in_order();
    ++count;
    in_order();
  }
};

// The changes in its scope are one. Inside another it is part of that.
class Transaction {
public:
  explicit Transaction(UndoLog& undo_log) : m_undo_log(undo_log) { ++m_undo_log.depth; }
  ~Transaction() {
    if (m_undo_log.depth == 1)
      m_undo_log.drop();
    else
      --m_undo_log.depth;
  }
  Transaction(const Transaction&) = delete;
  Transaction& operator=(const Transaction&) = delete;

private:
  UndoLog& m_undo_log;
};

} // namespace reex
