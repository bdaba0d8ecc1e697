// The search: it decides which schedule is executed next, and it learns from each execution. Systematic
// search has a frontier of schedules. Each is a prefix of choices. A schedule is executed to its end, and
// every alternative that the execution finds beyond its prefix joins the frontier.
//
// The order of exploration:
// 1. CAPP iterations: toExplore first, then nextToExplore. Several heuristics may order one search together:
// a
//    schedule stays in the iteration as long as one and the same of them keeps all its choices.
// 2. Preemptions: schedules with fewer preemptions first. Strategy dfs leaves this rule out.
// 3. Depth first, in default order. Two schedules are compared at the first choice point where they differ:
//    the one with the smaller rank there comes first. Rank 0 is the current thread if it is enabled; the
//    others follow by ascending thread id. A seed other than 0 makes two orders random: that of threads that
//    cost the same at a choice, and that of the schedules in a bucket.
//
// Strategies that sample (sampling.h) have no frontier. Strategy auto has one, and draws samples too
// (turns.h). A search can be one of several shards (shard.cpp).
//
// The bound: what exceeds it is left out, or, if the search deepens, waits until all that is within the bound
// is done. Then the next bound is explored, and so on.
//
// Callers: next, commit and the audit, the controller; choose, a fiber at a choice point of an execution;
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

#include "reex/search/search_state.h"

namespace reex {

// The next step of a thread, for the reduction.
struct Step {
  StateKey taken;   // the state before the step, and the thread that takes it
  StateKey reached; // the state that the step leads to; 0 if that is not known before, or does not matter
};

// The alternatives at one choice.
inline constexpr unsigned k_nobody_is_due = ~0u;

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
  // By number, of the first k_apart_threads: the threads that each one waits for in a join. Null: no matter.
  const std::uint64_t* joins = nullptr;
  // The rank of a thread that has not run for so long that a sample takes it; k_nobody_is_due: there is none.
  unsigned due = k_nobody_is_due;
  bool polls = false;        // thread[0] ran last, in a loop that seems to wait for others
  bool rare_is_free = false; // to choose another rank than 0 costs nothing, although it is_rare(kind)
};

class Search {
public:
  // The workers share `state` and `store`. Of `own_store` the worker uses only the undo log and the list of
  // fresh alternatives. `decisions` has room for k_max_decisions choices; the search writes every choice of
  // nonzero rank there.
  Search(const SearchConfig& config, SearchState& state, FrontierStore& store, SearchWorker& own,
         FrontierStore& own_store, Choice* decisions)
      : m_config(config), m_state(state), m_own(own), m_run(own.run), m_store(store),
        m_undo_log(own_store.undo_log), m_fresh(own_store.fresh), m_decisions(decisions) {}

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

  // The key of a state will be looked up, and those of the steps from it. The table is large, so each look-up
  // waits for memory; these wait together, while the next choice is prepared.
  void fetch_ahead(StateKey key) const;
  // Whether rank 0 at a choice is never left for later, so that the state which its step leads to does not
  // matter.
  bool goes_on_first(bool leaving_costs) const {
    return m_config.prioritization.is_basic() && (m_config.seed == 0 || leaving_costs);
  }
  // The execution is in this state. `leaving_costs`: only a preemption can make another thread run here.
  void reached(StateKey state, bool leaving_costs);
  // For a switch to a thread without a choice. True: choose() would return k_pruned.
  bool is_known(StateKey taken);
  // The running thread depends on others (a mask by number), or on all: apart.h.
  void depend(std::uint32_t thread, std::uint64_t others);
  void depend_on_all();
  void has_threads(std::uint32_t count) { m_run.threads = count; } // created so far in this execution
  bool wants_joins() const { return !m_state.apart.one && m_state.apart.whole > 1 && m_config.shards == 1; }
  // The next round is to begin although no race was promoted.
  bool starts_over() const { return is_refuted() || m_state.apart.starts_over; }
  // The execution under way has passed its plan and explores.
  bool is_beyond_plan() const { return explores() && !m_run.is_full && plan_done(); }

  // The execution has ended: its alternatives join the frontier. `counted`: it was not cut short.
  void commit(bool counted);

