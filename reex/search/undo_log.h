// An undo log makes several changes of shared memory atomic with respect to kills. Before a place changes,
// its old value is appended to the log. When all changes are made, the log is emptied. If the process is
// killed in between, the log survives, and the process that recovers the search restores all old values.
//
// Callers: a worker, its zygote, or the parent; freestanding.
//
// Thread safety: one process at a time uses an undo log. Each worker has its own, at the end of its own
// memory. If several workers share a search, a transaction that changes shared data holds the search's lock
// from the first such change until the log is emptied. So no other process has used the values that an undo
// restores.
//
// Invariants: an entry stores a place as its distance to the undo log at the end of the same mapping. So
// another process, with the mapping at another address, can undo.
//
// Cost: a few stores for each save.
#pragma once

#include <atomic>
#include <cstdint>
#include <cstring>

namespace reex {

// The stores before this call are made before those after it, as seen by a process that finds the memory
// after a kill.
inline void in_order() { std::atomic_signal_fence(std::memory_order_seq_cst); }

struct UndoEntry {
  std::int64_t where; // distance << 5 | flags | bytes - 1
  std::uint64_t old;
};

inline constexpr std::uint32_t k_max_undo_entries = 1u << 26;

struct UndoLog {
  std::uint32_t depth; // nesting depth of transactions; 0: nothing is saved
  std::uint32_t count;
  UndoEntry entry[k_max_undo_entries];

  // To be called before `place` changes. It lies in this worker's own memory.
  template <typename T>
  void save(const T& place) {
    save(*this, place);
  }
  // The same for a place in the memory that ends with `home`.
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
  // To be called before 1 is subtracted from a number that other processes may change at the same time.
  void save_decrement(const UndoLog& home, const std::uint32_t& number) {
    note(home, reinterpret_cast<const char*>(&number), k_decremented, 0);
  }

  // Restores what an unfinished transaction has changed. `shared`: the undo log at the end of the memory that
  // several workers share.
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

  // A transaction that has no limit of its own ends here, and the next one goes on: 16 MB. What is released
  // after that, a node with all that it was the last child of, is at most
  // k_max_depth_of_nodes nodes.
  bool is_long() const { return count >= k_long; }

  // What an entry says, for a process that checks each entry before it undoes it.
  static std::int64_t distance_of(const UndoEntry& one) { return one.where >> 5; }
  static bool is_shared(const UndoEntry& one) { return (one.where & k_shared) != 0; }
  static bool is_decrement(const UndoEntry& one) { return (one.where & k_decremented) != 0; }
  static std::int64_t size_of(const UndoEntry& one) { return is_decrement(one) ? 4 : (one.where & 7) + 1; }

  void drop() {
    in_order();
    count = 0;
    depth = 0;
    in_order();
  }

private:
  static constexpr std::uint32_t k_long = 1u << 20;
  static constexpr std::int64_t k_shared = 8;
  static constexpr std::int64_t k_decremented = 16;

  void note(const UndoLog& home, const char* place, std::int64_t bits, std::uint64_t old) {
    if (depth == 0) return;
    if (count == k_max_undo_entries) __builtin_trap(); // callers bound what one transaction changes
    if (&home != this) bits |= k_shared;
    entry[count] = {(place - reinterpret_cast<const char*>(&home)) * 32 + bits, old};
    in_order();
    ++count;
    in_order();
  }
};

// The changes in its scope take effect together. A transaction inside another one is part of it.
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
