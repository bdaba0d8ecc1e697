// The search's data: what it is told, and what it keeps in shared memory.
//
// All of it is plain data without owners. Search (search.h) says who may change what.
#pragma once

#include <atomic>
#include <cstdint>

#include "heuristics/partition.h"
#include "reex/search/apart.h"
#include "reex/search/audit.h"
#include "reex/search/estimate.h"
#include "reex/search/lock.h"
#include "reex/search/sampling_state.h"
#include "reex/search/seen.h"
#include "reex/search/strategy.h"
#include "reex/search/turns.h"
#include "reex/search/undo_log.h"

namespace reex {

inline constexpr std::uint32_t k_no_bound = 0xffffffff;
// Choices of nonzero rank in one execution: of a sample, about one for each operation.
inline constexpr std::uint32_t k_max_decisions = 1u << 25;
static_assert(k_max_decisions >= k_first_max_steps);
inline constexpr std::uint32_t k_max_depth_of_nodes = 1u << 20; // a chain is released in one transaction
inline constexpr std::uint32_t k_max_nodes = 1u << 28;
// Alternatives that one execution may give rise to: 256 MB of nodes and seen steps. An execution of more than
// a million choices has more than any search explores: beyond those, nothing is looked up or kept, and the
// search claims nothing.
inline constexpr std::uint32_t k_max_fresh = 1u << 21;
inline constexpr std::uint32_t k_max_level = 1u << 16; // preemptions that the order distinguishes
inline constexpr unsigned k_max_candidates = 1024;
inline constexpr unsigned k_max_workers = 64;
// SearchState::first, if it is not the number of a worker + 1.
inline constexpr std::uint32_t k_nobodys = k_max_workers + 1;
inline constexpr std::uint32_t k_first_is_done = k_max_workers + 2;
// The rows of buckets: of two CAPP iterations, of the audit, and what is beyond the bound that is explored
// now, again of two iterations.
inline constexpr unsigned k_bucket_rows = 5;
inline constexpr unsigned k_audit_row = 2;
inline constexpr unsigned k_later_rows = 3;
// So many nodes may wait beyond the bound. If there were more, the search goes no further than the bound in
// full.
inline constexpr std::uint64_t k_most_later = std::uint64_t{1} << 22;

// Whether equivalent schedules are cut short (seen.h). automatic: only where threads cannot influence each
// other unseen (semantics: "Reduction").
enum class Reduction : std::uint8_t { none, automatic, happens_before };

struct SearchConfig {
  SearchStrategy strategy = SearchStrategy::icb;
  Reduction reduction = Reduction::none;
  std::uint32_t audit = 64; // of what the reduction leaves out, one in so many is executed; 0: nothing
  Prioritization prioritization{};
  std::uint32_t bound = k_no_bound;
  bool deepens = false; // when the bound is done, the search goes on with the next one, until it is stopped
  std::uint32_t iterations = 0; // of CAPP that are explored; 0: all
  std::uint64_t seed = 0;
  std::uint32_t depth = 3;                       // of PCT; 1 to k_max_depth
  Interesting interesting = Interesting::shared; // of SURW
  // This search is number `shard`, from 0, of `shards`. They divide the schedules among them and do not
  // communicate.
  std::uint32_t shard = 0;
  std::uint32_t shards = 1;
};

// loop: whether a suspected spin goes on (docs/semantics.md: "Spins"). spurious: whether a thread wakes up
// that nobody has notified, or a weak compare-exchange fails for no reason. Rank 0 is that nothing of this
// kind happens. The others cost a preemption each. reuse: whether a thread gets what it has freed again.
// late: how many operations of the thread come before the handler of a signal that was sent to it; rare, too.
enum class ChoiceKind : std::uint8_t { run, wake, option, loop, spurious, reuse, late };
inline constexpr ChoiceKind k_last_choice_kind = ChoiceKind::late;

constexpr bool is_rare(ChoiceKind kind) {
  return kind == ChoiceKind::loop || kind == ChoiceKind::spurious || kind == ChoiceKind::late;
}

// A choice of a nonzero rank.
struct Choice {
  std::uint32_t point; // number of the choice among those with two or more candidates, from 0
  std::uint32_t step;  // visible operations executed before it
  std::uint16_t thread;
  std::uint16_t rank;
  ChoiceKind kind;
};

inline constexpr std::uint16_t k_no_thread = 0xffff;

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
  std::uint32_t depth; // number of nodes up to the root; at most k_max_depth_of_nodes
  std::uint32_t thread : 15;
  std::uint32_t rank : 10; // below k_max_candidates
  ChoiceKind kind : 3;
  std::uint8_t execution_depth : 4; // of its execution (shard.cpp)
  bool is_followed : 1;             // it was followed in memory to where all is known, and not executed
  bool is_cut : 1;                  // its execution was cut short
  bool is_separate : 1;             // its entry in the table of seen steps is that of its iteration alone
  std::uint8_t rules : 4;   // of the prioritization: those that keep all its choices of this iteration
  std::uint16_t instead_of; // the thread of rank 0, if it was there instead (apart.h)
  StateKey taken;           // the schedule's last step, if the table of seen steps names this schedule for it
  StateKey reached;         // the state that this step leads to, if it is known
};

// A node of a bucket that is sorted.
struct Sorted {
  std::uint32_t key; // decides, where two differ
  std::uint32_t node;
};

