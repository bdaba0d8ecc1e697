// Clocks. Readings do not advance virtual time, except for those of a thread that waits for the clock: it
// does nothing else, or it reads it again and again at the same place. Then the others have a turn too.
// schedule/passing.h has the other ways in which time passes. In a process that the test forked, it passes
// like real time.
#include <algorithm>
#include <cerrno>
#include <sys/time.h>
#include <sys/timeb.h>
#include <unistd.h>

#include "reex/runtime/core/enabled.h"
#include "reex/runtime/core/ending.h"
#include "reex/runtime/core/running.h"
#include "reex/runtime/core/runtime.h"
#include "reex/runtime/core/virtual_time.h"
#include "reex/runtime/core/visible.h"
#include "reex/runtime/environment/clock.h"
#include "reex/runtime/environment/process_id.h"
#include "reex/runtime/machine/platform.h"
#include "reex/runtime/machine/real_time.h"
#include "reex/runtime/order/buffers.h"
#include "reex/runtime/order/fingerprint.h"
#include "reex/runtime/order/time_ahead.h"
#include "reex/runtime/record/unexplored.h"

namespace reex {
namespace {

constexpr std::uint64_t k_second = 1000000000;
constexpr std::uint64_t k_realtime_start = 1577836800 * k_second; // 2020-01-01
constexpr std::uint64_t k_monotonic_start = 1000 * k_second;
// More clock readings than this in a row, or at one place, advance time. So a few readings in preparation of
// a wait do not: the wait lasts as long as it should, whichever of them it is measured from.
constexpr std::uint32_t k_free_reads = 16;
// Readings that advance time, of a thread that does nothing else, add a millisecond. After each 16 of them it
// is twice as much, up to a limit.
constexpr std::uint64_t k_step = 1000000;
constexpr std::uint32_t k_readings_to_double = 16;
constexpr std::uint32_t k_most_doublings = 12;
// Few poll for longer than a minute. What goes on beside others that can run hardly waits for the clock, and
// goes on with shorter steps, of four milliseconds: 16 ms * (2^12 - 1) have passed by then.
constexpr std::uint32_t k_levels = 12;
constexpr std::uint32_t k_late_doublings = 2;
// A thread that has changed something since its last reading, and has not taken it back, works: it may be
// about to write a thousand lines with the time in front, or to work until its time is up. So does one that
// others have woken: it waits for them, and not for the clock. 16 such readings together add 160
// microseconds, and after each 256 of them twice as much.
constexpr std::uint32_t k_readings_at_work = 16;
constexpr std::uint64_t k_step_at_work = 160000;
constexpr std::uint32_t k_readings_to_double_at_work = 256;
constexpr std::uint32_t k_levels_at_work = 17;        // a minute, too: 2.56 ms * (2^12 - 1 + 5 * 2^12)
constexpr std::uint32_t k_late_doublings_at_work = 6; // it may go on for a long time
constexpr std::uint32_t k_longest_hold = 500;         // operations
// Who reads the clock again and again between two works may wait for it, or only look at it: whether it is
// time to tell others how far it is, say. Natively the latter takes no time. So when the waits of a thread at
// one place have lasted for so long, and none of them by itself, they pass as slowly as work does.
constexpr std::uint64_t k_much_polled = 5 * k_second;
// Natively, who wakes up at a deadline looks at the clock after it, by 50 microseconds and more. Less is
// enough for all who compare what they have measured with the time for which they have waited.
constexpr std::uint64_t k_late = 1000;

std::uint64_t start_of(clockid_t clock) {
  switch (clock) {
  case CLOCK_REALTIME:
  case CLOCK_REALTIME_COARSE:
  case CLOCK_TAI:
    return k_realtime_start;
  default:
    return k_monotonic_start;
  }
}

constexpr clockid_t k_of_thread = 4; // in clocks of the kernel, which are negative

std::uint64_t add(std::uint64_t a, std::uint64_t b) { return a > k_never - 1 - b ? k_never - 1 : a + b; }

std::uint64_t place_of(const Fiber& self, const void* place) {
  const void* caller = g_shadow_top > self.shadow_base ? g_shadow_top[-1] : nullptr;
  return reinterpret_cast<std::uintptr_t>(place) * 31 + reinterpret_cast<std::uintptr_t>(caller);
}

// How often a thread has read the clock at one place, in the innermost loop, and how often it had done
// something since the reading there before.
struct Readings {
  std::uint32_t* count;
  ClockReads::At* at; // null before the first thread
  bool at_work;       // `count` is of the readings at work, as this one
  bool moves;         // no other place in the loop has moved time in this turn of it
  bool naps;          // the thread has slept since the last reading there
  bool is_first;      // of the thread at this place
};

// A loop until a deadline reads the clock at one place, the deadline is computed at another. When the other
// place comes again, after more readings than are free, the loop begins anew: then its readings are counted
// anew, so that time does not run faster in the hundredth loop than in the first.
ClockReads::At& reading_at(ClockReads& reads, std::uint64_t place, const ClockReads::At& fresh) {
  if (reads.last != place) reads.slices = 0;
  reads.last = place;
  unsigned i = 0;
  while (i < ClockReads::k_places && reads.at[i].place != place) ++i;
  if (i == ClockReads::k_places) {
    i = reads.next++ % ClockReads::k_places;
    reads.at[i] = fresh;
    reads.at[i].place = place;
    reads.at[i].last = reads.readings;
  }
  ClockReads::At& here = reads.at[i];
  if (++reads.readings - here.last > k_free_reads)
    for (ClockReads::At& other : reads.at)
      if (other.last > here.last) other.count = other.count_at_work = 0;
  return here;
}

// The thread has done something, after it has read the clock again and again.
void count_piece(ClockReads::At& here) {
  if (here.all_waited != g_time.all_waited) here.polled_before = 0;
  here.all_waited = g_time.all_waited;
  if (here.polls > k_free_reads && here.polled < k_much_polled) here.polled_before += here.polled;
  here.polls = 0;
  here.polled = 0;
}

Readings readings_of(Fiber& self, const void* at) {
  ClockReads& reads = self.clock;
  const ClockReads::At fresh{.writes = self.writes,
                             .notified = reads.notified,
                             .slept = reads.slept,
                             .time = g_time.now,
                             .net = self.net};
  const unsigned places = reads.next;
  ClockReads::At& here = reading_at(reads, place_of(self, at), fresh);
  const bool is_first = reads.next != places && places < ClockReads::k_places; // of the first few
  const bool moves = reads.moved <= here.last;
  here.last = reads.readings;
  count_writes(self);
  // A loop that has polled long enough to be put back, and goes on, waits for the clock, if for anything.
  const bool polls = self.loop == Loop::going_on;
  const bool worked = here.writes != self.writes || here.net != self.net || here.notified != reads.notified;
  const bool at_work = worked && !polls;
  const bool slept = here.slept != reads.slept && g_time.now - here.time >= k_step;
  here.slept = reads.slept;
  here.time = g_time.now;
  here.writes = self.writes;
  here.net = self.net;
  here.notified = reads.notified;
  // It has worked, so it begins to wait anew: a worker that polls for a millisecond before each of a thousand
  // tasks has not waited for a thousand times as long, and time must not run faster for it.
  if (at_work) here.count = 0;
  ++here.polls;
  if (worked) count_piece(here);
  std::uint32_t& count = at_work ? here.count_at_work : here.count;
  ++count;
  if (polls) count = std::max(count, k_free_reads + 1);
  return {&count, &here, at_work, moves, slept, is_first};
}

// Before the first thread: whether the thread has changed something is not known, so it counts as at work. It
// alone has let time pass, unless a reading has.
ClockReads g_alone{};
std::uint64_t g_moved_alone = 0; // by its readings

Readings readings_alone(const void* at) {
  ClockReads& reads = g_alone;
  const std::uint64_t slept = g_time.now - g_moved_alone; // so long altogether
  ClockReads::At& here = reading_at(reads, reinterpret_cast<std::uintptr_t>(at), {.time = slept});
  const bool moves = reads.moved <= here.last;
  here.last = reads.readings;
  const bool waits = slept >= here.time + k_step;
  here.time = slept;
  if (!waits) ++here.count_at_work;
  return {&here.count_at_work, nullptr, true, moves && !waits, waits, false};
}

std::uint32_t doublings(std::uint32_t level) { return std::min(level, k_most_doublings); }

// By how much a reading advances time; 0 if it does not.
std::uint64_t step_of(const Readings& readings) {
  const std::uint32_t count = *readings.count;
  if (count <= k_free_reads || !readings.moves) return 0;
  const std::uint32_t counted = count - k_free_reads - 1;
  if (!readings.at_work) {
    const std::uint32_t level = counted / k_readings_to_double;
    return k_step << (level >= k_levels && can_run_beside(g.current) ? k_late_doublings : doublings(level));
  }
  if (count % k_readings_at_work != 0) return 0;
  const std::uint32_t level = counted / k_readings_to_double_at_work;
  return k_step_at_work << (level >= k_levels_at_work ? k_late_doublings_at_work : doublings(level));
}

// The thread has waited for the clock for long, in pieces, and others nap, work, or look for what it does.
bool polls_in_pieces(const Readings& readings) {
  const ClockReads::At* at = readings.at;
  if (at == nullptr || readings.at_work || at->polled_before < k_much_polled) return false;
  return at->all_waited == g_time.all_waited &&
         (g.spinning != 0 || can_run_beside(g.current) || next_wake_beside(g.current) != k_never);
}

// Natively, the others run while a thread waits for the clock. So each who can run has a turn before it moves
// time again. A strategy that samples may keep one of them back: then it does so in the end. What this
// depends on is the same in equal states, because each call is ordered with everything.
bool holds_time_up() {
  g_time.held_up = false;
  for (const Fiber* fiber : alive())
    if (fiber != g.current && !fiber->spinning && fiber->operations == fiber->at_clock && is_enabled(*fiber))
      g_time.held_up = g_time.operations - g_time.clock_moved < k_longest_hold;
  if (g_time.held_up) return true;
  g_time.clock_moved = g_time.operations;
  for (Fiber* fiber : alive()) fiber->at_clock = fiber->operations;
  return false;
}

// Natively, the time that a thread reads is later than the one before. Here it is where the thread has done
// something in between, so that a loop that does nothing finds nothing new: it has changed something, or
// joined a thread, or reads the clock at another place.
void count_work(const Readings& readings) {
  if (!g.controlled) {
    begin_to_count_work();
    if (next_wake_beside(g.current) - g_time.now <= k_least_ahead) return;
    g_time.now += k_least_ahead; // nobody depends on it
    g_moved_alone += k_least_ahead;
    return;
  }
  ClockReads& reads = g.current->clock;
  if (readings.at_work || readings.is_first || reads.joined) go_ahead();
  reads.joined = false;
}

// Time has jumped to a deadline. Who looks at the clock first sees that it is over, so a wait takes longer
// than was asked for. All others see the same. Nobody wakes by that.
void count_lateness() {
  if (g_time.jumped == 0 || g_time.now != g_time.jumped || g.forked_off) return;
  if (next_wake_beside(g.current) - g_time.now <= k_late) return;
  move_time(g_time.now + k_late);
  if (!g.controlled) g_moved_alone += k_late;
  fingerprint_fence();
}

// How far the thread's clocks are ahead.
std::uint64_t ahead() { return g.controlled ? g.current->ahead.shown : 0; }

// Real time when virtual time was 0. Set only in a process that the test forked.
std::uint64_t g_real_start = 0;

} // namespace

void let_time_run() { g_real_start = real_now() - g_time.now; }

void catch_up_with_time() {
  if (g.forked_off) g_time.now = real_now() - g_real_start;
}

std::uint64_t nanoseconds(const timespec& time) {
  if (time.tv_sec < 0) return 0;
  const auto seconds = static_cast<std::uint64_t>(time.tv_sec);
  if (seconds > k_never / k_second - 1) return k_never - 1; // more than virtual time can be
  return seconds * k_second + static_cast<std::uint64_t>(time.tv_nsec);
}

bool is_clock(clockid_t clock) {
  constexpr clockid_t k_never_made = 10;
  if (clock >= 0) return clock <= CLOCK_TAI && clock != k_never_made;
  if (const int id = ~(clock >> 3); id >= process_id() && id < process_id() + static_cast<int>(k_max_threads))
    return (clock & 3) != 3;
  return raw_syscall(SYS_clock_getres, clock, 0) == 0; // of another process
}

clockid_t clock_of(const Fiber& thread) {
  constexpr clockid_t k_counts_running = 2;
  return (~(process_id() + static_cast<int>(thread.id)) << 3) | k_of_thread | k_counts_running;
}

bool can_wait_by(clockid_t clock) { return clock == CLOCK_REALTIME || clock == CLOCK_MONOTONIC; }

bool is_valid(const timespec& time) {
  return time.tv_nsec >= 0 && time.tv_nsec < static_cast<long>(k_second);
}

bool is_duration(const timespec& time) { return is_valid(time) && time.tv_sec >= 0; }

std::uint64_t deadline_of_wait(std::uint64_t deadline) {
  if (deadline > g_time.now) return deadline;
  return ++g.current->past_deadlines >= k_spin_reads ? g_time.now + 1 : deadline;
}

std::int64_t nanoseconds_since_epoch(clockid_t clock, const void* place) {
  return static_cast<std::int64_t>(start_of(clock) + read_clock(place));
}

std::uint64_t deadline_after(std::uint64_t duration) {
  catch_up_with_time();
  return add(g_time.now, duration);
}

std::uint64_t deadline_after(const timespec& time) { return deadline_after(nanoseconds(time)); }

std::uint64_t deadline_of(clockid_t clock, const timespec* absolute) {
  const std::uint64_t time = nanoseconds(*absolute);
  const bool processor = counts_processor_time(clock);
  const std::uint64_t start = processor ? processor_time(clock) : start_of(clock) + ahead();
  return add(time > start ? time - start : 0, processor ? g_time.now : 0);
}

std::uint64_t read_clock(const void* place) {
  if (g.beyond_limit) return read_clock_beyond_limit() + ahead();
  catch_up_with_time();
  if (g.controlled) ++g.current->clock_reads;
  if (g.active && g.live > 1) note_clock_reading(place);
  const Readings readings = g.controlled ? readings_of(*g.current, place) : readings_alone(place);
  const std::uint64_t step = g.forked_off ? 0 : step_of(readings);
  // Threads that read the clock pass their own time. One with a higher rank must not wait for that.
  if (step != 0 && g.ranked) visible(Operation::yield, nullptr, const_cast<void*>(place), REEX_FRAME);
  if (step != 0) {
    // A thread that reads on before the others could have a turn moves time all the same.
    if (!g_time.clock_waited_for && stands_still()) {
      *readings.count = k_free_reads;
    } else if (!g_time.clock_waited_for && g.controlled && holds_time_up()) {
      --*readings.count;
    } else {
      // Others who nap too shall not oversleep.
      const std::uint64_t latest = readings.naps ? next_wake_beside(g.current) : k_never;
      const std::uint64_t little = k_step_at_work / (readings.at_work ? 1 : k_readings_at_work);
      const bool others_work = readings.at_work || can_run_beside(g.current);
      const std::uint64_t whole = polls_in_pieces(readings) ? little : step;
      const std::uint64_t passes =
          std::min(others_work ? beside_guards(whole, little) : whole, latest - g_time.now);
      move_time(g_time.now + passes);
      if (readings.at != nullptr && !readings.at_work) readings.at->polled += passes;
      put_off_watchdogs(passes);
      if (!g.controlled) g_moved_alone += passes;
    }
    g_time.clock_waited_for = true; // first, the others have a turn
    ClockReads& reads = g.controlled ? g.current->clock : g_alone;
    reads.moved = reads.readings;
    fingerprint_fence();
  }
  count_lateness();
  if (!g.forked_off) count_work(readings);
  const std::uint64_t now = g_time.now + ahead();
  fingerprint_value(now);
  return now;
}

bool counts_processor_time(clockid_t clock) {
  return clock < 0 || clock == CLOCK_PROCESS_CPUTIME_ID || clock == CLOCK_THREAD_CPUTIME_ID;
}

bool is_of_other_process(clockid_t clock) {
  const int id = clock < 0 ? ~(clock >> 3) : 0;
  return id != 0 && id != process_id() && (clock & k_of_thread) == 0;
}

const Fiber* thread_of(clockid_t clock) {
  if (clock == CLOCK_THREAD_CPUTIME_ID) return g.current;
  if (clock >= 0 || (clock & k_of_thread) == 0) return nullptr;
  return live_thread(static_cast<unsigned>(~(clock >> 3) - process_id()));
}

// In a process that the test forked, one of the kernel's threads runs all of them.
std::uint64_t processor_time(clockid_t clock) {
  if (g.forked_off) {
    timespec used{};
    raw_syscall(SYS_clock_gettime, CLOCK_PROCESS_CPUTIME_ID, as_long(&used));
    return nanoseconds(used);
  }
  if (is_of_other_process(clock)) return g_time.now; // as if it always ran
  const Fiber* thread = thread_of(clock);
  const std::uint64_t not_used = thread == nullptr ? g_time.idle : thread->created + thread->idle;
  const std::uint64_t worked = thread == nullptr || thread == g.current ? ahead() : 0;
  return g_time.now - std::min(not_used, g_time.now) + worked;
}

timespec timespec_of(clockid_t clock, std::uint64_t now) {
  const std::uint64_t time = counts_processor_time(clock) ? processor_time(clock) : start_of(clock) + now;
  return {static_cast<time_t>(time / k_second), static_cast<long>(time % k_second)};
}

} // namespace reex

