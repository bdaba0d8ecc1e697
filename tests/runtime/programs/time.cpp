// Time passes while threads run. Natively each scenario ends with status 0, except for three: long_work may
// fail, long_work_is_done does fail, and the alarm of guarded_sleeps ends it.
#include <algorithm>
#include <atomic>
#include <cassert>
#include <cerrno>
#include <chrono>
#include <condition_variable>
#include <csignal>
#include <mutex>
#include <semaphore>
#include <thread>
#include <vector>

#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <sys/resource.h>
#include <sys/select.h>
#include <sys/time.h>
#include <unistd.h>

#include "scenario.h"

namespace {

using namespace std::chrono;

std::atomic<bool> stop{false};
std::atomic<long> done{0};
std::mutex mutex;
volatile std::sig_atomic_t told = 0;
volatile unsigned computed = 0;

void work() {
  while (!stop) ++done;
}

void work_under_a_lock() {
  long own = 0;
  while (!stop) {
    std::lock_guard lock(mutex);
    ++own;
  }
  done += own;
}

void until_told() {
  std::thread a(work_under_a_lock);
  std::thread b(work);
  std::this_thread::sleep_for(50ms);
  stop = true;
  a.join();
  b.join();
  assert(done > 0);
}

// A loop of four operations, which divide a time slice. At two of them it has the lock: if one of these is
// where a slice ends, it is there at each end. The phases try all of them.
void in_step_with_slices() {
  std::atomic<int> before{0}, inside{0};
  for (int phase = 0; phase < 4; ++phase) {
    ++before;
    bool finished = false;
    std::thread a([&finished] {
      std::lock_guard lock(mutex);
      finished = true;
    });
    for (bool over = false; !over;) {
      ++before;
      std::lock_guard lock(mutex);
      over = finished;
      ++inside;
    }
    a.join();
  }
}

void ten_seconds() {
  std::thread a(work);
  const auto begin = steady_clock::now();
  std::this_thread::sleep_for(10s);
  assert(steady_clock::now() - begin >= 10s);
  stop = true;
  a.join();
}

void a_hundred_naps() {
  std::thread a(work);
  const auto begin = steady_clock::now();
  for (int i = 0; i < 100; ++i) std::this_thread::sleep_for(1ms);
  assert(steady_clock::now() - begin >= 100ms);
  stop = true;
  a.join();
}

// Some threads work until they are told to stop, and one naps. Another one is done long before half a second
// is over: natively it runs beside them.
void takes_steps_beside(std::vector<std::thread> threads) {
  std::atomic<int> steps{0};
  threads.emplace_back([&] {
    for (int i = 0; i < 400; ++i) ++steps;
  });
  std::this_thread::sleep_for(500ms);
  assert(steps == 400);
  stop = true;
  for (std::thread& thread : threads) thread.join();
}

void starts_beside_others() {
  constexpr int k_busy = 4;
  std::vector<std::thread> threads;
  for (int i = 0; i < k_busy; ++i) threads.emplace_back(work);
  threads.emplace_back([] {
    while (!stop) std::this_thread::sleep_for(10ms);
  });
  takes_steps_beside(std::move(threads));
}

// The same beside threads that read the clock until they are told to stop.
void starts_beside_readers() {
  constexpr int k_readers = 4;
  std::vector<std::thread> threads;
  for (int i = 0; i < k_readers; ++i)
    threads.emplace_back([] {
      for (auto last = steady_clock::now(); !stop; ++done) last = std::max(last, steady_clock::now());
    });
  takes_steps_beside(std::move(threads));
}

// A lap is long enough for each of many threads that do nothing but work.
void works_in_crowds() {
  constexpr int k_busy = 60;
  std::vector<std::thread> threads;
  for (int i = 0; i < k_busy; ++i)
    threads.emplace_back([] {
      bool worked = false;
      for (; !stop; worked = true) ++done;
      assert(worked);
    });
  std::this_thread::sleep_for(1s);
  stop = true;
  for (std::thread& thread : threads) thread.join();
}

// Who waits for short times has waited often when a long wait is over.
void naps_beside_a_sleep() {
  std::thread busy(work);
  std::atomic<int> naps{0};
  std::thread napping([&] {
    for (; !stop; ++naps) std::this_thread::sleep_for(10ms);
  });
  std::this_thread::sleep_for(500ms);
  assert(naps >= 3);
  stop = true;
  busy.join();
  napping.join();
}

// One thread says every 10 ms that it is alive, and another one looks at that: the time that passes for a
// long sleep passes for both.
void heartbeats_beside(seconds sleep) {
  std::atomic<steady_clock::duration> beat{steady_clock::now().time_since_epoch()};
  std::thread busy(work);
  std::thread beats([&] {
    for (; !stop; std::this_thread::sleep_for(10ms)) beat = steady_clock::now().time_since_epoch();
  });
  std::thread watches([&] {
    for (; !stop; std::this_thread::sleep_for(20ms))
      assert(steady_clock::now().time_since_epoch() - beat.load() < 500ms);
  });
  std::this_thread::sleep_for(sleep);
  stop = true;
  for (std::thread* thread : {&busy, &beats, &watches}) thread->join();
}

void heartbeats() { heartbeats_beside(2s); }
void heartbeats_of_a_minute() { heartbeats_beside(60s); }

// The lock is held but for a moment in each turn.
void naps_with_the_lock() {
  std::mutex lock_of_naps;
  bool last = false;
  std::thread naps([&] {
    for (;;) {
      const std::lock_guard lock(lock_of_naps);
      if (last) return;
      std::this_thread::sleep_for(1ms);
    }
  });
  std::thread other([] {
    for (int turn = 0; turn < 3; ++turn) std::this_thread::sleep_for(3ms);
  });
  {
    const std::lock_guard lock(lock_of_naps);
    last = true;
  }
  naps.join();
  other.join();
}

// The same with a unit of a semaphore: nobody holds it.
void naps_with_a_unit() {
  std::counting_semaphore<1> units(1);
  std::atomic<bool> last{false};
  std::thread naps([&] {
    while (!last) {
      units.acquire();
      std::this_thread::sleep_for(1ms);
      units.release();
    }
  });
  units.acquire();
  last = true;
  units.release();
  naps.join();
}

// A lock that is polled for a second at most, beside an owner who sleeps for two.
void gives_up_a_lock(bool yields) {
  std::atomic<int> locked{1};
  std::thread owner([&] {
    std::this_thread::sleep_for(2s);
    locked = 0;
  });
  bool got = false;
  const auto end = steady_clock::now() + 1s;
  while (!got && steady_clock::now() < end) {
    int no = 0;
    got = locked.compare_exchange_strong(no, 1);
    if (yields) std::this_thread::yield();
  }
  assert(!got && steady_clock::now() - end < 900ms);
  owner.join();
}
void gives_up_a_lock_at_once() { gives_up_a_lock(false); }
void gives_up_a_lock_and_yields() { gives_up_a_lock(true); }

// Two hand each other the turn until a third, with a higher number, says stop.
void hands_over_the_turn() {
  std::mutex own;
  std::condition_variable changed;
  int turn = 0;
  bool over = false;
  const auto play = [&](int me) {
    std::unique_lock lock(own);
    while (!over) {
      changed.wait(lock, [&] { return over || turn == me; });
      turn = 1 - me;
      changed.notify_all();
    }
  };
  std::thread a(play, 0);
  std::thread b(play, 1);
  std::thread referee([&] {
    for (int i = 0; i < 3; ++i) ++done;
    const std::lock_guard lock(own);
    over = true;
    changed.notify_all();
  });
  a.join();
  b.join();
  referee.join();
}

// Jobs come one by one until each worker has had one.
void each_worker_gets_a_job() {
  std::mutex own;
  std::condition_variable jobs, idle;
  int waiting = 0;
  bool job = false, over = false;
  std::vector<int> had(3);
  std::vector<std::thread> workers;
  for (int i = 0; i < 3; ++i)
    workers.emplace_back([&, i] {
      std::unique_lock lock(own);
      for (;;) {
        ++waiting;
        idle.notify_one();
        jobs.wait(lock, [&] { return job || over; });
        --waiting;
        if (over) return;
        job = false;
        ++had[static_cast<unsigned>(i)];
      }
    });
  {
    std::unique_lock lock(own);
    while (*std::min_element(had.begin(), had.end()) == 0) {
      idle.wait(lock, [&] { return waiting == 3; });
      job = true;
      jobs.notify_one();
      idle.wait(lock, [&] { return !job; });
    }
    over = true;
    jobs.notify_all();
  }
  for (std::thread& worker : workers) worker.join();
}

// Natively, the work takes milliseconds: no guard ends by its time. Too much to wait patiently for it.
void guarded_by_seconds() {
  std::mutex own;
  std::condition_variable ready;
  bool all = false;
  std::atomic<int> left{60000};
  std::vector<std::thread> workers;
  for (int i = 0; i < 2; ++i)
    workers.emplace_back([&] {
      while (left.fetch_sub(1) > 0) sched_yield();
      const std::lock_guard lock(own);
      all = true;
      ready.notify_all();
    });
  {
    std::unique_lock lock(own);
    assert(ready.wait_for(lock, 5s, [&] { return all; }));
  }
  for (std::thread& worker : workers) worker.join();
}

// Natively, the work takes some milliseconds. A sleep that is longer than the guard's time does not end it.
void guarded_beside_a_long_sleep() {
  std::mutex own;
  std::condition_variable ready;
  bool all = false;
  std::atomic<int> steps{0};
  std::thread([] { std::this_thread::sleep_for(60s); }).detach();
  std::thread guard([&] {
    std::unique_lock lock(own);
    assert(ready.wait_for(lock, 5s, [&] { return all; }));
  });
  for (int i = 0; i < 400000; ++i) ++steps;
  {
    const std::lock_guard lock(own);
    all = true;
    ready.notify_one();
  }
  guard.join();
}

// The workers of a pool look for tasks for a millisecond by the clock, before they wait to be notified.
void guarded_beside_pollers() {
  std::mutex own;
  std::condition_variable ready;
  std::condition_variable over;
  bool all = false;
  std::atomic<int> tasks{0};
  std::atomic<int> steps{0};
  std::atomic<bool> last{false};
  const auto take = [&] {
    int seen = tasks;
    return seen > 0 && tasks.compare_exchange_strong(seen, seen - 1);
  };
  std::thread guard([&] {
    std::unique_lock lock(own);
    assert(over.wait_for(lock, 5s, [&] { return all; }));
  });
  std::vector<std::thread> pool;
  std::mutex of_pool;
  for (int i = 0; i < 2; ++i)
    pool.emplace_back([&] {
      while (!last) {
        const auto limit = steady_clock::now() + 1ms;
        bool got = false;
        do {
          got = take();
        } while (!got && !last && steady_clock::now() < limit);
        if (got) {
          for (int k = 0; k < 5; ++k) ++steps;
          continue;
        }
        std::unique_lock lock(of_pool);
        ready.wait(lock, [&] { return last || tasks > 0; });
      }
    });
  for (int i = 0; i < 1000; ++i) {
    for (int k = 0; k < 20; ++k) ++steps;
    const std::lock_guard lock(of_pool);
    ++tasks;
    ready.notify_one();
  }
  {
    const std::lock_guard lock(of_pool);
    last = true;
    ready.notify_all();
  }
  for (std::thread& worker : pool) worker.join();
  {
    const std::lock_guard lock(own);
    all = true;
    over.notify_one();
  }
  guard.join();
}

// The guard naps and looks at the clock.
void guarded_by_naps() {
  std::atomic<int> left{60000};
  std::atomic<bool> over{false};
  std::thread worker([&] {
    while (left.fetch_sub(1) > 0) sched_yield();
    over = true;
  });
  const auto limit = steady_clock::now() + 20s;
  while (!over) {
    assert(steady_clock::now() < limit);
    std::this_thread::sleep_for(100ms);
  }
  worker.join();
}

// Each phase of the work ends by itself, with a nap of all: five seconds of a phase are not over before.
void works_in_phases(int phases, int work, std::chrono::seconds limit, std::atomic<int>& steps) {
  std::mutex own;
  std::condition_variable awaited;
  int phase = 0;
  std::thread waiter([&] {
    std::unique_lock lock(own);
    for (int i = 1; i <= phases; ++i) assert(awaited.wait_for(lock, limit, [&] { return phase >= i; }));
  });
  for (int i = 1; i <= phases; ++i) {
    for (int k = 0; k < work; ++k) ++steps;
    {
      const std::lock_guard lock(own);
      phase = i;
    }
    awaited.notify_one();
    std::this_thread::sleep_for(150ms);
  }
  waiter.join();
}

void works_in_ten_phases() {
  std::atomic<int> steps{0};
  works_in_phases(10, 15000, 5s, steps);
}

// Work beside nothing but a guard says nothing about the sleeps that follow.
void works_beside_a_guard_first() {
  std::atomic<int> steps{0};
  works_in_phases(1, 120000, 20s, steps);
  works_in_phases(1, 8000, 5s, steps);
}

// Work that needs no time has taken some all the same, from before the first thread and among others.
void measures_until_the_join() {
  std::atomic<int> steps{0};
  std::atomic<bool> over{false};
  const auto work = [&] {
    for (int i = 0; i < 3; ++i) ++steps;
  };
  auto begin = std::chrono::steady_clock::now();
  std::thread idle([&] { over.wait(false); });
  for (int i = 0; i < 2; ++i) {
    std::thread worker(work);
    worker.join();
    const auto end = std::chrono::steady_clock::now();
    assert(end > begin && end < begin + 1ms);
    begin = end;
  }
  over = true;
  over.notify_one();
  idle.join();
  assert(std::chrono::steady_clock::now() > begin);
}

// What a thread dates comes before what is dated behind its join, also if time has passed since the joiner
// looked at the clock.
void dates_behind_the_join() {
  using std::chrono::steady_clock;
  std::atomic<bool> over{false};
  std::thread idle([&] { over.wait(false); });
  std::this_thread::sleep_for(1ms);
  const auto begin = steady_clock::now();
  steady_clock::time_point dated[2];
  std::thread workers[2];
  for (int i = 0; i < 2; ++i)
    workers[i] = std::thread([&, i] {
      std::this_thread::sleep_for(1ms);
      dated[i] = steady_clock::now();
    });
  for (std::thread& worker : workers) worker.join();
  const auto end = steady_clock::now();
  assert(dated[0] > begin && end > dated[0] && end > dated[1] && end < begin + 5ms);
  over = true;
  over.notify_one();
  idle.join();
}

// Each piece of a thread's work has taken time, also if it is measured at the same place as the one before.
// Threads that share nothing stay independent.
void measures_work() {
  using std::chrono::steady_clock;
  const auto measure = [] {
    std::vector<int> own(3);
    std::mutex lock;
    for (int& each : own) {
      const auto begin = steady_clock::now();
      timespec used[2];
      clock_gettime(CLOCK_THREAD_CPUTIME_ID, &used[0]);
      const std::clock_t all = std::clock();
      lock.lock();
      ++each;
      lock.unlock();
      assert(std::clock() > all);
      clock_gettime(CLOCK_THREAD_CPUTIME_ID, &used[1]);
      assert(used[1].tv_sec == used[0].tv_sec && used[1].tv_nsec > used[0].tv_nsec);
      const auto end = steady_clock::now();
      assert(end > begin && end - begin < 1ms);
    }
  };
  std::thread threads[3];
  for (std::thread& thread : threads) thread = std::thread(measure);
  for (std::thread& thread : threads) thread.join();
}

// What others do, and hand to each other, takes them time: whoever waits for them measures it.
void measures_an_exchange() {
  using std::chrono::steady_clock;
  std::mutex lock;
  std::condition_variable full;
  std::condition_variable empty;
  std::condition_variable ended;
  bool is_full = false;
  bool over = false;
  const auto begin = steady_clock::now();
  std::thread writer([&] {
    for (int item = 0; item < 500; ++item) {
      std::unique_lock guard(lock);
      empty.wait(guard, [&] { return !is_full; });
      is_full = true;
      full.notify_one();
    }
  });
  std::thread reader([&] {
    for (int item = 0; item < 500; ++item) {
      std::unique_lock guard(lock);
      full.wait(guard, [&] { return is_full; });
      is_full = false;
      empty.notify_one();
    }
    const std::lock_guard guard(lock);
    over = true;
    ended.notify_one();
  });
  {
    std::unique_lock guard(lock);
    ended.wait(guard, [&] { return over; });
  }
  const auto took = steady_clock::now() - begin;
  assert(took > 1ms && took < 100ms);
  writer.join();
  reader.join();
}

// Before the first thread, time passes with what main does.
void measures_alone() {
  using std::chrono::steady_clock;
  const auto begin = steady_clock::now();
  assert(steady_clock::now() > begin);
  std::vector<int> own(1000);
  for (int turn = 0; turn < 1000; ++turn)
    for (int& each : own) each += turn;
  const auto worked = steady_clock::now() - begin;
  assert(worked > 20us && worked < 100ms);
  std::mutex lock;
  for (int turn = 0; turn < 10000; ++turn) const std::lock_guard guard(lock);
  const auto locked = steady_clock::now() - begin - worked;
  assert(locked > 20us && locked < 100ms);
  std::thread([] {}).join();
}

// What a thread computes takes time for itself, and for who waits for it.
void measures_a_computation() {
  using std::chrono::steady_clock;
  const auto begin = steady_clock::now();
  std::thread computes([] {
    std::vector<int> own(1000);
    const auto compute = [&] {
      for (int turn = 0; turn < 100; ++turn)
        for (int& each : own) each += turn;
    };
    const auto start = steady_clock::now();
    compute();
    const auto took = steady_clock::now() - start;
    assert(took > 20us && took < 100ms);
    compute();
  });
  computes.join();
  const auto took = steady_clock::now() - begin;
  assert(took > 40us && took < 200ms);
}

// What a thread has dated comes before what those date who learn of it, however they learn.
void dates_before_what_follows() {
  using std::chrono::steady_clock;
  using Time = steady_clock::duration;
  const auto now = [] { return steady_clock::now().time_since_epoch(); };
  std::atomic<Time> relaxed{Time::zero()};
  std::mutex lock;
  std::condition_variable dated;
  Time locked = Time::zero();
  int ends[2];
  assert(pipe(ends) == 0);
  std::thread thread([&] {
    std::vector<Time> own(8);
    for (Time& each : own) each = now(); // it is ahead
    relaxed.store(now(), std::memory_order_relaxed);
    {
      const std::lock_guard guard(lock);
      locked = now();
    }
    dated.notify_one();
    const Time sent = now();
    assert(write(ends[1], &sent, sizeof sent) == sizeof sent);
  });
  if (const Time seen = relaxed.load(std::memory_order_relaxed); seen != Time::zero()) assert(now() > seen);
  {
    std::unique_lock guard(lock);
    dated.wait(guard, [&] { return locked != Time::zero(); });
    assert(now() > locked);
  }
  Time got;
  assert(read(ends[0], &got, sizeof got) == sizeof got);
  assert(now() > got);
  thread.join();
  for (const int end : ends) close(end);
}

std::chrono::steady_clock::time_point g_sent;

void dates_before_its_signal() {
  static std::atomic<int> handled;
  handled = 0;
  std::signal(SIGUSR1, [](int) {
    assert(std::chrono::steady_clock::now() >= g_sent);
    handled = 1;
  });
  const pthread_t self = pthread_self();
  std::thread thread([&] {
    std::vector<std::chrono::steady_clock::time_point> own(8);
    for (auto& each : own) each = std::chrono::steady_clock::now(); // it is ahead
    g_sent = std::chrono::steady_clock::now();
    pthread_kill(self, SIGUSR1);
  });
  thread.join();
  while (handled == 0) std::this_thread::yield();
}

// Who is idle naps, and each step of the work wakes main, which waits on until the same time.
void guarded_beside_naps() {
  std::mutex own;
  std::condition_variable stepped;
  int steps = 0;
  std::vector<std::thread> idle;
  for (int i = 0; i < 2; ++i)
    idle.emplace_back([] {
      while (!stop) std::this_thread::sleep_for(64ms);
    });
  std::thread worker([&] {
    for (int i = 0; i < 20000; ++i) {
      const std::lock_guard lock(own);
      ++steps;
      stepped.notify_all();
    }
  });
  {
    std::unique_lock lock(own);
    assert(stepped.wait_for(lock, 10s, [&] { return steps == 20000; }));
  }
  stop = true;
  worker.join();
  for (std::thread& thread : idle) thread.join();
}

// Some naps make slices short. The laps of a guard are as long as before.
void guarded_behind_naps() {
  constexpr int k_naps = 8;
  constexpr int k_work = 300000;
  std::mutex own;
  std::condition_variable ready;
  bool all = false;
  std::atomic<int> steps{0};
  std::thread guard([&] {
    std::unique_lock lock(own);
    assert(ready.wait_for(lock, 5s, [&] { return all; }));
  });
  std::thread worker([&] {
    for (int i = 0; i < k_work; ++i) ++steps;
    const std::lock_guard lock(own);
    all = true;
    ready.notify_all();
  });
  for (int i = 0; i < k_naps; ++i) std::this_thread::sleep_for(1ms);
  worker.join();
  guard.join();
}

// More naps than anybody waits for.
void naps_beside_an_hour() {
  std::thread busy(work);
  std::thread naps([] {
    while (!stop) std::this_thread::sleep_for(1ms);
  });
  const auto begin = steady_clock::now();
  std::this_thread::sleep_for(1h);
  assert(steady_clock::now() - begin < 61min);
  stop = true;
  busy.join();
  naps.join();
}

// Before the first thread: many waits, each as long as it has asked for, and many readings, whose time is
// about that which they take. A loop until a deadline ends.
void before_the_first() {
  std::mutex own;
  std::condition_variable never;
  for (int turn = 0; turn < 100; ++turn) {
    std::unique_lock lock(own);
    const auto begin = steady_clock::now();
    assert(never.wait_for(lock, 50ms) == std::cv_status::timeout);
    const auto end = steady_clock::now();
    assert(end - begin >= 50ms && end - begin < 52ms);
  }
  const auto begin = steady_clock::now();
  for (int line = 0; line < 200; ++line) assert(steady_clock::now() - begin < 10ms);
  while (steady_clock::now() < begin + 10s)
    ;
  std::thread a(work);
  stop = true;
  a.join();
}

// Calls that wait for descriptors let as much time pass as they wait for, and a minute of sleep takes none.
void polls_before_the_first() {
  int ends[2];
  assert(pipe(ends) == 0);
  const auto begin = steady_clock::now();
  timeval minute{60, 0};
  assert(select(0, nullptr, nullptr, nullptr, &minute) == 0);
  assert(minute.tv_sec == 0 && minute.tv_usec == 0);
  assert(steady_clock::now() - begin >= 60s);
  assert(poll(nullptr, 0, 60000) == 0);
  assert(steady_clock::now() - begin >= 120s);
  pollfd waited{ends[0], POLLIN, 0};
  assert(poll(&waited, 1, 20) == 0);
  const auto end = steady_clock::now();
  assert(end - begin >= 120s + 20ms && end - begin < 130s);
  assert(write(ends[1], "", 1) == 1);
  assert(poll(&waited, 1, 20) == 1);
  const timespec none{-1, 0};
  assert(ppoll(nullptr, 0, &none, nullptr) == -1 && errno == EINVAL);
  std::thread a(work);
  stop = true;
  a.join();
}

void timed_waits() {
  std::thread a(work);
  std::mutex own;
  std::condition_variable never;
  std::unique_lock lock(own);
  assert(never.wait_for(lock, 20ms) == std::cv_status::timeout);
  std::timed_mutex held;
  held.lock();
  std::thread b([&] {
    const auto system = system_clock::now();
    assert(!held.try_lock_for(20ms));
    assert(system_clock::now() - system >= 20ms);
  });
  b.join();
  held.unlock();
  stop = true;
  a.join();
}

// Natively, no wait is over exactly at its time. Who waits, who joins, and who is notified by who has waited
// see that. Waits that end together still do.
void takes_longer_than_asked() {
  const auto alone = steady_clock::now();
  std::this_thread::sleep_for(10ms);
  assert(steady_clock::now() - alone > 10ms);
  const auto system = system_clock::now();
  std::thread a([] {
    const auto begin = steady_clock::now();
    std::this_thread::sleep_for(10ms);
    assert(steady_clock::now() - begin > 10ms);
  });
  a.join();
  assert(system_clock::now() - system > 10ms);
  std::mutex own;
  std::condition_variable changed;
  bool over = false;
  const auto begin = steady_clock::now();
  std::thread b([&] {
    std::this_thread::sleep_until(begin + 20ms);
    std::lock_guard lock(own);
    over = true;
    changed.notify_one();
  });
  {
    std::unique_lock lock(own);
    changed.wait(lock, [&] { return over; });
  }
  assert(steady_clock::now() - begin > 20ms);
  b.join();
  std::condition_variable never;
  std::unique_lock lock(own);
  for (int i = 0; i < 3; ++i) {
    const auto before = steady_clock::now();
    assert(never.wait_for(lock, 5ms) == std::cv_status::timeout);
    assert(steady_clock::now() - before > 5ms && steady_clock::now() - before < 6ms);
  }
}

// Each of the windows is long enough for the work to begin, the fifth like the first.
void windows() {
  std::thread a(work);
  for (int window = 0; window < 5; ++window) {
    const auto begin = steady_clock::now();
    int turns = 0;
    while (steady_clock::now() < begin + 5ms) ++turns;
    assert(turns >= 5);
    assert(steady_clock::now() - begin >= 5ms);
  }
  stop = true;
  a.join();
}

void an_alarm() {
  std::signal(SIGALRM, [](int) { stop = true; });
  std::thread a(work);
  const itimerval once{{0, 0}, {0, 10000}};
  setitimer(ITIMER_REAL, &once, nullptr);
  while (!stop) ++done;
  a.join();
}

// An alarm of a minute guards the test. Waits for somebody who works end by their time, which is not the
// alarm's.
void guarded_waits() {
  std::condition_variable changed;
  bool ready = false;
  alarm(60);
  std::thread a([&] {
    for (int i = 0; i < 60000; ++i) ++done;
    std::lock_guard lock(mutex);
    ready = true;
    changed.notify_one();
  });
  std::unique_lock lock(mutex);
  while (!ready) changed.wait_for(lock, 20s);
  lock.unlock();
  a.join();
}

// A thread that nobody tells to stop sleeps until the guard's time is up.
void guarded_sleeps() {
  alarm(60);
  std::thread a(work);
  while (!stop) std::this_thread::sleep_for(20s);
  a.join();
}

void await_alarm(const itimerval& time, void (*wait)()) {
  setitimer(ITIMER_REAL, &time, nullptr);
  wait();
  told = 0;
  stop = false;
}

// Before there is a thread, main waits for signals in loops; and it computes long beside an alarm of seconds.
void alarms_before_threads() {
  std::signal(SIGALRM, [](int) {
    told = 1;
    stop = true;
  });
  constexpr itimerval k_once{{0, 0}, {0, 10000}};
  await_alarm(k_once, [] {
    while (told == 0) {
    }
  });
  await_alarm(k_once, [] {
    while (!stop) {
    }
  });
  await_alarm(k_once, [] {
    while (told == 0) sched_yield();
  });
  const itimerval again{{0, 5000}, {0, 5000}};
  await_alarm(again, [] {
    for (int left = 5; left > 0;) {
      left -= told;
      told = 0;
    }
  });
  await_alarm({{0, 0}, {30, 0}}, [] {
    for (int i = 0; i < 10000000; ++i) computed = computed + i;
  });
  assert(!stop);
  alarm(0);
  std::thread([] { ++done; }).join();
  assert(done == 1 && computed != 0);
}

nanoseconds processor_time(pthread_t thread) {
  clockid_t clock;
  assert(pthread_getcpuclockid(thread, &clock) == 0);
  timespec time;
  assert(clock_gettime(clock, &time) == 0);
  return seconds(time.tv_sec) + nanoseconds(time.tv_nsec);
}

// A thread's clock of processor time begins with the thread, for all who read it.
void own_processor_time() {
  const auto end = steady_clock::now() + 300ms;
  while (steady_clock::now() < end) {
  }
  const pthread_t main_thread = pthread_self();
  std::thread([main_thread] {
    assert(processor_time(pthread_self()) < 200ms);
    assert(processor_time(main_thread) >= 100ms);
    timespec own;
    assert(clock_gettime(CLOCK_THREAD_CPUTIME_ID, &own) == 0 && own.tv_sec == 0 && own.tv_nsec < 200000000);
  }).join();
}

milliseconds between(timespec from, timespec to) {
  return duration_cast<milliseconds>(seconds(to.tv_sec - from.tv_sec) +
                                     nanoseconds(to.tv_nsec - from.tv_nsec));
}

// Who sleeps uses no processor time; the process uses none while all sleep.
void idle_processor_time() {
  std::thread([] {
    constexpr clockid_t k_clocks[] = {CLOCK_THREAD_CPUTIME_ID, CLOCK_PROCESS_CPUTIME_ID};
    timespec first[2];
    timespec last[2];
    rusage used[2] = {};
    for (int i = 0; i < 2; ++i) clock_gettime(k_clocks[i], &first[i]);
    getrusage(RUSAGE_SELF, &used[0]);
    const clock_t clocks = std::clock();
    std::this_thread::sleep_for(200ms);
    for (int i = 0; i < 2; ++i) {
      clock_gettime(k_clocks[i], &last[i]);
      assert(between(first[i], last[i]) >= 0ms && between(first[i], last[i]) < 100ms);
    }
    getrusage(RUSAGE_SELF, &used[1]);
    assert(used[1].ru_utime.tv_sec == 0 && used[1].ru_utime.tv_usec - used[0].ru_utime.tv_usec < 100000);
    assert(std::clock() - clocks < CLOCKS_PER_SEC / 10);
  }).join();
}

// The processor time of who sleeps does not go on while another thread works; that of the process may.
void idle_beside_work() {
  std::thread a([] {
    const auto end = steady_clock::now() + 300ms;
    while (steady_clock::now() < end) {
    }
  });
  const nanoseconds before = processor_time(pthread_self());
  std::this_thread::sleep_for(200ms);
  assert(processor_time(pthread_self()) - before < 100ms);
  a.join();
  timespec used;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &used);
  assert(used.tv_sec > 0 || used.tv_nsec >= 100000000);
}