struct FrontierStore {
  std::uint32_t fresh[k_max_fresh]; // alternatives of this execution: node; high bit: next iteration
  Sorted order[k_max_nodes];        // scratch space to sort a bucket
  Node node[k_max_nodes];           // node 0 is not used
  SeenStore seen;
  Profile profile;  // what surw learned, under strategy auto
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
  bool is_full = false;     // there was no room for an alternative: it goes on without any more of them
  bool tail_is_own = false; // this execution made the tail and holds a reference to it
  bool learning = false;
  bool check_hash = false;
  bool audit = false;         // explores nothing: beyond the plan it takes rank 0
  std::uint8_t rules = 0;     // of the prioritization: those that keep all choices since the iteration began
  std::uint8_t put_off = 0;   // those that have put off an alternative
  std::uint64_t left_out = 0; // alternatives that the reduction has left out here
  PathShare path;
  std::uint32_t followed = 0;      // choices that are made beforehand in memory, of any rank
  std::uint32_t followed_hash = 0; // the execution must have this hash at the last of them, if there are any
  std::uint32_t threads = 1;       // created in this execution, with main
  std::uint32_t execution = 0;     // number of the execution, from 1
  SearchStrategy member = SearchStrategy::icb; // that makes it, which is not auto
  std::uint64_t turn = 0;                      // of a sample under strategy auto (turns.h)
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
  bool audit;
  bool sample; // under strategy auto
};

// The position of an execution in the order of exploration. With its first `planned` choices, it can be
// compared with positions from other shards.
struct SchedulePosition {
  std::uint32_t iteration;
  std::uint32_t level;
  std::uint32_t planned;  // choices that make the schedule
  std::uint64_t shuffled; // with a seed: its place in the bucket
  std::uint64_t sample;   // number of the sample; 0: a schedule of the frontier
  std::uint64_t turn;     // under strategy auto (Search::turn)
};

// Only the schedules before this one are still of interest, because it has failed, or because the next round
// begins with the races that it has found.
// Under strategy auto a sample may have failed, too: the first of both by turns counts. The turn of the
// schedule is known when all that comes before it is done, and grows until then.
struct SearchLimit {
  bool set = false; // a schedule of the frontier
  bool ends_round = false;
  bool starts_over = false; // not because of a schedule: all turns come again
  std::uint32_t worker = 0;
  std::uint32_t phase = 0;
  std::uint32_t node = 0;
  FrontierCount before = {}; // schedules of the frontier that come first, as far as they are known
  std::uint64_t sample = 0;  // number of the sample, or its turn; 0: none
  std::uint32_t sampling_worker = 0;

  std::uint64_t turn() const { return starts_over ? 0 : frontier_turn_after(before); } // of this schedule
};

struct SearchState {
  SharedLock lock;
  SharedLock seen_lock;
  // Set by the parent, while the worker that has reported it waits: the test fails, whatever is still found.
  // The search does not deepen any more.
  std::atomic<bool> settled = false;
  bool started = false;
  bool bound_pruned = false; // some alternative exceeds the bound
  std::uint32_t cut_at =
      0; // while the search deepens: the fewest preemptions of a schedule left out for want of room
  bool overflow = false;  // the frontier was full: alternatives were lost
  std::uint8_t rules = 0; // of the prioritization: those by which the search goes
  std::uint32_t iteration = 0;
  std::uint32_t deepened = 0;        // bounds that were explored before this one
  std::uint32_t first_iteration = 0; // of the bound that is explored now
  std::uint32_t level = 0;           // preemption level that is explored now
  std::uint32_t bound = 0;           // the bound that is explored now
  std::uint32_t phase = 0;           // counts preemption levels, over all iterations
  std::uint32_t round = 0;           // counts rounds
  std::uint32_t first = 0; // who makes the round's first execution; 0: nobody yet, in the first round
  std::atomic<std::uint32_t> nodes_used; // the most nodes in use so far
  std::uint32_t retained = 0; // nodes executed in this phase, if several workers compare their order
  std::uint64_t pending = 0;  // schedules in the frontier
  std::uint64_t later = 0;    // of these, beyond the bound that is explored now
  std::uint32_t running = 0;  // executions under way
  InFlight in_flight[k_max_workers];
  SearchLimit limit;
  bool dropped = false;                               // schedules were dropped because of the limit
  std::uint32_t least_dropped = 0;                    // fewest preemptions of a dropped schedule
  std::uint64_t finished = 0;                         // executions that ended, without those cut short
  std::uint32_t most_preemptions = 0;                 // of any schedule executed
  std::uint32_t top_level[k_bucket_rows] = {0, 0, 0}; // highest level in use
  std::uint32_t sorting = 0; // schedules whose order write_order() is writing, in the bucket below; 0: none
  std::uint32_t sorted_side = 0;
  std::uint32_t sorted_level = 0;
  std::uint32_t executions = 0; // executions begun
  // Under strategy auto:
  std::uint64_t samples = 0; // begun
  FrontierCount of_frontier;
  FrontierCount before_phase; // of these, before the phase that is explored now
  std::uint32_t sampling = 0; // samples under way
  std::uint32_t teacher = 0;  // number of the worker whose sample surw learns from, + 1
  bool taught = false;        // surw has learned in this round
  SeenState seen;
  std::uint64_t followed = 0; // schedules that were followed in memory and not executed
  bool distrusted = false;    // what was followed was not what executions do: nothing is any more
  EstimateState estimate;
  AuditState audit;
  ApartState apart;
  std::uint32_t current = 0; // which of the first two rows is toExplore
  std::uint32_t head[k_bucket_rows][k_max_level];
};

} // namespace reex
