// The search: which schedule to execute next, and what an execution teaches. Systematic search keeps a
// frontier of schedules, each a prefix of choices; a schedule is executed to its end, and every alternative
// met beyond its prefix joins the frontier (dissertation, Figure 2.2 stateless, and Figure 4.2 for the
// change-aware order).
//
// Order: CAPP iterations first (toExplore, then nextToExplore), preemptions second (iterative context
// bounding, Musuvathi and Qadeer, PLDI 2007), depth-first in default order third: of two schedules the one
// comes first that has the smaller rank at the first choice point where they differ. Rank 0 is the current
// thread if it is enabled, then ascending thread ids. Strategy dfs leaves the preemptions out of the order.
// A seed other than 0 makes the third part of the order random (dissertation, section 4.3.6): the order of
// threads that cost the same at a choice, and of the schedules in a bucket.
// Strategies that sample (search/sampling.h) have no frontier.
//
// Freestanding: no allocation, no system calls, no library; all state lives in memory the caller gives, which
// is shared, so that the search outlives a worker, and several may work at it. Called on the controller's
// stack (next, commit) or at a choice point of a running execution (choose). Cost of choose: O(enabled
// threads).
//
// A search can be one of several shards (shard.cpp).
//
// A process may be killed anywhere: what next and commit do is done as a whole or not at all (undo_log.h),
// and choose orders its stores so that a node may get lost, which is a matter of memory, but is never in use
// twice.
#pragma once

#include <cstdint>

#include "heuristics/match_bits.h"
#include "reex/search/estimate.h"
#include "reex/search/lock.h"
#include "reex/search/sampling_state.h"
#include "reex/search/seen.h"
#include "reex/search/strategy.h"
#include "reex/search/undo_log.h"