std::atomic<int> ticks{0};

// A timer that counts processor time does not come due in a sleep of all, but for one who computes.
void processor_timers() {
  std::signal(SIGPROF, [](int) { ++ticks; });
  std::signal(SIGUSR2, [](int) { ++ticks; });
  const itimerval once{{0, 0}, {0, 100000}};
  std::thread([&once] {
    setitimer(ITIMER_PROF, &once, nullptr);
    sigevent event{};
    event.sigev_notify = SIGEV_SIGNAL;
    event.sigev_signo = SIGUSR2;
    timer_t timer;
    timer_create(CLOCK_THREAD_CPUTIME_ID, &event, &timer);
    const itimerspec after{{0, 0}, {0, 100000000}};
    timer_settime(timer, 0, &after, nullptr);
    std::this_thread::sleep_for(500ms);
    assert(ticks == 0);
    while (ticks < 2) std::this_thread::yield();
    timer_delete(timer);
  }).join();
}

// Another process works while no thread of the test can run.
void timer_of_another_process() {
  int ends[2];
  const bool made = pipe2(ends, O_NONBLOCK) == 0;
  const pid_t worker = fork();
  if (worker == 0) { // until the test ends
    close(ends[1]);
    char none;
    while (read(ends[0], &none, 1) < 0) continue;
    _exit(0);
  }
  clockid_t clock;
  const bool known = clock_getcpuclockid(worker, &clock) == 0;
  sigset_t set;
  sigemptyset(&set);
  sigaddset(&set, SIGUSR1);
  pthread_sigmask(SIG_BLOCK, &set, nullptr);
  std::thread([clock, set] {
    sigevent event{};
    event.sigev_notify = SIGEV_SIGNAL;
    event.sigev_signo = SIGUSR1;
    timer_t timer;
    timer_create(clock, &event, &timer);
    const itimerspec after{{0, 0}, {0, 100000000}};
    timespec before, then;
    clock_gettime(clock, &before);
    timer_settime(timer, 0, &after, nullptr);
    const int number = sigwaitinfo(&set, nullptr);
    clock_gettime(clock, &then);
    assert(number == SIGUSR1);
    assert((then.tv_sec - before.tv_sec) * 1000000000 + then.tv_nsec - before.tv_nsec >= 100000000);
  }).join();
  assert(made && known);
}

