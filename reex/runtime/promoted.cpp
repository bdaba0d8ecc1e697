#include "reex/runtime/promoted.h"

#include "reex/runtime/execution.h"

namespace reex {

bool g_some_promoted = false;
std::uint64_t g_promoted[k_promoted_table];

namespace {

bool add(std::uint64_t pc) {
  Promoted& promoted = g.control->promoted;
  for (std::uint32_t i = 0; i < promoted.count; ++i)
    if (promoted.pc[i] == pc) return false;
  if (promoted.count == k_max_promoted) return false;
  promoted.pc[promoted.count++] = pc;
  return true;
}

} // namespace

void load_promoted() {
  const Promoted& promoted = g.control->promoted;
  g_some_promoted = promoted.count != 0;
  for (std::uint32_t i = 0; i < promoted.count; ++i) {
    unsigned place = promoted_place(promoted.pc[i]);
    while (g_promoted[place] != 0) place = (place + 1) % k_promoted_table;
    g_promoted[place] = promoted.pc[i];
  }
}

void promote_races() {
  ControlBlock& control = *g.control;
  Findings& findings = control.findings;
  bool grown = false;
  for (; findings.handed < findings.count; ++findings.handed) {
    const FindingRecord& record = findings.record[findings.handed];
    if (control.config.accesses != VisibleAccesses::racy || record.kind != FindingKind::data_race) continue;
    for (const FindingSide& side : record.side)
      if (side.act != FindingAct::freed) grown = add(side.pc) || grown; // free() is no point
  }
  if (!grown) return;
  if (control.check.state == CheckState::recorded) control.check.state = CheckState::none; // other points now
  if (search().start_over()) ++control.promoted.rounds;
}

} // namespace reex
