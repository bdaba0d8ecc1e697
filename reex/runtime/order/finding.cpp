#include "reex/runtime/order/finding.h"

#include <algorithm>
#include <cstring>

#include "reex/runtime/core/runtime.h"
#include "reex/runtime/order/promoted.h"
#include "reex/runtime/record/trace.h"

namespace reex {
namespace {

// The key does not depend on which of the two instructions comes first.
std::uint64_t key_of(FindingKind kind, std::uint64_t a, std::uint64_t b) {
  if (a > b) return key_of(kind, b, a);
  std::uint64_t key = static_cast<std::uint64_t>(kind) + 1;
  for (const std::uint64_t value : {a, b}) key = (key ^ value) * 0x9e3779b97f4a7c15 ^ key >> 29;
  return key;
}

// The place in the index that holds the record with this key, or 0 if the record is new.
std::uint16_t& place_of(std::uint64_t key) {
  Findings& findings = g.control->findings;
  for (std::uint64_t i = key;; ++i) {
    std::uint16_t& place = findings.index[i % k_finding_index];
    if (place == 0 || findings.record[place - 1].key == key) return place;
  }
}

// Of the last ones that were met without a record.
bool was_met(std::uint64_t key) {
  const Findings& findings = g.control->findings;
  const std::uint64_t* const end = findings.met + std::min(findings.met_count, k_met);
  return std::find(findings.met, end, key) != end;
}

// Appends as a whole: a process that is killed meanwhile leaves no half of a record.
void append(std::uint16_t& place, const FindingRecord& record) {
  Findings& findings = g.control->findings;
  if (findings.count == k_max_findings) {
    findings.overflow = true;
    return;
  }
  const Transaction whole(g.control->frontier.undo_log);
  g.control->frontier.undo_log.save(findings.count);
  g.control->frontier.undo_log.save(place);
  findings.record[findings.count] = record;
  place = static_cast<std::uint16_t>(++findings.count);
}

void capture(FindingSide& side) {
  Inside inside;
  side.depth = static_cast<std::uint8_t>(walk_stack(side.stack, k_max_stack));
  side.step = g.control->trace.steps;
}

FindingSide side_of(void* pc, unsigned thread, FindingAct act) {
  return {.pc = reinterpret_cast<std::uint64_t>(pc),
          .thread = static_cast<std::uint16_t>(thread),
          .act = act,
          .size = 0,
          .depth = 0,
          .step = 0,
          .stack = {}};
}

void report_held(FindingKind kind, const Mutex& mutex, FindingAct act, void* pc) {
  if (!g.controlled || mutex.owner < 0) return; // a thread of another process: it has no stack here
  report_finding(kind, reinterpret_cast<std::uint64_t>(&mutex),
                 side_of(mutex.locked_at, static_cast<unsigned>(mutex.owner - 1), FindingAct::held),
                 side_of(pc, g.current->id, act));
}

// The first finding whose stacks are of interest. A replay is asked for findings of its earlier executions,
// too.
std::uint32_t first_wanted() {
  return g.control->config.task == Task::replay ? 0 : g.control->findings.handed;
}

// Findings from here on are new in this execution, whose first sides went by unseen.
std::uint32_t g_known = 0;

bool wanted(const FindingRecord& record) {
  const auto index = &record - g.control->findings.record;
  return !record.captured && index >= first_wanted() && index < g_known;
}

} // namespace

void report_finding(FindingKind kind, std::uint64_t object, const FindingSide& first,
                    const FindingSide& last) {
  if (g.beyond_limit) return; // no execution as others make it
  if (is_race(kind))
    for (const FindingSide* side : {&first, &last})
      if (!ends_memory(side->act)) note_race(side->pc);
  if (kind == FindingKind::address_kept) note_race(k_addresses_come_again);
  if (kind == FindingKind::code_entered) note_race(k_code_is_entered);
  const std::uint64_t key = key_of(kind, first.pc, last.pc);
  std::uint16_t& place = place_of(key);
  if (place == 0) {
    append(place, {.key = key,
                   .kind = kind,
                   .captured = false,
                   .shown = g.detail,
                   .certain = !has_unseen_code() || was_met(key),
                   .object = object,
                   .schedule = g.control->status.schedules.load() + 1,
                   .side = {first, last}});
    return;
  }
  FindingRecord& record = g.control->findings.record[place - 1];
  record.certain = record.certain || !has_unseen_code();
  if (!g.detail) return;
  record.shown = true;
  if (!wanted(record)) return;
  if (record.side[1].pc != 0) capture(record.side[1]);
  record.captured = true;
}

// A race is found when the later access is executed, and that may be the first time.
void note_met(std::uint64_t pc, std::uint64_t other_pc) {
  Findings& findings = g.control->findings;
  const std::uint64_t key = key_of(FindingKind::data_race, pc, other_pc);
  if (const std::uint16_t place = place_of(key); place != 0)
    findings.record[place - 1].certain = true;
  else if (!was_met(key))
    findings.met[findings.met_count++ % k_met] = key;
}

void witness(const void* address, std::size_t size, void* pc) {
  Findings& findings = g.control->findings;
  const auto low = reinterpret_cast<std::uint64_t>(address);
  for (std::uint32_t i = first_wanted(); i < findings.count; ++i) {
    FindingRecord& record = findings.record[i];
    FindingSide& first = record.side[0];
    if (!record.captured && first.pc == reinterpret_cast<std::uint64_t>(pc) &&
        first.thread == g.current->id && record.object >= low && record.object < low + size)
      capture(first);
  }
}

void witness_creation(const Fiber& thread) {
  if (!g.detail) return;
  Findings& findings = g.control->findings;
  for (std::uint32_t i = first_wanted(); i < findings.count; ++i) {
    FindingRecord& record = findings.record[i];
    const FindingSide& side = record.side[0];
    const bool is_of_thread =
        record.kind == FindingKind::never_joined || record.kind == FindingKind::gone_thread;
    if (is_of_thread && side.act == FindingAct::created && side.thread == thread.id &&
        side.pc == reinterpret_cast<std::uint64_t>(thread.created_at))
      capture(record.side[0]);
  }
}

void report_unjoined() {
  if (g.exiting != 0) return; // another thread ended the process, perhaps on main's behalf
  for (unsigned slot = 1; slot < g.fibers; ++slot) {
    const Fiber& thread = g_fibers[slot];
    if (thread.joined || thread.detached) continue;
    report_finding(FindingKind::never_joined, 0, side_of(thread.created_at, thread.id, FindingAct::created),
                   {});
  }
}

Fiber* fiber_named(pthread_t thread, void* pc) {
  Fiber* const named = fiber_of(thread);
  const Fiber* const gone = named == nullptr && g.controlled ? gone_fiber(thread) : nullptr;
  if (gone != nullptr)
    report_finding(FindingKind::gone_thread, 0, side_of(gone->created_at, gone->id, FindingAct::created),
                   side_of(pc, g.current->id, FindingAct::used));
  return named;
}

void report_destroyed(const Mutex& mutex, void* pc) {
  report_held(FindingKind::destroyed_while_held, mutex, FindingAct::destroyed, pc);
}

void report_stranger(const Mutex& mutex, void* pc) {
  report_held(FindingKind::unlocked_by_stranger, mutex, FindingAct::unlocked, pc);
}

void report_woken(const void* object, void* pc) {
  report_finding(FindingKind::woken_after_free, reinterpret_cast<std::uint64_t>(object), {},
                 side_of(pc, g.current->id, FindingAct::woken));
}

void report_address_kept(void* pc) {
  report_finding(FindingKind::address_kept, 0, {}, side_of(pc, g.current->id, FindingAct::atomic_read));
}

void report_code_entered() {
  void* const pc = reinterpret_cast<void*>(k_code_is_entered); // one of them is enough
  report_finding(FindingKind::code_entered, 0, {}, side_of(pc, g.current->id, FindingAct::used));
}

namespace {

// In the place of a return address. Those behind the call of a frame's function are looked up one byte
// before.
void* end_of(const Fiber& thread) {
  const auto function =
      thread.start != nullptr ? reinterpret_cast<std::uintptr_t>(thread.start) : thread.entry;
  return reinterpret_cast<void*>(function + 1);
}

} // namespace

void report_async_target(const Fiber& thread) {
  if (!g.controlled || is_async_target(thread)) return;
  const FindingSide end = side_of(end_of(thread), thread.id, FindingAct::used);
  report_finding(FindingKind::expected_race, 0, end, end);
}

bool is_async_target(const Fiber& thread) { return is_promoted(end_of(thread)); }

void witness_locked(const Mutex& mutex) {
  if (!g.detail) return;
  Findings& findings = g.control->findings;
  for (std::uint32_t i = first_wanted(); i < findings.count; ++i) {
    FindingRecord& record = findings.record[i];
    FindingSide& first = record.side[0];
    if (!record.captured && first.act == FindingAct::held &&
        record.object == reinterpret_cast<std::uint64_t>(&mutex) && first.thread == g.current->id)
      capture(first);
  }
}

void begin_showing() {
  Findings& findings = g.control->findings;
  g_known = findings.count;
  for (std::uint32_t i = 0; i < g_known; ++i) findings.record[i].shown = false;
}

bool new_findings() { return g.control->findings.count > g.control->findings.handed; }

} // namespace reex