// A sleep that is interrupted again and again, and goes on with what is left.
void bombarded() {
  std::signal(SIGUSR1, [](int) {});
  const pthread_t main_thread = pthread_self();
  std::thread a([main_thread] {
    while (!stop) pthread_kill(main_thread, SIGUSR1);
  });
  timespec left{0, 1000000};
  while (nanosleep(&left, &left) != 0) {
  }
  stop = true;
  a.join();
}

// A thread polls what is no atomic object, and the other one, which has changed it, goes on to wait for a
// while, again and again.
int left_to_do = 1;
void a_poll_of_plain_data() {
  std::condition_variable more;
  std::thread worker([&] {
    while (!stop) {
      std::unique_lock lock(mutex);
      more.wait_for(lock, 60s, [] { return stop || left_to_do != 0; });
      if (left_to_do != 0) --left_to_do;
    }
  });
  while (!stop && left_to_do != 0) std::this_thread::yield();
  stop = true;
  more.notify_all();
  worker.join();
}

// A thread polls the clock and yields, and another one works until that one says stop.
void a_poll_with_a_deadline() {
  std::thread a(work);
  const auto end = steady_clock::now() + 30ms;
  while (steady_clock::now() < end) std::this_thread::yield();
  stop = true;
  a.join();
}

// A loop that reads the clock at more places than one.
void read_at_six_places() {
  std::thread a(work);
  const auto end = steady_clock::now() + 30ms;
  for (;;) {
    if (steady_clock::now() >= end) break;
    if (steady_clock::now() >= end) break;
    if (steady_clock::now() >= end) break;
    if (steady_clock::now() >= end) break;
    if (steady_clock::now() >= end) break;
    if (steady_clock::now() >= end) break;
  }
  stop = true;
  a.join();
}