using namespace reex;

namespace {
int no_clock() {
  errno = EINVAL;
  return -1;
}
} // namespace

REEX_EXPORT int clock_gettime(clockid_t clock, timespec* time) noexcept {
  if (!is_clock(clock)) return no_clock();
  will_write_buffer(time, REEX_CALLER);
  *time = timespec_of(clock, read_clock(REEX_CALLER));
  writes_object(time, REEX_CALLER);
  return 0;
}

REEX_EXPORT int clock_getres(clockid_t clock, timespec* resolution) noexcept {
  if (!is_clock(clock)) return no_clock();
  will_write_buffer(resolution, REEX_CALLER);
  if (resolution != nullptr) *resolution = {0, 1};
  writes_object(resolution, REEX_CALLER);
  return 0;
}

// The real clock would be set, for all processes.
REEX_EXPORT int clock_settime(clockid_t clock, const timespec* time) noexcept {
  if (clock != CLOCK_REALTIME || !is_duration(*time)) return no_clock();
  if (geteuid() == 0) refuse("clock_settime");
  errno = EPERM;
  return -1;
}

REEX_EXPORT int gettimeofday(timeval* __restrict time, void* __restrict) noexcept {
  will_write_buffer(time, REEX_CALLER);
  const timespec now = timespec_of(CLOCK_REALTIME, read_clock(REEX_CALLER));
  *time = {now.tv_sec, now.tv_nsec / 1000};
  writes_object(time, REEX_CALLER);
  return 0;
}

