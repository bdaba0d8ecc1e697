#include "reex/runtime/order/promoted.h"

#include "reex/runtime/core/process.h"
#include "reex/runtime/core/runtime.h"

namespace reex {

bool g_some_promoted = false;
bool g_addresses_come_again = false;
bool g_code_is_entered = false;
std::uint64_t g_promoted[k_promoted_table];

namespace {

bool can_be_added(std::uint64_t pc) {
  const Promoted& promoted = g.shared->promoted;
  for (std::uint32_t i = 0; i < promoted.count; ++i)
    if (promoted.pc[i] == pc) return false;
  return promoted.count < k_max_promoted;
}

bool add(std::uint64_t pc) {
  if (!can_be_added(pc)) return false;
  Promoted& promoted = g.shared->promoted;
  promoted.pc[promoted.count++] = pc;
  return true;
}

bool proposes_rounds() { return g.control->own.workers > 1 && search().has_frontier(); }

// Calls `visit` with each racing instruction of the findings that the parent has got, and tells whether one
// of the calls returned true.
template <class Visit>
bool any_racing(Visit visit) {
  const ControlBlock& control = *g.control;
  const Findings& findings = control.findings;
  if (proposes_rounds() || !control.config.promotes) return false;
  bool any = false;
  for (std::uint32_t i = findings.handed; i < findings.count; ++i) {
    if (findings.record[i].kind == FindingKind::address_kept) any = visit(k_addresses_come_again) || any;
    if (findings.record[i].kind == FindingKind::code_entered) any = visit(k_code_is_entered) || any;
    if (!is_race(findings.record[i].kind)) continue;
    for (const FindingSide& side : findings.record[i].side)
      if (!ends_memory(side.act)) any = visit(side.pc) || any; // free() is not visible
  }
  return any;
}

} // namespace

void load_promoted(std::uint32_t count) {
  const Promoted& promoted = g.shared->promoted;
  g.control->promoted_known = count;
  g_some_promoted = count != 0;
  for (std::uint32_t i = 0; i < count; ++i) {
    unsigned place = promoted_place(promoted.pc[i]);
    while (g_promoted[place] != 0) place = (place + 1) % k_promoted_table;
    g_promoted[place] = promoted.pc[i];
  }
  g_addresses_come_again =
      g.control->config.reuse || is_promoted(reinterpret_cast<void*>(k_addresses_come_again));
  g_code_is_entered = is_promoted(reinterpret_cast<void*>(k_code_is_entered));
}

void note_race(std::uint64_t pc) {
  Unpromoted& found = g.control->unpromoted;
  if (is_promoted(reinterpret_cast<void*>(pc)) || found.count == k_max_unpromoted) return;
  for (std::uint32_t i = 0; i < found.count; ++i)
    if (found.pc[i] == pc) return;
  found.pc[found.count++] = pc;
}

bool promote_before_all(std::uint64_t pc) {
  const ControlBlock& control = *g.control;
  const bool is_first = control.config.task == Task::explore && control.config.promotes &&
                        control.check.state == CheckState::none && !g.detail && !g.forked_off &&
                        g.control == g.shared && control.status.schedules.load() == 0;
  if (!is_first) return false;
  const Locked locked(search().lock(), control.own.index);
  const Transaction whole(g.control->frontier.undo_log);
  g.control->frontier.undo_log.save(g.shared->promoted.count);
  return add(pc);
}

void propose_round() {
  ControlBlock& control = *g.control;
  const Unpromoted& found = control.unpromoted;
  Promoted& promoted = g.shared->promoted;
  if (!proposes_rounds() || !control.config.promotes || found.count == 0) return;
  if (promoted.count + found.count > k_max_promoted || !search().limit_to_this(true)) return;
  UndoLog& undo_log = control.frontier.undo_log;
  const UndoLog& home = g.shared->frontier.undo_log;
  const Transaction whole(undo_log);
  undo_log.save(home, promoted.proposed);
  promoted.proposed = found.count;
  for (std::uint32_t i = 0; i < found.count; ++i) {
    std::uint64_t& pc = promoted.pc[promoted.count + i];
    undo_log.save(home, pc);
    pc = found.pc[i];
  }
}

void begin_round() {
  const Locked locked(search().lock(), g.control->own.index);
  Promoted& promoted = g.shared->promoted;
  if (search().is_outdated() || (promoted.proposed == 0 && !search().starts_over())) return;
  search().drop_frontier();
  UndoLog& undo_log = g.control->frontier.undo_log;
  const UndoLog& home = g.shared->frontier.undo_log;
  const Transaction whole(undo_log);
  undo_log.save(home, promoted.count);
  undo_log.save(home, promoted.proposed);
  undo_log.save(home, promoted.rounds);
  if (promoted.proposed != 0) ++promoted.rounds;
  promoted.count += promoted.proposed;
  promoted.proposed = 0;
  search().start_over();
}

void promote_races() {
  ControlBlock& control = *g.control;
  Findings& findings = control.findings;
  const Locked locked(search().lock(), control.own.index);
  if (any_racing(can_be_added)) search().drop_frontier();
  UndoLog& undo_log = control.frontier.undo_log;
  const Transaction whole(undo_log);
  undo_log.save(findings.handed);
  undo_log.save(g.shared->frontier.undo_log, g.shared->promoted.count);
  undo_log.save(g.shared->frontier.undo_log, g.shared->promoted.rounds);
  undo_log.save(g.shared->frontier.undo_log, g.shared->promoted.earlier);
  undo_log.save(control.check.state);
  undo_log.save(control.failure.due);
  control.failure.due = false;
  const bool grown = any_racing(add);
  findings.handed = findings.count;
  if (grown && search().start_over()) {
    ++g.shared->promoted.rounds;
    const bool counts_all = control.own.workers == 1 && control.config.search.shards <= 1;
    if (counts_all) g.shared->promoted.earlier = control.status.schedules.load();
  }
  if (grown) begin_check_anew();
}

void begin_check_anew() {
  SelfCheck& check = g.control->check;
  // The visible operations are no longer those that were recorded.
  if (check.state == CheckState::recorded) check.state = CheckState::none;
}

} // namespace reex