// A loop that gives up after a number of attempts, beside one that works until then.
void gives_up() {
  std::atomic<bool> never{false};
  std::thread a(work);
  for (int i = 0; i < 300 && !never; ++i) std::this_thread::yield();
  stop = true;
  a.join();
}

// The worker needs more operations than the time slices of a short sleep have. Natively it needs much less
// than the time.
void long_work() {
  std::thread a([] {
    for (int i = 0; i < 5000; ++i) ++done;
  });
  std::this_thread::sleep_for(1ms);
  assert(done == 5000);
  a.join();
}

// It fails if the worker is done when the sleep is over.
void long_work_is_done() {
  std::thread a([] {
    for (int i = 0; i < 5000; ++i) ++done;
  });
  std::this_thread::sleep_for(1ms);
  assert(done != 5000);
  a.join();
}

// One of three workers takes each piece of work. The others are woken in vain, and see what time it is before
// they wait on, for at most a second each time. Main looks now and then whether all is done, for at most ten
// seconds: natively it takes some milliseconds.
void woken_in_vain() {
  constexpr int k_pieces = 150;
  std::condition_variable given;
  std::condition_variable taken;
  int left = 0;
  bool ended = false;
  const auto take = [&] {
    std::unique_lock lock(mutex);
    while (left == 0 && !ended) given.wait_for(lock, 1s);
    if (left == 0) return false;
    --left;
    taken.notify_one();
    return true;
  };
  const auto worker = [&] {
    while (take()) ++done;
  };
  std::thread a(worker);
  std::thread b(worker);
  std::thread c(worker);
  std::thread giver([&] {
    std::unique_lock lock(mutex);
    for (int i = 0; i < k_pieces; ++i) {
      ++left;
      given.notify_all();
      taken.wait(lock, [&] { return left == 0; });
    }
    ended = true;
    given.notify_all();
  });
  const auto end = steady_clock::now() + 10s;
  while (done < k_pieces && steady_clock::now() < end) std::this_thread::sleep_for(50ms);
  assert(done == k_pieces);
  giver.join();
  a.join();
  b.join();
  c.join();
}

