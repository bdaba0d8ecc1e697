// What makes several changes of shared memory one: before a place is changed, what stood there is written
// down, and when all changes are made the list is dropped. A process that was killed in between leaves the
// list behind, and whoever comes next puts everything back.
//
// Freestanding; one process at a time. Places are remembered by their distance to the journal, which lies in
// the same mapping, so another process may undo. Cost of keep: a few stores.
#pragma once

#include <atomic>
#include <cstdint>
#include <cstring>

namespace reex {

struct JournalEntry {
  std::int64_t where; // distance << 4 | bytes
  std::uint64_t old;
};

inline constexpr std::uint32_t k_max_journal = 1u << 26;

struct Journal {
  std::uint32_t depth; // transactions begun inside one another; 0: nothing is written down
  std::uint32_t count;
  JournalEntry entry[k_max_journal];

  // Before `place` changes.
  template <typename T>
  void keep(const T& place) {
    const auto* bytes = reinterpret_cast<const char*>(&place);
    for (std::size_t at = 0; at < sizeof(T); at += 8)
      keep_word(bytes + at, sizeof(T) - at < 8 ? sizeof(T) - at : 8);
  }

  // Puts back what a transaction changed that did not come to its end.
  void undo() {
    for (std::uint32_t i = count; i-- > 0;)
      std::memcpy(reinterpret_cast<char*>(this) + (entry[i].where >> 4), &entry[i].old,
                  static_cast<std::size_t>(entry[i].where & 15));
    drop();
  }

  void drop() {
    std::atomic_signal_fence(std::memory_order_seq_cst);
    count = 0;
    depth = 0;
    std::atomic_signal_fence(std::memory_order_seq_cst);
  }

private:
  void keep_word(const char* place, std::size_t size) {
    if (depth == 0) return;
    JournalEntry& next = entry[count];
    next.where = (place - reinterpret_cast<const char*>(this)) * 16 + static_cast<std::int64_t>(size);
    std::memcpy(&next.old, place, size);
    std::atomic_signal_fence(std::memory_order_seq_cst);
    ++count;
    std::atomic_signal_fence(std::memory_order_seq_cst);
  }
};

// The changes in its scope are one. Inside another it is part of that.
class Transaction {
public:
  // Not `kept`: the changes are made as they come.
  Transaction(Journal& journal, bool kept) : m_journal(journal), m_kept(kept) { m_journal.depth += kept; }
  ~Transaction() {
    if (!m_kept) return;
    if (m_journal.depth == 1)
      m_journal.drop();
    else
      --m_journal.depth;
  }
  Transaction(const Transaction&) = delete;
  Transaction& operator=(const Transaction&) = delete;

private:
  Journal& m_journal;
  const bool m_kept;
};

} // namespace reex