  // A schedule need not be executed if it is known what its threads do (runtime/schedule/foresight.h). It is
  // followed in memory, with the functions above, until all that can follow is known; then it is over, with
  // no turn under strategy auto. Or until something is not known: then it is executed, and its first choices
  // are those that were made.
  bool can_follow() const;                               // the schedule of the last next()
  bool has_company() const { return m_own.workers > 1; } // other workers mark steps at the same time
  void commit_followed();
  void execute_followed();
  bool is_followed() const { return m_run.followed != 0; } // the execution under way has such a beginning
  // What was followed was wrong. No more is; the search starts over if anything was.
  void distrust_foresight();
  bool is_distrusted() const;

  // The execution under way is one that the reduction had left out (audit.h).
  bool is_audit() const { return m_run.audit; }
  // Whether the audit needs the result of the execution under way.
  bool wants_result() const;
  // Before commit(), under lock(). False: the reduction has left out what it must not leave out.
  bool agrees(const ExecutionResult& result);
  // Then: nothing is left out any more. `starts_over`: when the audits under way are done, next() returns
  // round_over.
  void refute(bool starts_over);
  // The same if something was left out so far; else the search goes on as it is, without reduction.
  void do_without_reduction(bool starts_over);
  bool is_refuted() const { return m_state.audit.refuted; }

  // Before commit(), under lock(): only schedules that come before this execution are still of interest.
  // `ends_round`: when they are done, next() returns round_over. False: another limit comes first, or the
  // round is over already.
  bool limit_to_this(bool ends_round);
  // That execution is no longer of interest. What was dropped because of it stays dropped. Under lock().
  void lift_limit(bool of_sample);
  bool is_outdated() const { return m_own.round != m_state.round; } // under lock()
  // The strategy has a frontier, and claims bounds.
  bool has_frontier() const { return row_of(m_config.strategy).sampler == nullptr; }
  // The execution under way is a sample beside a frontier, which makes the claims.
  bool is_aside() const { return has_frontier() && sampler() != nullptr; }
  // Of the execution under way, under strategy auto; else 0. Under lock(). Cost with several workers: a visit
  // of each schedule that was executed at this preemption level.
  std::uint64_t turn() const { return takes_turns() ? this_turn() : 0; }

  // The worker will not come back. If it was in the middle of an execution, this execution is lost.
  void abandon();

  // Whether this shard counts the execution under way. False: all shards make it, and another one counts it;
  // or it belongs to the audit.
  bool counts() const;
  SchedulePosition position() const;

  std::uint32_t preemptions() const { return m_run.preemptions; }
  std::uint32_t decision_count() const { return m_run.decision_count; }

  // The execution under way extends the search; it is not a replay.
  bool learning() const { return m_run.learning && sampler() == nullptr; }

  // Whether a replay has made all its planned choices.
  bool plan_done() const { return m_run.decision_count >= m_run.plan_count && m_run.point >= m_run.followed; }

  // The highest number of preemptions that is explored completely; -1: none.
  std::int64_t bound_completed() const;
  // No schedule is left at any bound.
  bool exhausted() const;

private:
  static constexpr std::uint32_t k_next_iteration = 0x80000000; // flags of a fresh alternative
  static constexpr std::uint32_t k_for_audit = 0x40000000;
  static constexpr std::uint32_t k_node_bits = k_max_nodes - 1;