// A worker tells of its progress every 40 milliseconds at most. Natively it is done before it has told once.
void tells_of_progress() {
  const auto begin = steady_clock::now();
  std::thread worker([] {
    auto told_last = steady_clock::now();
    for (int i = 0; i < 100000; ++i)
      if (const auto now = steady_clock::now(); now - told_last >= 40ms) {
        told_last = now;
        ++done;
      }
    stop = true;
  });
  while (!stop) std::this_thread::sleep_for(1ms);
  assert(steady_clock::now() - begin < 15s);
  worker.join();
}

// Each wait has a deadline of its own, and ends by a notification. The readings for the deadlines are not to
// wait for a time.
void reads_before_each_wait() {
  std::condition_variable changed;
  int items = 0;
  std::thread consumer([&] {
    for (int i = 0; i < 300; ++i) {
      std::unique_lock lock(mutex);
      const auto begin = steady_clock::now();
      while (items == 0) {
        assert(changed.wait_until(lock, steady_clock::now() + 20s) == std::cv_status::no_timeout);
        done = done + 1;
      }
      --items;
      assert(steady_clock::now() - begin < 1ms);
    }
  });
  for (int i = 0; i < 300; ++i) {
    const std::lock_guard lock(mutex);
    ++items;
    changed.notify_one();
  }
  consumer.join();
}

