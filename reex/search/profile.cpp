#include "reex/search/profile.h"

#include <cstring>

#include "reex/search/mix.h"

namespace reex {
namespace {

template <typename Act>
void for_each_counts(Profile& profile, Act act) {
  act(profile.all);
  act(profile.impacted);
  for (std::uint32_t i = 0; i < profile.objects; ++i) act(profile.object[i].counts);
}

} // namespace

void Profile::begin() {
  if (threads == 0) threads = 1;
  for_each_counts(*this,
                  [&](EventCounts& counts) { std::memset(counts.now, 0, threads * sizeof counts.now[0]); });
}

void Profile::note_thread(std::uint16_t from, std::uint16_t child) {
  parent[child] = from;
  if (threads < child + 1u) threads = child + 1u;
}

void Profile::note(const Event& event, std::uint16_t thread, bool is_impacted) {
  ++all.now[thread];
  if (is_impacted) ++impacted.now[thread];
  if (event.object == 0) return;
  ProfiledObject* found = find_or_add(event.object);
  if (found == nullptr) return;
  ++found->counts.now[thread];
  found->written = found->written || event.writes;
  if (found->first_thread == 0) found->first_thread = thread + 1u;
  if (found->first_thread != thread + 1u) found->several_threads = true;
}

void Profile::end(UndoLog& undo_log) {
  const auto add = [&undo_log](std::uint64_t& sum, std::uint64_t more) {
    if (more == 0) return;
    undo_log.save(sum);
    sum += more;
  };
  add(executions, 1);
  for_each_counts(*this, [&](EventCounts& counts) {
    for (std::uint32_t thread = 0; thread < threads; ++thread) add(counts.sum[thread], counts.now[thread]);
  });
  for (std::uint32_t i = 0; i < objects; ++i)
    for (std::uint32_t thread = 0; thread < threads; ++thread)
      add(object[i].total, object[i].counts.now[thread]);
}

void Profile::forget() {
  std::memset(&all, 0, sizeof all);
  std::memset(&impacted, 0, sizeof impacted);
  std::memset(object, 0, objects * sizeof object[0]);
  std::memset(index, 0, sizeof index);
  executions = 0;
  objects = 0;
}

void Profile::copy(const Profile& from) {
  forget();
  layout = from.layout;
  executions = from.executions;
  threads = from.threads;
  std::memcpy(parent, from.parent, sizeof parent);
  all = from.all;
  impacted = from.impacted;
  objects = from.objects;
  std::memcpy(index, from.index, sizeof index);
  std::memcpy(object, from.object, objects * sizeof object[0]);
}

std::uint64_t Profile::expected(const EventCounts& counts, unsigned thread) const {
  return executions == 0 ? 0 : (counts.sum[thread] + executions / 2) / executions;
}

void Profile::move_to(const MemoryLayout& now) {
  const MemoryLayout before = layout;
  layout = now;
  if (objects == 0 || before == now || before.stack == 0) return;
  std::memset(index, 0, sizeof index);
  for (std::uint32_t i = 0; i < objects; ++i) {
    std::uint64_t& address = object[i].object;
    const MemoryPart part = part_of(address, before);
    address += start_of(part, now) - start_of(part, before);
    slot_of(address) = static_cast<std::uint16_t>(i + 1);
  }
}

// Of the object, or the empty one that it shall have.
std::uint16_t& Profile::slot_of(std::uint64_t address) {
  for (std::uint64_t i = mix(address);; ++i) {
    std::uint16_t& slot = index[i % k_profile_index];
    if (slot == 0 || object[slot - 1].object == address) return slot;
  }
}

ProfiledObject* Profile::find_or_add(std::uint64_t address) {
  std::uint16_t& slot = slot_of(address);
  if (slot == 0) {
    if (objects == k_profiled_objects) return nullptr;
    object[objects].object = address;
    slot = static_cast<std::uint16_t>(++objects);
  }
  return &object[slot - 1];
}

} // namespace reex