namespace reex {

inline constexpr std::uint32_t k_no_bound = 0xffffffff;
inline constexpr std::uint32_t k_max_decisions = 1u << 20;
inline constexpr std::uint32_t k_max_nodes = 1u << 28;
inline constexpr std::uint32_t k_max_fresh = 1u << 24;
inline constexpr std::uint32_t k_max_level = 1u << 16; // preemptions told apart by the order
inline constexpr unsigned k_max_candidates = 256;
inline constexpr unsigned k_max_workers = 64;

// Whether equivalent schedules are cut short (seen.h). automatic: where nothing that threads tell each other
// can have been missed.
enum class Reduction : std::uint8_t { none, automatic, happens_before };

struct SearchConfig {
  SearchStrategy strategy = SearchStrategy::icb;
  Reduction reduction = Reduction::none;
  PrioritizationMode mode = PrioritizationMode::basic;
  std::uint8_t mask = 0;
  std::uint32_t bound = k_no_bound;
  std::uint64_t seed = 0;
  std::uint32_t depth = 3;                       // of PCT, 1 to k_max_depth
  Interesting interesting = Interesting::shared; // of SURW
  // This search is one of `shards`, which divide the schedules among them without talking: `shard` from 0.
  std::uint32_t shard = 0;
  std::uint32_t shards = 1;
};

enum class ChoiceKind : std::uint8_t { run, wake, option };

// A choice that is not of rank 0.
struct Choice {
  std::uint32_t point; // ordinal of the choice among those with two or more candidates, from 0
  std::uint32_t step;  // visible operations executed before it
  std::uint16_t thread;
  std::uint8_t rank;
  ChoiceKind kind;
};

// One schedule of the frontier, or a choice on the way to some: its last choice of nonzero rank, linked to
// the one before. Reference-counted by its children, so memory is bounded by the frontier.
struct Node {
  std::uint32_t parent; // 0: none
  std::uint32_t next;   // in its bucket, or in the free list
  std::uint32_t point;
  std::uint32_t step;
  std::uint32_t references;
  std::uint32_t hash; // of the execution up to here, to see that the prefix came again
  std::uint16_t preemptions;
  std::uint16_t depth; // nodes to the root
  std::uint16_t thread;
  std::uint8_t rank;
  ChoiceKind kind : 4;
  std::uint8_t execution_depth : 4; // of its execution (shard.cpp)
  StateKey taken;                   // its last step, where it stands in the table of what was seen
  StateKey reached;                 // the state that this leads to, where that is known
};

struct FrontierStore {
  std::uint32_t fresh[k_max_fresh]; // alternatives of the running execution: node, high bit: next iteration
  std::uint32_t order[k_max_nodes]; // scratch for sorting a bucket
  Node node[k_max_nodes];           // node 0 is not used
  SeenStore seen;
  UndoLog undo_log; // at the end of all that is shared
};

// The execution under way, in shared memory so that it can be ended by another process when its worker dies.
struct RunningExecution {
  std::uint32_t plan_count = 0;     // choices fixed beforehand, at the head of the decisions
  std::uint32_t plan_hash = 0;      // what the execution must have done before the last of them
  std::uint32_t decision_count = 0; // choices of nonzero rank taken so far
  std::uint32_t point = 0;          // choices met
  std::uint32_t preemptions = 0;
  std::uint32_t tail = 0; // node of the last nonzero choice
  std::uint32_t fresh_count = 0;
  bool tail_is_own = false; // the tail was made by this execution, which holds a reference
  bool learning = false;
  bool check_hash = false;
  PathShare path;
  std::uint32_t execution = 0; // its number, from 1
};

// What each of the workers that share a search has of its own.
struct SearchWorker {
  RunningExecution run;
  SamplingState sampling;
  std::uint32_t index = 0;     // among the workers
  std::uint32_t workers = 1;   // how many there are
  std::uint32_t round = 0;     // of the search that it knows
  std::uint32_t free_list = 0; // nodes
  std::uint32_t unused = 0;    // nodes never used: from here to unused_end
  std::uint32_t unused_end = 0;
  std::atomic<std::uint32_t> waiting; // for what others are at
};

// What a worker is at.
struct InFlight {
  std::uint32_t node; // 0: the root
  bool active;
};

// Where an execution stands in the order of exploration, told so that it compares with those of other shards:
// with its choices up to `planned`.
struct SchedulePosition {
  std::uint32_t iteration;
  std::uint32_t level;
  std::uint32_t planned;  // choices that make it
  std::uint64_t shuffled; // under a seed
  std::uint64_t sample;   // its number, of a sample
};

// The schedules that come before one that was executed are all that is still to be explored, because it
// failed, or because the next round begins with what it has found.
struct SearchLimit {
  bool set = false;
  bool ends_round = false;
  std::uint32_t worker = 0;
  std::uint32_t phase = 0;
  std::uint32_t node = 0;
  std::uint64_t sample = 0;
};

struct SearchState {
  SharedLock lock;
  SharedLock seen_lock;
  bool started = false;
  bool bound_pruned = false; // some alternative lies beyond the bound
  bool overflow = false;     // the frontier was full: alternatives were lost
  std::uint32_t iteration = 0;
  std::uint32_t level = 0;               // preemptions being explored
  std::uint32_t phase = 0;               // counts levels, over all iterations
  std::uint32_t round = 0;               // counts rounds
  std::atomic<std::uint32_t> nodes_used; // high-water mark
  std::uint32_t retained = 0;            // nodes executed in this phase, where workers compare their order
  std::uint64_t pending = 0;             // schedules in the frontier
  std::uint32_t running = 0;             // executions
  InFlight in_flight[k_max_workers];
  SearchLimit limit;
  bool dropped = false;                // the limit has dropped schedules
  std::uint32_t least_dropped = 0;     // fewest preemptions of these
  std::uint64_t finished = 0;          // executions, those cut short left out
  std::uint32_t most_preemptions = 0;  // of any schedule executed
  std::uint32_t top_level[2] = {0, 0}; // highest level in use
  std::uint32_t sorting = 0;           // schedules of the bucket below whose order is being written
  std::uint32_t sorted_side = 0;
  std::uint32_t sorted_level = 0;
  std::uint32_t executions = 0; // begun
  SeenState seen;
  EstimateState estimate;
  std::uint32_t current = 0; // which of the two heads is toExplore
  std::uint32_t head[2][k_max_level];
};

// What a thread would do next, as the reduction sees it.
struct Step {
  StateKey taken;   // out of which state, by which thread
  StateKey reached; // the state it leads to; nothing: that cannot be told before
};

// What stands before the search at one choice.
struct Candidates {
  ChoiceKind kind;
  unsigned count;              // two or more
  const std::uint16_t* thread; // in rank order
  const std::uint8_t* bits;    // match bits; may be null when the mode is basic
  bool current_first;          // thread[0] ran last and is enabled
  bool leaving_is_free;        // going to another thread is no preemption
  std::uint32_t step;
  std::uint32_t hash;            // of the execution so far
  const Event* events = nullptr; // pending, of each thread; where Search::wants_events()
  const Step* steps = nullptr;   // of each thread; null: what is equivalent is not cut
};

class Search {
public:
  // State and store are what the workers share; of `own_store` the worker uses what is of no use to others.
  // `decisions` receives every choice of nonzero rank and is k_max_decisions long.
  Search(const SearchConfig& config, SearchState& state, FrontierStore& store, SearchWorker& own,
         FrontierStore& own_store, Choice* decisions)
      : m_config(config), m_state(state), m_own(own), m_run(own.run), m_store(store),
        m_undo_log(own_store.undo_log), m_fresh(own_store.fresh), m_decisions(decisions),
        m_sampler(row_of(config.strategy).sampler) {}