// Until main says stop, there is always a deadline to come.
// Others move time by what they read. That does not make their operations count for more: the wait is long.
void waits_beside_readers() {
  std::condition_variable changed;
  bool over = false;
  std::thread waiter([&] {
    std::unique_lock lock(mutex);
    const bool in_time = changed.wait_for(lock, 20s, [&] { return over; });
    assert(in_time);
  });
  const auto reader = [&] {
    for (int i = 0; i < 500; ++i) {
      if (i % 2 == 0) (void)steady_clock::now();
      std::lock_guard lock(mutex);
      ++done;
    }
  };
  std::thread a(reader);
  std::thread b(reader);
  a.join();
  b.join();
  {
    std::lock_guard lock(mutex);
    over = true;
  }
  changed.notify_one();
  waiter.join();
}

// A loop that is meant to work for five minutes ends.
void works_for_minutes() {
  const auto end = steady_clock::now() + 5min;
  const auto work = [end] {
    while (steady_clock::now() < end) ++done;
  };
  std::thread a(work);
  std::thread b(work);
  a.join();
  b.join();
  assert(done > 0);
}

// A hundred thousand lines with the time in front, in one thread after another.
void logs_much() {
  const auto log = [] {
    const auto start = steady_clock::now();
    for (int i = 0; i < 100000; ++i, ++done) assert(steady_clock::now() - start < 5min);
  };
  log();
  std::thread(log).join();
}

