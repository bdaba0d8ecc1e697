// The search: it decides which schedule is executed next, and it learns from each execution. Systematic
// search has a frontier of schedules. Each is a prefix of choices. A schedule is executed to its end, and
// every alternative that the execution finds beyond its prefix joins the frontier.
//
// The order of exploration:
// 1. CAPP iterations: toExplore first, then nextToExplore.
// 2. Preemptions: schedules with fewer preemptions first. Strategy dfs leaves this rule out.
// 3. Depth first, in default order. Two schedules are compared at the first choice point where they differ:
//    the one with the smaller rank there comes first. Rank 0 is the current thread if it is enabled; the
//    others follow by ascending thread id. A seed other than 0 makes two orders random: that of threads that
//    cost the same at a choice, and that of the schedules in a bucket.
//
// Strategies that sample (sampling.h) have no frontier. A search can be one of several shards (shard.cpp).
//
// Callers: next and commit, the controller; choose, a fiber at a choice point of a running execution;
// recover, the zygote for a dead worker and the parent for a run that it continues; abandon, the parent.
// Freestanding: no allocation, no system calls, no library.
//
// Thread safety: all state lies in memory that the caller provides. This memory is shared, so the search
// outlives a worker, and several processes may work with one search. Shared structures change only under
// lock() or under the lock of the table of seen steps. next, again, commit and abandon take lock()
// themselves; a comment says where the caller must hold it.
//
// Invariants: a process may be killed anywhere. next and commit take effect as a whole or not at all
// (undo_log.h). choose orders its stores so that a kill may lose a node, which only wastes memory, but never
// leaves a node in use twice.
//
// Cost: choose takes O(enabled threads).
//
// Source: dissertation, Figure 2.2 (stateless search), Figure 4.2 (change-aware order), section 4.3.6 (random
// order); iterative context bounding: Musuvathi and Qadeer, PLDI 2007.
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
inline constexpr std::uint32_t k_max_level = 1u << 16; // preemptions that the order distinguishes
inline constexpr unsigned k_max_candidates = 256;
inline constexpr unsigned k_max_workers = 64;

// Whether equivalent schedules are cut short (seen.h). automatic: only where threads cannot influence each
// other unseen (semantics: "Reduction").
enum class Reduction : std::uint8_t { none, automatic, happens_before };

struct SearchConfig {
  SearchStrategy strategy = SearchStrategy::icb;
  Reduction reduction = Reduction::none;
  PrioritizationMode mode = PrioritizationMode::basic;
  std::uint8_t mask = 0;
  std::uint32_t bound = k_no_bound;
  std::uint64_t seed = 0;
  std::uint32_t depth = 3;                       // of PCT; 1 to k_max_depth
  Interesting interesting = Interesting::shared; // of SURW
  // This search is number `shard`, from 0, of `shards`. They divide the schedules among them and do not
  // communicate.
  std::uint32_t shard = 0;
  std::uint32_t shards = 1;
};

// loop: whether a suspected spin goes on (docs/semantics.md: "Spins"). Rank 0 is that none does. The others
// cost a preemption each.
enum class ChoiceKind : std::uint8_t { run, wake, option, loop };

// A choice of a nonzero rank.
struct Choice {
  std::uint32_t point; // number of the choice among those with two or more candidates, from 0
  std::uint32_t step;  // visible operations executed before it
  std::uint16_t thread;
  std::uint8_t rank;
  ChoiceKind kind;
};

// A schedule of the frontier, or a choice that schedules of the frontier share. A node stands for the last
// choice of nonzero rank and is linked to the one before. Its children are counted, so the size of the
// frontier bounds the memory.
struct Node {
  std::uint32_t parent; // 0: none
  std::uint32_t next;   // in the bucket, or in the free list
  std::uint32_t point;
  std::uint32_t step;
  std::uint32_t references;
  std::uint32_t hash; // of the execution up to this choice, to check that the prefix came again
  std::uint32_t preemptions;
  std::uint32_t depth; // number of nodes up to the root; at most k_max_decisions
  std::uint16_t thread;
  std::uint8_t rank;
  ChoiceKind kind : 4;
  std::uint8_t execution_depth : 4; // of its execution (shard.cpp)
  StateKey taken;   // the schedule's last step, if the table of seen steps names this schedule for it
  StateKey reached; // the state that this step leads to, if it is known
};

struct FrontierStore {
  std::uint32_t fresh[k_max_fresh]; // alternatives of this execution: node; high bit: next iteration
  std::uint32_t order[k_max_nodes]; // scratch space to sort a bucket
  Node node[k_max_nodes];           // node 0 is not used
  SeenStore seen;
  UndoLog undo_log; // the end of all that is shared; see Search::save
};

