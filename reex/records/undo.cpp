#include "reex/records/undo.h"

#include <cstring>

#include "reex/records/checked.h"

namespace reex {

namespace {

constexpr Checked k_checked("undo log");
// A transaction that is long ends, but for a chain of nodes (UndoLog::is_long): a good deal fewer.
constexpr std::uint32_t k_most_entries = 1u << 24;
static_assert(k_most_entries <= k_max_undo_entries);

// Where the entry's bytes lie; throws if they are not the test process's to write.
char* place_of(const UndoEntry& entry, ControlBlock& block) {
  char* const home = reinterpret_cast<char*>(&block.frontier.undo_log);
  char* const first = reinterpret_cast<char*>(&block.status);
  const std::int64_t distance = UndoLog::distance_of(entry);
  if (distance >= 0 || distance < first - home || distance + UndoLog::size_of(entry) > 0)
    k_checked.damaged("an entry lies outside of what may be undone");
  if (UndoLog::is_decrement(entry) && (home + distance - first) % alignof(std::uint32_t) != 0)
    k_checked.damaged("a number lies across its place");
  return home + distance;
}

} // namespace

void undo_checked(ControlBlock& own, ControlBlock& shared) {
  UndoLog& log = own.frontier.undo_log;
  const std::uint32_t count = k_checked.at_most(fetch(log.count), k_most_entries, "the number of entries");
  // Latest first: where the count is wrong, the first one is empty.
  const auto each = [&](const auto& visit) {
    for (std::uint32_t i = count; i-- > 0;) {
      const UndoEntry entry = fetch(log.entry[i]);
      visit(entry, place_of(entry, UndoLog::is_shared(entry) ? shared : own));
    }
  };
  each([](const UndoEntry&, const char*) {}); // nothing is undone if an entry is damaged
  each([](const UndoEntry& entry, char* place) {
    if (UndoLog::is_decrement(entry))
      __atomic_fetch_add(reinterpret_cast<std::uint32_t*>(place), 1, __ATOMIC_RELAXED);
    else
      std::memcpy(place, &entry.old, static_cast<std::size_t>(UndoLog::size_of(entry)));
  });
  log.drop();
}

} // namespace reex