// So does one that polls for five minutes, and lets others go first, beside a thread that works.
void polls_for_minutes() {
  std::thread worker([] {
    while (!stop) ++done;
  });
  const auto end = steady_clock::now() + 5min;
  while (steady_clock::now() < end) std::this_thread::yield();
  stop = true;
  worker.join();
}

// Those who read the clock until they are told to stop wait for no time: not hours pass while main works.
void read_until_told() {
  const auto begin = steady_clock::now();
  std::thread readers[4];
  for (std::thread& reader : readers)
    reader = std::thread([] {
      while (!stop) (void)steady_clock::now();
    });
  for (int i = 0; i < 20000; ++i) ++done;
  stop = true;
  for (std::thread& reader : readers) reader.join();
  assert(steady_clock::now() - begin < 10min);
}

void nap() {
  while (!stop) {
    ++done;
    std::this_thread::sleep_for(20ms);
  }
}

// Main asks two threads in turn whether they have ended. The second one may end after main has asked it, and
// before main asks the first one again.
template <typename Asked>
void await_both() {
  static Asked first, second;
  for (int time = 300; time <= 500; time += 25) {
    first.set(true);
    second.set(true);
    stop = false;
    const auto run = [](Asked& own, int length) {
      std::this_thread::sleep_for(milliseconds(length));
      own.set(false);
    };
    std::thread a(nap), b(run, std::ref(first), 250), c(run, std::ref(second), time);
    while (first.get() || second.get()) std::this_thread::sleep_for(100ms);
    stop = true;
    a.join();
    b.join();
    c.join();
  }
}

