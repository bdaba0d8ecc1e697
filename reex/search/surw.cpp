// Uniform random walk (URW) and its selective form (SURW).
//
// URW. The weight of a thread is the number of events that the thread and its descendants have left,
// estimated from earlier executions. An enabled thread is picked in proportion to its weight. If the
// estimates are right and no thread ever waits, every interleaving is equally likely.
//
// SURW. Only interesting events have weight, so that their interleavings are uniform.
// 1. Random priorities of events propose one of the enabled threads that are not blocked. If all are blocked,
//    all are unblocked, and no thread is intended.
// 2. If the event of the proposed thread is not interesting, it is executed.
// 3. Otherwise, if no thread is intended, one of the threads that are not blocked is drawn in proportion to
//    the weights. It is intended to execute the next interesting event. If the proposed thread is the
//    intended one, it executes its event; if not, it is blocked until the intended one has done so.
// 4. When an intended thread creates a thread, the new thread becomes the intended one with the probability
//    that its weight gives.
//
// Interesting events are those on one shared object, which several threads use and some thread writes. It is
// drawn for each execution in proportion to its use. Or they are those at code points that a change impacts;
// this is our addition.
//
// Source: H. Zhao, D. Wolff, U. Mathur and A. Roychoudhury, "Selectively Uniform Concurrency Testing", ASPLOS
// 2025.
#include "reex/search/sampling.h"