// The execution under way. It is in shared memory, so that another process can end it when its worker dies.
struct RunningExecution {
  std::uint32_t plan_count = 0;     // choices that are fixed beforehand, at the start of the decisions
  std::uint32_t plan_hash = 0;      // the execution must have this hash at the last of them
  std::uint32_t decision_count = 0; // choices of nonzero rank taken so far
  std::uint32_t point = 0;          // choices so far, of any rank
  std::uint32_t preemptions = 0;
  std::uint32_t tail = 0; // node of the last choice of nonzero rank
  std::uint32_t fresh_count = 0;
  bool tail_is_own = false; // this execution made the tail and holds a reference to it
  bool learning = false;
  bool check_hash = false;
  PathShare path;
  std::uint32_t execution = 0; // number of the execution, from 1
};

// What belongs to one of the workers that share a search.
struct SearchWorker {
  RunningExecution run;
  SamplingState sampling;
  std::uint32_t index = 0;     // number of this worker, from 0
  std::uint32_t workers = 1;   // number of workers
  std::uint32_t round = 0;     // the round that this worker knows
  std::uint32_t free_list = 0; // first free node of this worker
  std::uint32_t unused = 0;    // the nodes from here to unused_end were never used
  std::uint32_t unused_end = 0;
  std::atomic<std::uint32_t> waiting; // 1: the worker waits for the executions of other workers
};

// The schedule that a worker executes.
struct InFlight {
  std::uint32_t node; // 0: the root
  bool active;
};

// The position of an execution in the order of exploration. With its first `planned` choices, it can be
// compared with positions from other shards.
struct SchedulePosition {
  std::uint32_t iteration;
  std::uint32_t level;
  std::uint32_t planned;  // choices that make the schedule
  std::uint64_t shuffled; // with a seed: its place in the bucket
  std::uint64_t sample;   // of a strategy that samples: number of the execution
};

// Only the schedules before this one are still of interest, because it has failed, or because the next round
// begins with the races that it has found.
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
  bool bound_pruned = false; // some alternative exceeds the bound
  bool overflow = false;     // the frontier was full: alternatives were lost
  std::uint32_t iteration = 0;
  std::uint32_t level = 0;               // preemption level that is explored now
  std::uint32_t phase = 0;               // counts preemption levels, over all iterations
  std::uint32_t round = 0;               // counts rounds
  std::atomic<std::uint32_t> nodes_used; // the most nodes in use so far
  std::uint32_t retained = 0; // nodes executed in this phase, if several workers compare their order
  std::uint64_t pending = 0;  // schedules in the frontier
  std::uint32_t running = 0;  // executions under way
  InFlight in_flight[k_max_workers];
  SearchLimit limit;
  bool dropped = false;                // schedules were dropped because of the limit
  std::uint32_t least_dropped = 0;     // fewest preemptions of a dropped schedule
  std::uint64_t finished = 0;          // executions that ended, without those cut short
  std::uint32_t most_preemptions = 0;  // of any schedule executed
  std::uint32_t top_level[2] = {0, 0}; // highest level in use
  std::uint32_t sorting = 0; // schedules whose order write_order() is writing, in the bucket below; 0: none
  std::uint32_t sorted_side = 0;
  std::uint32_t sorted_level = 0;
  std::uint32_t executions = 0; // executions begun
  SeenState seen;
  EstimateState estimate;
  std::uint32_t current = 0; // which of the two heads is toExplore
  std::uint32_t head[2][k_max_level];
};

// The next step of a thread, for the reduction.
struct Step {
  StateKey taken;   // the state before the step, and the thread that takes it
  StateKey reached; // the state that the step leads to; 0 if that is not known before
};

// The alternatives at one choice.
struct Candidates {
  ChoiceKind kind;
  unsigned count;              // two or more
  const std::uint16_t* thread; // by rank
  const std::uint8_t* bits;    // match bits; may be null in mode basic
  bool current_first;          // thread[0] ran last and is enabled
  bool leaving_is_free;        // a switch to another thread is no preemption
  std::uint32_t step;
  std::uint32_t hash;            // of the execution so far
  const Event* events = nullptr; // pending event of each thread; set if Search::wants_events()
  const Step* steps = nullptr;   // next step of each thread; null: no reduction
};

class Search {
public:
  // The workers share `state` and `store`. Of `own_store` the worker uses only the undo log and the list of
  // fresh alternatives. `decisions` has room for k_max_decisions choices; the search writes every choice of
  // nonzero rank there.
  Search(const SearchConfig& config, SearchState& state, FrontierStore& store, SearchWorker& own,
         FrontierStore& own_store, Choice* decisions)
      : m_config(config), m_state(state), m_own(own), m_run(own.run), m_store(store),
        m_undo_log(own_store.undo_log), m_fresh(own_store.fresh), m_decisions(decisions),
        m_sampler(row_of(config.strategy).sampler) {}