  enum class Next : std::uint8_t {
    schedule,   // it is fixed, and choose() readied for it
    wait,       // others may find more: ask again
    nothing,    // is left within the bound
    limit,      // so many executions were asked for
    outdated,   // the search began anew, with other choice points
    round_over, // it is to begin anew
  };
  Next next(std::uint64_t max_schedules = 0); // 0: no limit

  // Readies the schedule of the last next() once more: the execution was thrown away.
  void again();

  // Executes the first `count` choices that stand in the decisions and rank 0 elsewhere; nothing is learned.
  void replay(std::uint32_t count);

  // Whoever was at work was killed: its last change is taken back, or completed, and what it had locked is
  // given back. Before anything else is called.
  void recover();
  // In a replay, before choose(): the choice behind those planned so far is this one.
  void plan_next(const Candidates& candidates, unsigned rank);

  // Begins anew, with the same executions counted: the choice points are no longer those that the frontier
  // was made for. Between executions, after commit(), under lock(). False: the strategy has no frontier and
  // goes on.
  bool start_over();
  SharedLock& lock() { return m_state.lock; }

  // The rank to take. k_diverged: the choice the schedule asks for is not there.
  static constexpr unsigned k_diverged = ~0u;
  // Whatever could follow here is explored elsewhere, at no greater cost: the execution may end.
  static constexpr unsigned k_pruned = ~1u;
  unsigned choose(const Candidates& candidates);

  // Whether the strategy is to be told what follows; then all of it, whether there was a choice or not.
  bool wants_events() const;
  void executed(const Event& event);
  void gave_way(std::uint16_t thread); // it yields, sleeps, or begins to spin
  void created(std::uint16_t parent, std::uint16_t child);

  // The execution is at a state: `leaving_costs` says whether another thread can follow only at the price of
  // a preemption.
  void reached(StateKey state, bool leaving_costs);
  // At a switch to a thread without a choice, where choose() would return k_pruned.
  bool is_known(StateKey taken);
  // Its schedule lies behind the execution under way, which explores.
  bool is_beyond_plan() const { return learning() && m_run.decision_count >= m_run.plan_count; }

  // The execution ended: its alternatives join the frontier. `counted`: it came to an end of its own.
  void commit(bool counted);

