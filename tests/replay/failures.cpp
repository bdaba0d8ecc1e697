// One failure of each kind; each needs a certain schedule. The program is built three times: as it is, with a
// change that is not related to the failures (REEX_UNRELATED), and with some of the failures corrected
// (REEX_MENDED).
#include <atomic>
#include <cassert>
#include <condition_variable>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <mutex>
#include <stdexcept>
#include <string>
#include <thread>

#include <unistd.h>

#ifdef REEX_UNRELATED
#line 500
#endif

namespace {

// Work that is not related to the failures.
void unrelated() {
#ifdef REEX_UNRELATED
  static std::atomic<int> statistics{0};
  static std::mutex mutex;
  std::lock_guard lock(mutex);
  ++statistics;
#endif
}

#ifdef REEX_MENDED
constexpr bool k_mended = true;
#else
constexpr bool k_mended = false;
#endif

// Runs `bad` if the first thread is preempted between its two steps.
template <class Bad>
void when_preempted(Bad bad) {
  std::atomic<int> stage{0};
  std::mutex mutex;
  const auto lock = [&] {
    return k_mended ? std::unique_lock(mutex) : std::unique_lock(mutex, std::defer_lock);
  };
  std::thread one([&] {
    unrelated();
    const auto locked = lock();
    stage = 1;
    unrelated();
    stage = 2;
  });
  std::thread two([&] {
    unrelated();
    const auto locked = lock();
    if (stage == 1) bad();
  });
  one.join();
  two.join();
  std::printf("passed\n");
}

void deadlock() {
  std::mutex a;
  std::mutex b;
  std::thread one([&] {
    std::lock_guard outer(a);
    std::lock_guard inner(b);
  });
  std::thread two([&] {
    unrelated();
    std::lock_guard outer(k_mended ? a : b);
    unrelated();
    std::lock_guard inner(k_mended ? b : a);
  });
  one.join();
  two.join();
  std::printf("passed\n");
}

// The branch depends on addresses. A replay that named objects by their addresses would diverge.
void addresses() {
  struct Account {
    std::mutex mutex;
    std::atomic<int> value{1};
  };
  auto* first = new Account;
  auto* second = new Account;
  when_preempted([&] {
    std::lock_guard lock(first->mutex);
    second->value = 0;
    assert(second->value != 0 && "emptied");
  });
}

// Reads its environment, whose size moves the stack, and its working folder.
void surroundings() {
  char folder[4096];
  const bool known = getcwd(folder, sizeof folder) != nullptr;
  when_preempted([&] {
    if (known) std::abort();
  });
}

// The main thread spins before it sleeps, and no thread wakes it.
void main_waits() {
  std::atomic<int> value{0};
  std::thread thread([&] { value = 1; });
  value.wait(0);
  thread.join();
}

// All accesses are plain. They race, and become scheduling points.
int g_counter = 0;
std::mutex g_counter_mutex;
void race() {
  const auto increment = [] {
    unrelated();
    const auto lock =
        k_mended ? std::unique_lock(g_counter_mutex) : std::unique_lock(g_counter_mutex, std::defer_lock);
    g_counter = g_counter + 1;
  };
  std::thread one(increment);
  std::thread two(increment);
  one.join();
  two.join();
  assert(g_counter == 2);
}

// A use of freed memory, if the reader is preempted before its access.
void use_after_free() {
  auto* block = new int(1);
  std::atomic<int*> shared{block};
  std::thread one([&] {
    if (int* p = shared.load()) {
      static std::atomic<int> looked{0};
      ++looked;
      if (*p == 7) std::printf("seven\n");
    }
  });
  std::thread two([&] { delete shared.exchange(nullptr); });
  one.join();
  two.join();
}

// One switch makes it fail. A schedule can have many more.
void noisy() {
  std::atomic<int> stage{0};
  std::atomic<int> noise{0};
  const auto make_noise = [&] {
    for (int i = 0; i < 6; ++i) ++noise;
  };
  std::thread one([&] {
    make_noise();
    stage = 1;
    stage = 2;
    make_noise();
  });
  std::thread two([&] {
    make_noise();
    assert(stage != 1);
    make_noise();
  });
  std::thread three(make_noise);
  one.join();
  two.join();
  three.join();
}

// No switch is needed to see it.
void noisy_race() {
  std::atomic<int> noise{0};
  int value = 0;
  const auto work = [&] {
    for (int i = 0; i < 6; ++i) noise.fetch_add(1, std::memory_order_relaxed);
    ++value;
    for (int i = 0; i < 6; ++i) noise.fetch_add(1, std::memory_order_relaxed);
  };
  std::thread one(work), two(work);
  one.join();
  two.join();
}

// Random schedules fail by three preemptions, which are all needed. One preemption that they hardly ever draw
// makes the same assertion fail.
void two_ways() {
  std::atomic<int> count{0};
  std::thread one([&] {
    for (int i = 1; i <= 20; ++i) count = i;
  });
  std::thread two([&] {
    const int first = count;
    const int second = count;
    assert(first != 18 && !(first == 1 && second == 3));
  });
  one.join();
  two.join();
}

// Random schedules of it make more switches than a replay follows by the threads' progress.
void races_behind_much() {
  static int data = 0;
  std::atomic<int> count{0};
  const auto work = [&] {
    for (int i = 0; i < 270000; ++i) ++count;
    ++data;
  };
  std::thread one(work);
  std::thread two(work);
  one.join();
  two.join();
}

// The accesses to `data` race only after a preemption. Until then they are not scheduling points.
void late_race() {
  static int data = 0;
  std::atomic<int> x{0};
  std::atomic<int> y{0};
  std::thread one([&] {
    data = 5;
    const int a = x.load();
    const int b = x.load();
    if (a == 0 && b == 1) y.store(1, std::memory_order_relaxed);
    std::printf("%d%d\n", a, b);
  });
  std::thread two([&] { x.store(1); });
  std::thread three([&] {
    if (y.load(std::memory_order_relaxed) == 1 && data == 0) y.store(2);
  });
  one.join();
  two.join();
  three.join();
}

// The notification comes before the wait, if the first thread is preempted there.
void lost_wake_up() {
  std::atomic<bool> ready{false};
  std::mutex mutex;
  std::condition_variable changed;
  std::thread one([&] {
    std::unique_lock lock(mutex);
    if (!ready) changed.wait(lock);
  });
  std::thread two([&] {
    ready = true;
    changed.notify_all();
  });
  one.join();
  two.join();
}

// Fails if the wait is before the notification.
void woken() {
  std::atomic<bool> ready{false};
  std::mutex mutex;
  std::condition_variable changed;
  std::thread one([&] {
    std::unique_lock lock(mutex);
    if (ready) return;
    changed.wait(lock, [&] { return ready.load(); });
    std::abort();
  });
  std::thread two([&] {
    {
      std::lock_guard lock(mutex);
      ready = true;
    }
    changed.notify_one();
  });
  one.join();
  two.join();
}

} // namespace

int main(int count, char** arguments) {
  const std::string kind = count > 1 ? arguments[1] : "";
  if (kind == "deadlock") deadlock();
  if (kind == "assertion") when_preempted([] { assert(!"reached"); });
  if (kind == "abort") when_preempted([] { std::abort(); });
  if (kind == "exception") when_preempted([] { throw std::runtime_error("nobody catches this"); });
  if (kind == "signal")
    when_preempted([] {
      volatile int* volatile nowhere = nullptr;
      *nowhere = 1;
    });
  if (kind == "exit") when_preempted([] { std::exit(3); });
  if (kind == "addresses") addresses();
  if (kind == "surroundings") surroundings();
  if (kind == "main_waits") main_waits();
  if (kind == "race") race();
  if (kind == "late_race") late_race();
  if (kind == "use_after_free") use_after_free();
  if (kind == "noisy") noisy();
  if (kind == "noisy_race") noisy_race();
  if (kind == "two_ways") two_ways();
  if (kind == "races_behind_much") races_behind_much();
  if (kind == "lost_wake_up") lost_wake_up();
  if (kind == "woken") woken();
  return 0;
}