struct Locked {
  std::mutex lock;
  bool value = false;
  bool get() {
    const std::lock_guard locked(lock);
    return value;
  }
  void set(bool now) {
    const std::lock_guard locked(lock);
    value = now;
  }
};

struct Atomic {
  std::atomic<bool> value;
  bool get() { return value; }
  void set(bool now) { value = now; }
};

void two_are_awaited() { await_both<Atomic>(); }
void two_are_awaited_by_locks() { await_both<Locked>(); }

constexpr Scenario k_scenarios[] = {
    {"two_are_awaited", two_are_awaited},
    {"two_are_awaited_by_locks", two_are_awaited_by_locks},
    {"tells_of_progress", tells_of_progress},
    {"reads_before_each_wait", reads_before_each_wait},
    {"waits_beside_readers", waits_beside_readers},
    {"read_until_told", read_until_told},
    {"works_for_minutes", works_for_minutes},
    {"polls_for_minutes", polls_for_minutes},
    {"logs_much", logs_much},
    {"until_told", until_told},
    {"in_step_with_slices", in_step_with_slices},
    {"ten_seconds", ten_seconds},
    {"a_hundred_naps", a_hundred_naps},
    {"starts_beside_others", starts_beside_others},
    {"starts_beside_readers", starts_beside_readers},
    {"naps_beside_a_sleep", naps_beside_a_sleep},
    {"works_in_crowds", works_in_crowds},
    {"heartbeats", heartbeats},
    {"heartbeats_of_a_minute", heartbeats_of_a_minute},
    {"before_the_first", before_the_first},
    {"polls_before_the_first", polls_before_the_first},
    {"naps_beside_an_hour", naps_beside_an_hour},
    {"naps_with_the_lock", naps_with_the_lock},
    {"gives_up_a_lock_at_once", gives_up_a_lock_at_once},
    {"gives_up_a_lock_and_yields", gives_up_a_lock_and_yields},
    {"hands_over_the_turn", hands_over_the_turn},
    {"each_worker_gets_a_job", each_worker_gets_a_job},
    {"guarded_by_seconds", guarded_by_seconds},
    {"guarded_beside_a_long_sleep", guarded_beside_a_long_sleep},
    {"guarded_beside_pollers", guarded_beside_pollers},
    {"guarded_by_naps", guarded_by_naps},
    {"guarded_beside_naps", guarded_beside_naps},
    {"guarded_behind_naps", guarded_behind_naps},
    {"measures_until_the_join", measures_until_the_join},
    {"dates_behind_the_join", dates_behind_the_join},
    {"measures_alone", measures_alone},
    {"measures_work", measures_work},
    {"measures_a_computation", measures_a_computation},
    {"measures_an_exchange", measures_an_exchange},
    {"dates_before_what_follows", dates_before_what_follows},
    {"dates_before_its_signal", dates_before_its_signal},
    {"works_in_ten_phases", works_in_ten_phases},
    {"works_beside_a_guard_first", works_beside_a_guard_first},
    {"naps_with_a_unit", naps_with_a_unit},
    {"timed_waits", timed_waits},
    {"takes_longer_than_asked", takes_longer_than_asked},
    {"windows", windows},
    {"an_alarm", an_alarm},
    {"alarms_before_threads", alarms_before_threads},
    {"guarded_waits", guarded_waits},
    {"guarded_sleeps", guarded_sleeps},
    {"own_processor_time", own_processor_time},
    {"idle_processor_time", idle_processor_time},
    {"idle_beside_work", idle_beside_work},
    {"processor_timers", processor_timers},
    {"timer_of_another_process", timer_of_another_process},
    {"bombarded", bombarded},
    {"a_poll_of_plain_data", a_poll_of_plain_data},
    {"a_poll_with_a_deadline", a_poll_with_a_deadline},
    {"read_at_six_places", read_at_six_places},
    {"gives_up", gives_up},
    {"long_work", long_work},
    {"long_work_is_done", long_work_is_done},
    {"woken_in_vain", woken_in_vain},
};

} // namespace

int main(int count, char** arguments) { return run_scenario(k_scenarios, count, arguments); }