  // Before commit(), under lock(): only what comes before this execution is still of interest; `ends_round`:
  // then next() says round_over. False: another limit comes first, or the round is over already.
  bool limit_to_this(bool ends_round);
  bool is_outdated() const { return m_own.round != m_state.round; } // under lock()
  bool is_systematic() const { return m_sampler == nullptr; }

  // The worker is gone for good, perhaps in the middle of an execution, which is lost.
  void abandon();

  // Of the execution under way. False: all shards make it, and another one counts it.
  bool counts() const;
  SchedulePosition position() const;

  std::uint32_t preemptions() const { return m_run.preemptions; }
  std::uint32_t decision_count() const { return m_run.decision_count; }

  // The execution under way extends the search; it is no replay.
  bool learning() const { return m_run.learning && m_sampler == nullptr; }

  // Whether every choice of a replay was met.
  bool plan_done() const { return m_run.decision_count >= m_run.plan_count; }

  // The highest number of preemptions explored in full, -1 if none.
  std::int64_t bound_completed() const;
  // No schedule is left at any bound.
  bool exhausted() const;

private:
  static constexpr std::uint32_t k_next_iteration = 0x80000000; // of a fresh alternative

  unsigned planned(const Candidates& candidates);
  unsigned expand(const Candidates& candidates);
  LookUp look_up(StateKey key, std::uint32_t node, std::uint32_t preemptions, std::uint32_t level);
  bool is_earlier(const SeenEntry& other, std::uint32_t node, std::uint32_t level) const;
  const SeenEntry* find(StateKey key) const;
  bool is_within_bound(const Step& step);
  bool is_dominated(std::uint32_t node);
  void count_known(const Candidates& candidates, unsigned rank);
  bool join(std::uint32_t node, const Step& step, bool next_iteration);
  unsigned take_next(const Candidates& candidates, const bool* keep, std::uint16_t* ranks, unsigned& count);
  bool is_superseded(std::uint32_t node);
  StateKey key_of(StateKey key, bool next_iteration) const;
  void order(const Candidates& candidates, unsigned count, std::uint16_t* ranks) const;
  unsigned sample(const Candidates& candidates);
  void begin_sample();
  void end_sample();
  std::uint32_t cost(const Candidates& candidates, unsigned rank) const;
  void take(const Candidates& candidates, unsigned rank, bool is_planned);
  std::uint32_t make_node(const Candidates& candidates, unsigned rank);
  std::uint32_t unused_node();
  std::uint32_t lowest_left();
  void begin(std::uint32_t node);
  template <typename T>
  void save(const T& place);
  void save_progress();
  bool advance_level();
  void end_phase();
  bool comes_before_limit(std::uint32_t node) const;
  void release(std::uint32_t node);
  void retire(std::uint32_t node);
  void ready(std::uint32_t node);
  void link(std::uint32_t node, bool next_iteration);
  std::uint32_t level_of(std::uint32_t preemptions) const;
  void sort_bucket(std::uint32_t side, std::uint32_t level);
  void write_order();
  void drop_fresh();
  bool before(std::uint32_t a, std::uint32_t b) const;
  std::uint32_t cut() const;
  std::uint32_t execution_depth() const;
  bool is_ours(const Candidates& candidates, unsigned rank) const;
  std::uint64_t shuffled(const Node& node) const;

  const SearchConfig& m_config;
  SearchState& m_state;
  SearchWorker& m_own;
  RunningExecution& m_run;
  FrontierStore& m_store;
  UndoLog& m_undo_log;
  std::uint32_t* m_fresh;
  Choice* m_decisions;
  const Sampler* m_sampler; // null: exhaustive
};

// Before the place changes: it is the worker's own, or shared, as the nearest undo log behind it says.
template <typename T>
void Search::save(const T& place) {
  const auto* at = reinterpret_cast<const char*>(&place);
  const auto* own = reinterpret_cast<const char*>(&m_undo_log);
  const auto* shared = reinterpret_cast<const char*>(&m_store.undo_log);
  m_undo_log.save(at < shared && (own < at || shared < own) ? m_store.undo_log : m_undo_log, place);
}

} // namespace reex