namespace reex {
namespace {

std::uint64_t& left(Sampling& sampling, std::uint16_t thread) { return sampling.state.walk.left[thread]; }

bool is_impacted(const Sampling& sampling, const Event& event) {
  return (event.bits & sampling.config.prioritization.match_mask()) != 0;
}

// Adds the events of all descendants to each thread. A thread has a higher number than its parent, except
// that the last number stands for several threads.
void weigh(Sampling& sampling, const EventCounts* counts) {
  const Profile& profile = sampling.state.profile;
  WalkState& walk = sampling.state.walk;
  for (unsigned thread = 0; thread < profile.threads; ++thread)
    walk.total[thread] = counts == nullptr ? 0 : profile.expected(*counts, thread);
  for (unsigned thread = profile.threads; thread-- > 1;)
    if (const unsigned parent = profile.parent[thread]; parent != thread)
      walk.total[parent] += walk.total[thread];
  walk.left[0] = walk.total[0];
  walk.number[0] = 0;
  walk.created = 1;
}

void begin_urw(Sampling& sampling) {
  if (sampling.learns()) sampling.state.profile.begin();
  weigh(sampling, &sampling.state.profile.all);
}

// What the child will do no longer counts for its parent.
void created_urw(Sampling& sampling, std::uint16_t parent, std::uint16_t child) {
  WalkState& walk = sampling.state.walk;
  const auto number =
      static_cast<std::uint16_t>(walk.created < k_sampled_threads ? walk.created++ : k_sampled_threads - 1);
  if (number >= sampling.state.profile.threads) walk.total[number] = 0;
  if (sampling.learns()) sampling.state.profile.note_thread(walk.number[parent], number);
  walk.number[child] = number;
  walk.left[child] = walk.total[number];
  walk.left[parent] -= walk.left[parent] < walk.left[child] ? walk.left[parent] : walk.left[child];
}

// Draws an index below `count` in proportion to the weights. At least one weight is not 0.
template <typename Weight>
unsigned draw_by_weight(Sampling& sampling, unsigned count, Weight weight) {
  std::uint64_t sum = 0;
  for (unsigned i = 0; i < count; ++i) sum += weight(i);
  std::uint64_t at = sampling.below(sum);
  unsigned i = 0;
  for (; at >= weight(i); ++i) at -= weight(i);
  return i;
}

unsigned pick_urw(Sampling& sampling, const Event* enabled, unsigned count) {
  return draw_by_weight(sampling, count, [&](unsigned i) {
    const std::uint64_t weight = left(sampling, enabled[i].thread);
    return weight == 0 ? 1 : weight; // a thread with a pending event has at least one event left
  });
}

void note(Sampling& sampling, const Event& event) {
  if (sampling.learns())
    sampling.state.profile.note(event, sampling.state.walk.number[event.thread],
                                is_impacted(sampling, event));
}

void executed_urw(Sampling& sampling, const Event& event) {
  note(sampling, event);
  if (left(sampling, event.thread) != 0) --left(sampling, event.thread);
}

void ended(Sampling& sampling) {
  if (sampling.learns()) sampling.state.profile.end(sampling.undo_log);
}

// SURW

const ProfiledObject* draw_object(Sampling& sampling) {
  const Profile& profile = sampling.state.profile;
  const auto weight = [&](unsigned i) { return profile.object[i].is_shared() ? profile.object[i].total : 0; };
  std::uint64_t sum = 0;
  for (std::uint32_t i = 0; i < profile.objects; ++i) sum += weight(i);
  if (sum == 0) return nullptr;
  return &profile.object[draw_by_weight(sampling, profile.objects, weight)];
}

bool is_interesting(const Sampling& sampling, const Event& event) {
  if (sampling.config.interesting == Interesting::impacted) return is_impacted(sampling, event);
  return event.object != 0 && event.object == sampling.state.walk.object;
}

void unblock_all(Sampling& sampling) {
  WalkState& walk = sampling.state.walk;
  walk.intended = 0;
  walk.held = 0;
  for (unsigned thread = 0; thread < walk.created; ++thread) walk.blocked[thread] = false;
}

void begin_surw(Sampling& sampling) {
  SamplingState& state = sampling.state;
  if (sampling.learns()) state.profile.begin();
  unblock_all(sampling);
  sampling.draw_priority(0);
  if (sampling.config.interesting == Interesting::impacted) {
    weigh(sampling, &state.profile.impacted);
  } else {
    const ProfiledObject* drawn = draw_object(sampling);
    state.walk.object = drawn == nullptr ? 0 : drawn->object;
    weigh(sampling, drawn == nullptr ? nullptr : &drawn->counts);
  }
}

void created_surw(Sampling& sampling, std::uint16_t parent, std::uint16_t child) {
  WalkState& walk = sampling.state.walk;
  const std::uint64_t before = walk.left[parent];
  created_urw(sampling, parent, child);
  walk.blocked[child] = false;
  sampling.draw_priority(child);
  if (walk.intended == parent + 1u && before != 0 && walk.left[child] >= 1 + sampling.below(before))
    walk.intended = child + 1u; // step 4
}

// The first of those that `is_one` names, by priority; count: there is none.
template <typename IsOne>
unsigned foremost(const Sampling& sampling, const Event* enabled, unsigned count, IsOne is_one) {
  const auto& priority = sampling.state.priority;
  unsigned first = count;
  for (unsigned i = 0; i < count; ++i)
    if (is_one(enabled[i]) &&
        (first == count || priority[enabled[i].thread] > priority[enabled[first].thread]))
      first = i;
  return first;
}

// A thread with a pending interesting event has at least one left.
void give_weight(Sampling& sampling, std::uint16_t thread) {
  if (left(sampling, thread) == 0) left(sampling, thread) = 1;
}

void intend(Sampling& sampling, const Event* enabled, unsigned count) {
  WalkState& walk = sampling.state.walk;
  const unsigned drawn = draw_by_weight(sampling, count, [&](unsigned i) {
    return walk.blocked[enabled[i].thread] ? 0 : walk.left[enabled[i].thread];
  });
  walk.intended = enabled[drawn].thread + 1u;
}

// Of those that are not blocked, all that come before this one.
void block_before(Sampling& sampling, const Event* enabled, unsigned count, unsigned next) {
  const auto& priority = sampling.state.priority;
  for (unsigned i = 0; i < count; ++i) {
    const std::uint16_t thread = enabled[i].thread;
    bool& blocked = sampling.state.walk.blocked[thread];
    if (blocked || i == next) continue;
    if (next != count) {
      const auto bar = priority[enabled[next].thread];
      if (priority[thread] < bar || (priority[thread] == bar && i > next)) continue;
    }
    give_weight(sampling, thread);
    blocked = true;
  }
}

// Steps 1 to 3 for one proposed thread after the other, up to the first one that executes its event: the
// others are blocked all at once.
unsigned pick_surw(Sampling& sampling, const Event* enabled, unsigned count) {
  WalkState& walk = sampling.state.walk;
  // The intended thread may wait for a blocked one in a way that reex does not see.
  if (++walk.held > k_patience) unblock_all(sampling);
  for (;;) {
    const auto is_open = [&](const Event& event) { return !walk.blocked[event.thread]; };
    const unsigned proposed = foremost(sampling, enabled, count, is_open);
    if (proposed == count) {
      unblock_all(sampling);
      continue;
    }
    const Event& first = enabled[proposed];
    if (is_interesting(sampling, first) && walk.intended == 0) {
      give_weight(sampling, first.thread);
      intend(sampling, enabled, count);
    }
    const unsigned next = foremost(sampling, enabled, count, [&](const Event& event) {
      return is_open(event) && (walk.intended == event.thread + 1u || !is_interesting(sampling, event));
    });
    block_before(sampling, enabled, count, next);
    if (next == count) continue; // the intended one is not enabled
    if (is_interesting(sampling, enabled[next]))
      give_weight(sampling, enabled[next].thread);
    else
      sampling.pass_over(enabled, count, next);
    return next;
  }
}

void executed_surw(Sampling& sampling, const Event& event) {
  WalkState& walk = sampling.state.walk;
  note(sampling, event);
  sampling.draw_priority(event.thread);
  walk.blocked[event.thread] = false;
  if (!is_interesting(sampling, event)) return;
  if (left(sampling, event.thread) != 0) --left(sampling, event.thread);
  if (walk.intended == event.thread + 1u) unblock_all(sampling);
}

} // namespace

const Sampler k_urw = {.wants_events = true,
                       .begin = begin_urw,
                       .pick = pick_urw,
                       .executed = executed_urw,
                       .gave_way = nullptr,
                       .created = created_urw,
                       .ended = ended};

const Sampler k_surw = {.wants_events = true,
                        .begin = begin_surw,
                        .pick = pick_surw,
                        .executed = executed_surw,
                        .gave_way = nullptr,
                        .created = created_surw,
                        .ended = ended};

} // namespace reex
