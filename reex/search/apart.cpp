#include "reex/search/apart.h"

#include <algorithm>

#include "reex/search/search.h"

namespace reex {
namespace {

// So many alternatives of the first execution cost more than a new beginning.
constexpr std::uint32_t k_worth_a_beginning = 8;

template <typename T>
T load(const T& place) {
  return __atomic_load_n(&place, __ATOMIC_SEQ_CST);
}

} // namespace

void Search::depend(std::uint32_t thread, std::uint64_t others) {
  ApartState& apart = m_state.apart;
  if (load(apart.one)) return;
  if (thread >= k_apart_threads) return depend_on_all();
  others &= ~thread_bit(thread);
  const auto all_know = [&] {
    for (std::uint64_t left = others; left != 0; left &= left - 1)
      if ((load(apart.part[__builtin_ctzll(left)]) & thread_bit(thread)) == 0) return false;
    return true;
  };
  if ((others & ~load(apart.part[thread])) == 0 && all_know()) return;
  std::uint64_t whole = thread_bit(thread) | others;
  for (std::uint64_t before = 0; before != whole;) {
    before = whole;
    for (std::uint64_t left = before; left != 0; left &= left - 1)
      whole |= load(apart.part[__builtin_ctzll(left)]);
  }
  for (std::uint64_t left = whole; left != 0; left &= left - 1) {
    const int each = __builtin_ctzll(left);
    __atomic_fetch_or(&apart.part[each], whole & ~thread_bit(static_cast<std::uint32_t>(each)),
                      __ATOMIC_SEQ_CST);
  }
  if (load(apart.left_out) != 0) __atomic_store_n(&apart.starts_over, true, __ATOMIC_SEQ_CST);
}

void Search::depend_on_all() {
  ApartState& apart = m_state.apart;
  if (load(apart.one)) return;
  __atomic_store_n(&apart.one, true, __ATOMIC_SEQ_CST);
  if (load(apart.left_out) != 0) __atomic_store_n(&apart.starts_over, true, __ATOMIC_SEQ_CST);
}

// The threads that are alternatives at this choice: the part of the thread of rank 0, and what it takes in.
std::uint64_t Search::part_at(const Candidates& candidates) const {
  const ApartState& apart = m_state.apart;
  const std::uint32_t whole = load(apart.whole);
  const bool applies =
      candidates.kind == ChoiceKind::run && candidates.joins != nullptr && m_config.shards == 1;
  if (!applies || load(apart.one) || candidates.thread[0] >= whole) return ~std::uint64_t{0};
  std::uint64_t part = thread_bit(candidates.thread[0]);
  for (std::uint64_t before = 0; before != part;) {
    before = part;
    for (std::uint64_t left = before; left != 0; left &= left - 1) {
      const auto each = static_cast<std::uint32_t>(__builtin_ctzll(left));
      part |= load(apart.part[each]);
      part |= each < m_run.threads ? candidates.joins[each] : thread_bit(0);
    }
  }
  return whole < k_apart_threads ? part | ~std::uint64_t{0} << whole : part;
}

bool Search::is_in(std::uint64_t part, const Candidates& candidates, unsigned rank) const {
  const std::uint32_t thread = candidates.thread[rank];
  return thread >= k_apart_threads || (part & thread_bit(thread)) != 0;
}

// The same, if something is to be left out because of it. That is counted before the last look at the parts:
// who joins two of them meanwhile sees the count.
std::uint64_t Search::part_to_explore(const Candidates& candidates) {
  const std::uint64_t part = part_at(candidates);
  unsigned rank = 1;
  while (rank < candidates.count && is_in(part, candidates, rank)) ++rank;
  if (rank == candidates.count) return part;
  __atomic_fetch_add(&m_state.apart.left_out, 1, __ATOMIC_SEQ_CST);
  return part_at(candidates);
}

// Removes the ranks that are not in the part, and returns how many remain. There may be some at every choice,
// so the audit draws fewer of them.
unsigned Search::without_apart(const Candidates& candidates, std::uint64_t part, std::uint16_t* ranks,
                               unsigned count) {
  unsigned kept = 0;
  for (unsigned i = 0; i < count; ++i) {
    const std::uint16_t rank = ranks[i];
    if (is_in(part, candidates, rank)) {
      ranks[kept++] = rank;
    } else {
      count_known(candidates, rank);
      leave_out(candidates, rank, std::uint64_t{m_config.audit} * m_config.audit);
    }
  }
  return kept;
}

// The execution under way has shown all of its threads.
void Search::learn_whole() {
  ApartState& apart = m_state.apart;
  const std::uint32_t threads = std::min(m_run.threads, k_apart_threads);
  if (threads <= load(apart.whole)) return;
  __atomic_store_n(&apart.whole, threads, __ATOMIC_SEQ_CST);
  if (load(apart.one) || m_config.shards != 1) return;
  std::uint32_t needless = 0;
  for (std::uint32_t i = 0; i < m_run.fresh_count; ++i) {
    const Node& node = m_store.node[m_fresh[i] & k_node_bits];
    needless += node.instead_of < threads && node.thread < threads && node.thread != node.instead_of &&
                (load(apart.part[node.thread]) & thread_bit(node.instead_of)) == 0;
  }
  if (needless >= k_worth_a_beginning) __atomic_store_n(&apart.starts_over, true, __ATOMIC_SEQ_CST);
}

// The search is to start over, as when the reduction is refuted.
void Search::end_round_if_grown() {
  if (!m_state.apart.starts_over || m_state.limit.ends_round || m_state.dropped) return;
  save(m_state.dropped);
  save(m_state.least_dropped);
  save(m_state.limit);
  m_state.dropped = true;
  m_state.least_dropped = 0;
  if (!is_limited())
    m_state.limit = {
        .set = true, .ends_round = true, .starts_over = true, .worker = m_own.index, .phase = m_state.phase};
}

} // namespace reex