  bool explores() const { return learning() && !m_run.audit; }
  // Of the execution under way; null: it is one of the frontier.
  const Sampler* sampler() const { return row_of(m_run.member).sampler; }
  bool takes_turns() const { return row_of(m_config.strategy).takes_turns; }
  Next next_sample(std::uint64_t max_schedules);
  void forget_earlier_round();
  // What is left waits for a CAPP iteration that is not to be explored.
  bool iterations_are_done() const;
  bool is_limited() const { return m_state.limit.set || m_state.limit.sample != 0; }
  bool sample_is_due() const;
  bool sample_is_left() const;
  bool sample_comes_first() const;
  bool must_wait_for_first() const;
  void take_first();
  Next begin_turn();
  void end_turn();
  void count_turn(bool cut);
  FrontierCount those_before_this() const;
  void end_execution(bool counted, bool executed);
  std::uint64_t this_turn() const;
  void set_turns_back();
  std::uint64_t part_at(const Candidates& candidates) const;
  bool is_in(std::uint64_t part, const Candidates& candidates, unsigned rank) const;
  std::uint64_t part_to_explore(const Candidates& candidates);
  unsigned without_apart(const Candidates& candidates, std::uint64_t part, std::uint16_t* ranks,
                         unsigned count);
  void learn_whole();
  void end_round_if_grown();
  bool is_drawn(std::uint32_t hash, std::uint32_t thread, std::uint64_t one_in);
  void leave_out(const Candidates& candidates, unsigned rank, std::uint64_t one_in);
  void leave_out_rest();
  bool keep_for_audit(std::uint32_t node);
  bool only_audits_run() const;
  std::uint32_t due_audit();
  bool contradicts(const ExecutionResult& result) const;
  void remember_result(const ExecutionResult& result);
  void remember_result(StateKey key);
  bool add_fresh(std::uint32_t node, std::uint32_t flags);
  unsigned planned(const Candidates& candidates);
  unsigned expand(const Candidates& candidates);
  void partition(const Candidates& candidates, unsigned count);
  void drop_idle_rules();
  void look_ahead();
  void fetch_node(std::uint32_t node) const;
  std::uint32_t iteration_of(bool next_iteration, bool later) const;
  LookUp look_up(StateKey key, std::uint32_t node, std::uint32_t preemptions, std::uint32_t level,
                 std::uint32_t iteration);
  LookUp look_up(StateKey key, std::uint32_t preemptions);
  bool is_earlier(const SeenEntry& other, std::uint32_t node, std::uint32_t level) const;
  const SeenEntry* find(StateKey key) const;
  bool is_within_bound(const Step& step);
  bool is_dominated(std::uint32_t node, std::uint32_t iteration);
  void count_known(const Candidates& candidates, unsigned rank);
  bool join(std::uint32_t node, const Step& step, bool next_iteration);
  unsigned take_next(const Candidates& candidates, const bool* keep, std::uint16_t* ranks, unsigned& count);
  bool is_superseded(std::uint32_t node);
  bool is_for_later(std::uint32_t node) const;
  void order(const Candidates& candidates, unsigned count, std::uint16_t* ranks) const;
  unsigned sample(const Candidates& candidates);
  int polls_on(const Candidates& candidates);
  void begin_sample(SearchStrategy member, std::uint64_t turn);
  void end_sample();
  std::uint32_t cost(const Candidates& candidates, unsigned rank) const;
  void take(const Candidates& candidates, unsigned rank, bool is_planned);
  std::uint32_t make_node(const Candidates& candidates, unsigned rank);
  std::uint32_t unused_node();
  std::uint32_t lowest_left();
  void begin(std::uint32_t node, bool audit);
  template <typename T>
  void save(const T& place);
  void save_progress();
  void advance_level();
  void deepen();
  bool is_settled() const; // all that is left waits for the next bound, which nobody needs
  void release_retained();
  bool comes_before_limit(std::uint32_t node) const;
  void hold(std::uint32_t node);
  void release(std::uint32_t node);
  void retire(std::uint32_t node);
  void ready(std::uint32_t node);
  void link(std::uint32_t node, std::uint32_t flags);
  std::uint32_t level_of(std::uint32_t preemptions) const;
  void sort_bucket(std::uint32_t side, std::uint32_t level);
  void write_order();
  void drop_fresh();
  bool before(std::uint32_t a, std::uint32_t b) const;
  std::uint32_t cut() const;
  std::uint32_t execution_depth() const;
  bool is_ours(const Candidates& candidates, unsigned rank) const;
  std::uint64_t shuffled(const Node& node) const;
  std::uint64_t shuffled(std::uint32_t hash, std::uint32_t point, std::uint32_t thread) const;

  const SearchConfig& m_config;
  SearchState& m_state;
  SearchWorker& m_own;
  RunningExecution& m_run;
  FrontierStore& m_store;
  UndoLog& m_undo_log;
  std::uint32_t* m_fresh;
  Choice* m_decisions;
  std::uint32_t m_next = 0;  // the schedule that comes next, as far as is known; 0: it is fetched
  std::uint32_t m_ahead = 0; // of its nodes, the one to be fetched; 0: none
  // Scratch space of expand(), too large for the stack of a thread. By rank: whether an alternative is kept,
  // and by which rules.
  bool m_keep[k_max_candidates];
  std::uint8_t m_kept_by[k_max_candidates];
  std::uint16_t m_ranks[k_max_candidates];
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