REEX_EXPORT int timespec_get(timespec* time, int base) noexcept {
  if (base != TIME_UTC) return 0;
  will_write_buffer(time, REEX_CALLER);
  *time = timespec_of(CLOCK_REALTIME, read_clock(REEX_CALLER));
  writes_object(time, REEX_CALLER);
  return base;
}

REEX_EXPORT int ftime(timeb* time) noexcept {
  will_write_buffer(time, REEX_CALLER);
  const timespec now = timespec_of(CLOCK_REALTIME, read_clock(REEX_CALLER));
  *time = {now.tv_sec, static_cast<unsigned short>(now.tv_nsec / 1000000), 0, 0};
  writes_object(time, REEX_CALLER);
  return 0;
}

REEX_EXPORT time_t time(time_t* out) noexcept {
  will_write_buffer(out, REEX_CALLER);
  const time_t seconds = timespec_of(CLOCK_REALTIME, read_clock(REEX_CALLER)).tv_sec;
  if (out != nullptr) *out = seconds;
  writes_object(out, REEX_CALLER);
  return seconds;
}

REEX_EXPORT clock_t clock() noexcept {
  read_clock(REEX_CALLER);
  return static_cast<clock_t>(processor_time(CLOCK_PROCESS_CPUTIME_ID) / 1000);
}

// std::chrono::steady_clock::now and system_clock::now of libstdc++ and of libc++, whose own would hide the
// place of the call.
REEX_EXPORT std::int64_t _ZNSt6chrono3_V212steady_clock3nowEv() noexcept {
  return nanoseconds_since_epoch(CLOCK_MONOTONIC, REEX_CALLER);
}

REEX_EXPORT std::int64_t _ZNSt6chrono3_V212system_clock3nowEv() noexcept {
  return nanoseconds_since_epoch(CLOCK_REALTIME, REEX_CALLER);
}

REEX_EXPORT std::int64_t _ZNSt3__16chrono12steady_clock3nowEv() noexcept {
  return nanoseconds_since_epoch(CLOCK_MONOTONIC, REEX_CALLER);
}

// It counts microseconds.
REEX_EXPORT std::int64_t _ZNSt3__16chrono12system_clock3nowEv() noexcept {
  return nanoseconds_since_epoch(CLOCK_REALTIME, REEX_CALLER) / 1000;
}
