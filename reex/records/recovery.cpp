#include "reex/records/recovery.h"

#include "reex/records/checked.h"
#include "reex/records/undo.h"

namespace reex {

namespace {

constexpr Checked k_checked("search");

// The lock of the search, taken in the name of a worker if it is free.
class LockFor {
public:
  LockFor(SharedLock& lock, std::uint32_t worker) : m_lock(lock), m_name(worker + 1) {
    std::uint32_t owner = 0;
    m_taken = m_lock.owner.compare_exchange_strong(owner, m_name);
    if (owner > k_max_workers) k_checked.damaged("its lock belongs to nobody");
  }
  ~LockFor() {
    if (m_taken) release_from(m_lock, m_name - 1);
  }
  LockFor(const LockFor&) = delete;
  LockFor& operator=(const LockFor&) = delete;
  bool is_taken() const { return m_taken; }

private:
  SharedLock& m_lock;
  std::uint32_t m_name;
  bool m_taken = false;
};

// Completes the sorting of a bucket: its order is written down already (Search::write_order).
void complete_sorting(SearchState& state, FrontierStore& store) {
  const std::uint32_t nodes =
      k_checked.at_most(state.nodes_used.load(std::memory_order_relaxed), k_max_nodes, "the number of nodes");
  const std::uint32_t count = k_checked.at_most(fetch(state.sorting), nodes, "the size of a bucket");
  if (count == 0) return;
  const std::uint32_t side = k_checked.at_most(fetch(state.sorted_side), 1, "the side of a bucket");
  const std::uint32_t level = k_checked.at_most(fetch(state.sorted_level), k_max_level - 1, "a level");
  std::uint32_t head = 0;
  for (std::uint32_t i = 0; i < count; ++i) {
    const std::uint32_t node = fetch(store.order[i].node);
    if (node == 0 || node >= nodes) k_checked.damaged("a sorted bucket names no node");
    store.node[node].next = head;
    head = node;
  }
  state.head[side][level] = head;
  in_order();
  state.sorting = 0;
}

} // namespace

void recover_search(ControlBlock& own, ControlBlock& shared, std::uint32_t worker) {
  undo_checked(own, shared);
  release_from(shared.search.seen_lock, worker);
  if (shared.search.lock.owner.load() == worker + 1) complete_sorting(shared.search, shared.frontier);
  release_from(shared.search.lock, worker);
}

bool abandon_search(ControlBlock& shared, std::uint32_t worker) {
  k_checked.at_most(worker, k_max_workers - 1, "the number of a worker");
  SearchState& state = shared.search;
  const LockFor lock(state.lock, worker);
  if (!lock.is_taken()) return false;
  if (!k_checked.flag(state.in_flight[worker].active, "the mark of an execution")) return true;
  if (k_checked.flag(state.in_flight[worker].sample, "the mark of a sample")) {
    const std::uint32_t sampling =
        k_checked.at_most(fetch(state.sampling), k_max_workers, "the number of samples");
    if (sampling == 0) k_checked.damaged("a sample is not counted");
    state.in_flight[worker].active = false;
    state.sampling = sampling - 1;
    if (fetch(state.teacher) == worker + 1) state.teacher = 0;
    return true;
  }
  const std::uint32_t running =
      k_checked.at_most(fetch(state.running), k_max_workers, "the number of executions");
  if (running == 0) k_checked.damaged("an execution is not counted");
  state.in_flight[worker].active = false;
  state.running = running - 1;
  state.overflow = true;
  return true;
}

} // namespace reex
