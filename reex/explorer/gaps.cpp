// What the exploration did not see (reex/run/gap.h). Each gap is a fact that a worker has recorded, or a
// setting; the searches know nothing of it.
#include <algorithm>
#include <iterator>
#include <memory>

#include "reex/explorer/exploration.h"
#include "reex/process/promoted_accesses.h"
#include "reex/records/findings.h"
#include "reex/records/schedules.h"
#include "reex/records/search.h"
#include "reex/records/self_check.h"
#include "reex/records/status.h"
#include "reex/records/unexplored.h"
#include "reex/trace/difference.h"
#include "reex/trace/unseen_code.h"

namespace reex {
namespace {

std::string counted(std::uint64_t count, const char* one) {
  return std::to_string(count) + " " + one + (count == 1 ? "" : "s");
}

// "2 loads"; of a set that may have had no room for all: "at least 900 loads".
std::string counted_places(const std::set<std::uint64_t>& places, const char* one) {
  return (places.size() < k_unexplored_places / 2 ? "" : "at least ") + counted(places.size(), one);
}

bool has_had_threads(const std::unique_ptr<Session>& session) {
  return read_ready(session->memory()->status);
}

} // namespace

void Exploration::add_gap(const char* kind, const std::string& detail, const std::string& remedy,
                          GapEffect effect) {
  m_run.gaps.push_back({kind, detail, remedy, effect});
}

// Plain accesses that nobody looked at, by the user's wish or for want of room.
void Exploration::gather_gaps_of_races() {
  if (m_options.races == Races::off && m_options.accesses != Accesses::all)
    add_gap("races-off", "data races were not looked for, and no thread was switched at one",
            "--races report, changed or fail looks for them");
  else if (m_options.accesses == Accesses::sync)
    add_gap("accesses", "no thread was switched at a plain access",
            "--accesses racy does it where they race");
  if (!m_options.runtime.libtsan.empty())
    add_gap("left-out-hooks",
            "the test is linked with g++'s libtsan: unless it was compiled with what reex flags --compile "
            "prints, accesses that g++ writes out (memcpy, strcmp and the like) have no hook, nor have "
            "objects that are passed or returned by value",
            "compile and link it with reex::instrument or what reex flags prints");
  std::uint64_t unchecked = 0;
  bool overflow = false;
  bool blind = false;
  for (const auto& session : m_sessions) {
    const FindingCounts findings = read_finding_counts(session->memory()->findings);
    unchecked += findings.unchecked;
    overflow = overflow || findings.overflow;
    blind = blind || findings.blind;
  }
  if (blind)
    add_gap("races-unwatched",
            "there was not enough address space to look for data races and uses of freed memory",
            "ulimit -v unlimited, and /proc/sys/vm/overcommit_memory 0 or 1", GapEffect::verdict);
  if (unchecked != 0)
    add_gap("races-unwatched",
            counted(unchecked, "execution") + " were too long to look for data races to their end",
            "a shorter test", GapEffect::claims);
  if (overflow)
    add_gap("findings", "there were more different findings than can be kept, races among them",
            "mend some and run again", GapEffect::claims);
  if (read_promoted(m_sessions.front()->memory()->promoted).pcs.size() + k_max_unpromoted > k_max_promoted)
    add_gap("promoted", "there were more racing accesses than can be scheduling points",
            "mend some and run again", GapEffect::claims);
}

// The reduction relies on seeing what threads tell each other, and the search on stopping there.
void Exploration::gather_gaps_of_code() {
  UnseenCode unseen;
  for (const auto& session : m_sessions) unseen.add(session->unseen_code()); // a library may come in one only
  UnseenCode atomics;
  atomics.atomics.swap(unseen.atomics);
  if (!atomics.empty())
    add_gap("unseen-atomics", not_instrumented(atomics.names()) + ": no thread switches there",
            "use std::atomic, the compiler's __atomic functions or memcpy there", GapEffect::claims);
  for (const UnseenCall& call : unseen.calls)
    add_gap("unseen-calls", call.where + ": what the library reads and writes of them is not seen",
            call.remedy, GapEffect::claims);
  if (unseen.empty() && !unseen.switches.empty() && !m_run.sampled)
    add_gap("unseen-code",
            unseen.switches.front() +
                " switches between stacks: what it saves and loads is no scheduling point",
            "a fiber that is resumed before it is saved is not noticed");
  if (unseen.empty() || m_run.sampled) return;
  const Reduction reduction = m_configs.front().search.reduction;
  const std::string names = not_instrumented(unseen.names());
  const std::string remedy = remedy_of(unseen);
  if (reduction == Reduction::happens_before)
    add_gap("unseen-code",
            names + ": what threads tell each other there was not seen, and --reduction hb relied on it",
            remedy + ", or leave --reduction at auto", GapEffect::claims);
  else
    add_gap("unseen-code",
            names + ": what threads tell each other there is not seen" +
                (reduction == Reduction::automatic ? ", so equivalent schedules were executed too" : "") +
                "; accesses there are no scheduling points",
            remedy);
}

void Exploration::gather_gaps_of_reduction() {
  if (!m_run.refuted) return;
  const Refutation& refuted = *m_run.refuted;
  std::string where = "step " + std::to_string(refuted.step) + ", thread " + std::to_string(refuted.thread);
  if (!refuted.operation.empty()) where += ": " + refuted.operation;
  if (!refuted.location.empty()) where += " at " + refuted.location;
  // Other shards may have left out what they must not.
  add_gap("reduction",
          "threads tell each other something that was not seen: an execution that equals another one (it "
          "parts at " +
              where + ") ended otherwise. From then on, equivalent schedules were executed too",
          "--reduction none; or compile all with what reex flags --compile prints",
          m_options.shard ? GapEffect::claims : GapEffect::told);
}

// ", for example at a.cpp:7 (f())" for the first of these places whose line is known.
std::string Exploration::example_among(const std::set<std::uint64_t>& places) const {
  const auto shown = std::find_if(m_sessions.begin(), m_sessions.end(), has_had_threads);
  if (shown == m_sessions.end()) return "";
  for (const std::uint64_t place : places)
    if (const std::string text = place_text((*shown)->reader().stack({place})); !text.empty())
      return ", for example at " + text;
  return "";
}

// What the test could have done in a native run, and what other processes did.
void Exploration::gather_gaps_of_tests() {
  UnexploredCopy all;
  for (const auto& session : m_sessions) {
    UnexploredCopy one = read_unexplored(session->memory()->unexplored);
    all.outside = all.outside || one.outside;
    all.shared_memory = all.shared_memory || one.shared_memory;
    all.child_threads = all.child_threads || one.child_threads;
    if (all.changed_file.empty()) all.changed_file = one.changed_file;
    if (!has_had_threads(session)) continue; // the rest, such as a timer that was set, is of no schedule
    all.loops.merge(one.loops);
    all.sleeps.merge(one.sleeps);
    all.timed.merge(one.timed);
    all.guards.merge(one.guards);
    all.stuck.merge(one.stuck);
    all.wakes.merge(one.wakes);
    all.clocks.merge(one.clocks);
    all.processors.merge(one.processors);
    all.random.merge(one.random);
    all.loads.merge(one.loads);
    all.exempted.merge(one.exempted);
    all.exchanges.merge(one.exchanges);
    all.exchanges_beside_others.merge(one.exchanges_beside_others);
    if (one.atomics.size() > all.atomics.size())
      all.atomics = one.atomics; // data has its own addresses in each
  }
  if (all.outside)
    add_gap("other-processes", "a thread waited for another process: when that acts is not explored", "",
            GapEffect::claims);
  if (all.shared_memory)
    add_gap("shared-memory",
            "a child process shares memory with the test: what they do to each other is not explored",
            "threads in place of the child", GapEffect::claims);
  if (all.child_threads)
    add_gap("child-threads",
            "a child process has threads of its own: they run in one order, which is not explored",
            "the same test without a fork", GapEffect::claims);
  if (!all.changed_file.empty())
    add_gap("changed-file",
            "the file " + all.changed_file + ", which the test reads, was not the same in all executions",
            "nobody else may write it while reex runs", GapEffect::claims);
  if (std::any_of(m_sessions.begin(), m_sessions.end(),
                  [](const auto& session) { return read_prints_other(session->memory()->check); }))
    add_gap("output",
            "what the test prints differs from one execution of the same schedule to the next: it depends on "
            "something that reex does not control, such as a port that the kernel has chosen",
            "nothing, if the test only prints it; else a fixed one", GapEffect::claims);
  for (const auto& session : m_sessions) {
    const std::string problem = session->file_problem();
    if (problem.empty()) continue;
    add_gap("files", "executions may have found other files than the first one: " + problem,
            "smaller files, or -j 1", GapEffect::claims);
    break;
  }
  if (!all.loops.empty())
    add_gap("turns",
            "what another thread wrote was seen by a loop that counts its turns in the turn after the 100th, "
            "and not in a later one" +
                example_among(all.loops),
            "--strategy random tries others");
  if (!all.sleeps.empty())
    add_gap("sleeps",
            counted_places(all.sleeps, "sleep") + " ordered the threads" + example_among(all.sleeps),
            "--sleeps any explores without them");
  if (!all.timed.empty())
    add_gap("timeouts",
            "earlier ends of " + counted_places(all.timed, "timed wait") + " were not tried" +
                example_among(all.timed),
            "--timeouts tries them");
  std::set<std::uint64_t> stuck; // what never ends otherwise is a test of the time, or waits for it
  std::set_intersection(all.stuck.begin(), all.stuck.end(), all.guards.begin(), all.guards.end(),
                        std::inserter(stuck, stuck.end()));
  if (!stuck.empty())
    add_gap(
        "guards",
        counted_places(stuck, "wait") +
            " of five seconds or more ended in a schedule by the time alone, with nothing else that could go "
            "on, and in others before" +
            example_among(stuck),
        "a notification that comes before the wait is lost: change what it tells of under the wait's lock");
  if (!all.wakes.empty())
    m_run.condition_waits = counted_places(all.wakes, "wait") + example_among(all.wakes);
  if (!all.clocks.empty())
    add_gap("clock",
            "later times that " + counted_places(all.clocks, "use") +
                " of a clock or timer could have shown were not tried" + example_among(all.clocks),
            "");
  if (!all.processors.empty())
    add_gap("processors",
            "other processors that " + counted_places(all.processors, "question") +
                " for the thread's own could have named were not tried" + example_among(all.processors),
            "taskset -c 0 lets all threads be on one");
  if (!all.random.empty())
    add_gap("random-numbers",
            "other random numbers than those that " + counted_places(all.random, "call") +
                " got in every execution were not tried" + example_among(all.random),
            "");
  if (!all.exempted.empty())
    add_gap("exempted",
            "functions exempted from -fsanitize=thread made more than " + std::to_string(k_most_exempted) +
                " accesses in a thread: at " + counted_places(all.exempted, "place") +
                ", no thread was switched any more" + example_among(all.exempted),
            "let the compiler give them hooks", GapEffect::claims);
  if (!all.exchanges.empty() && !m_options.reuse &&
      !addresses_come_again(read_promoted(m_sessions.front()->memory()->promoted).pcs))
    add_gap("addresses",
            counted_places(all.exchanges, "compare-exchange") +
                " expected the address of a freed block, which natively a new block may have" +
                example_among(all.exchanges),
            "--reuse explores that malloc gives it again", GapEffect::claims);
  else if (!all.exchanges_beside_others.empty())
    add_gap("addresses",
            counted_places(all.exchanges_beside_others, "compare-exchange") +
                " expected the address of a block that another thread has freed: malloc could give it again, "
                "but no thread was switched right before malloc" +
                example_among(all.exchanges_beside_others),
            "a counter beside the address, or hazard pointers", GapEffect::claims);
  if (!all.loads.empty())
    add_gap("stale-values",
            "stale values that memory orders permit were not tried: " + counted_places(all.loads, "load") +
                " of " + counted_places(all.atomics, "atomic") + example_among(all.loads),
            "memory_order_seq_cst rules them out");
}

// CAPP as a selection: what waits for later iterations is left out by the user's wish.
void Exploration::gather_gaps_of_iterations() {
  if (!are_iterations_done()) return;
  const SearchProgress search = read_search_progress(m_sessions.front()->memory()->search);
  add_gap("iterations",
          "CAPP iteration " + std::to_string(search.iteration + 1) + " was the last one that was wanted: " +
              counted(search.pending, "schedule") + " and what follows from them wait for iteration " +
              std::to_string(search.iteration + 2) + " and later ones",
          "--iterations with a larger number, or none");
}

void Exploration::gather_gaps() {
  gather_gaps_of_iterations();
  gather_gaps_of_races();
  gather_gaps_of_code();
  gather_gaps_of_reduction();
  gather_gaps_of_tests();
  if (!read_overflow(m_sessions.front()->memory()->search)) return;
  if (m_run.sampled)
    add_gap(
        "frontier",
        "there were executions of more than 16 million choices: what fails behind them may not fail again, "
        "and is then no failure",
        "a test with fewer operations", GapEffect::claims);
  else
    add_gap("frontier", "the frontier was full: not every schedule was kept",
            "--bound with a smaller number, or --shard", GapEffect::claims);
}

} // namespace reex