  enum class Next : std::uint8_t {
    schedule,   // a schedule is fixed, and choose() will follow it
    wait,       // other workers may find more: ask again
    nothing,    // nothing is left within the bound
    limit,      // the limit of executions is reached
    outdated,   // a new round has begun, with other choice points
    round_over, // the round is over; a new one is to begin
  };
  Next next(std::uint64_t max_schedules = 0); // 0: no limit

  // Prepares the schedule of the last next() once more, because the execution was thrown away.
  void again();

  // Executes the first `count` choices of `decisions`, and rank 0 everywhere else. The search learns nothing.
  void replay(std::uint32_t count);

  // A process that worked with this search was killed. Undoes or completes its last change, and releases its
  // locks. To be called before any other function.
  void recover();
  // In a replay, before choose(): adds this choice behind those planned so far.
  void plan_next(const Candidates& candidates, unsigned rank);

  // Begins a new round with the same count of executions, because the program now has other choice points
  // than the frontier was made for. To be called between executions, after commit(), under lock(). False: the
  // strategy has no frontier and simply continues.
  bool start_over();
  // Drops the schedules of the frontier, of a search that is about to start over. To be called before
  // start_over(), under lock() and outside of a transaction: the frontier may hold more nodes than one
  // transaction can undo. Until start_over(), the search claims nothing.
  void drop_frontier();
  SharedLock& lock() { return m_state.lock; }

  // choose() returns the rank to take, or one of these. k_diverged: the schedule's choice is not possible
  // here.
  static constexpr unsigned k_diverged = ~0u;
  // Another schedule explores all that could follow here, at no greater cost: the execution may end.
  static constexpr unsigned k_pruned = ~1u;
  unsigned choose(const Candidates& candidates);

  // Whether the strategy needs the events below. If so, the caller reports all of them, with and without a
  // choice.
  bool wants_events() const;
  void executed(const Event& event);
  void gave_way(std::uint16_t thread); // the thread yields, sleeps, or begins to spin
  void created(std::uint16_t parent, std::uint16_t child);

  // The execution is in this state. `leaving_costs`: only a preemption can make another thread run here.
  void reached(StateKey state, bool leaving_costs);
  // For a switch to a thread without a choice. True: choose() would return k_pruned.
  bool is_known(StateKey taken);
  // The execution under way has passed its plan and explores.
  bool is_beyond_plan() const { return learning() && m_run.decision_count >= m_run.plan_count; }

  // The execution has ended: its alternatives join the frontier. `counted`: it was not cut short.
  void commit(bool counted);

  // Before commit(), under lock(): only schedules that come before this execution are still of interest.
  // `ends_round`: when they are done, next() returns round_over. False: another limit comes first, or the
  // round is over already.
  bool limit_to_this(bool ends_round);
  // That execution is no longer of interest. What was dropped because of it stays dropped. Under lock().
  void lift_limit();
  bool is_outdated() const { return m_own.round != m_state.round; } // under lock()
  bool is_systematic() const { return m_sampler == nullptr; }

  // The worker will not come back. If it was in the middle of an execution, this execution is lost.
  void abandon();

  // Whether this shard counts the execution under way. False: all shards make it, and another one counts it.
  bool counts() const;
  SchedulePosition position() const;

  std::uint32_t preemptions() const { return m_run.preemptions; }
  std::uint32_t decision_count() const { return m_run.decision_count; }

  // The execution under way extends the search; it is not a replay.
  bool learning() const { return m_run.learning && m_sampler == nullptr; }

  // Whether a replay has made all its planned choices.
  bool plan_done() const { return m_run.decision_count >= m_run.plan_count; }

  // The highest number of preemptions that is explored completely; -1: none.
  std::int64_t bound_completed() const;
  // No schedule is left at any bound.
  bool exhausted() const;

private:
  static constexpr std::uint32_t k_next_iteration = 0x80000000; // flag of a fresh alternative

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
  void advance_level();
  void release_retained();
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

// To be called before `place` changes. The place lies in the worker's own memory or in the shared memory; the
// nearest undo log behind it tells which.
template <typename T>
void Search::save(const T& place) {
  const auto* at = reinterpret_cast<const char*>(&place);
  const auto* own = reinterpret_cast<const char*>(&m_undo_log);
  const auto* shared = reinterpret_cast<const char*>(&m_store.undo_log);
  m_undo_log.save(at < shared && (own < at || shared < own) ? m_store.undo_log : m_undo_log, place);
}

} // namespace reex
