// Atomic operations, and the loops that wait for them.
#include <atomic>
#include <chrono>
#include <cstdint>
#include <string>
#include <thread>

#include "scenario.h"

namespace {

template <class First, class Second>
void both(First first, Second second) {
  std::thread one(first);
  std::thread two(second);
  one.join();
  two.join();
}

template <class Int>
std::uint64_t modify() {
  std::atomic<Int> value{5};
  std::uint64_t seen = 0;
  const auto note = [&](Int got) { seen = seen * 31 + static_cast<std::uint64_t>(got); };
  note(value.fetch_add(7));
  note(value.fetch_sub(2));
  note(value.fetch_and(14));
  note(value.fetch_or(49));
  note(value.fetch_xor(21));
  note(value.exchange(3));
  note(++value);
  note(value--);
  note(value += 9);
  Int expected = 0;
  note(value.compare_exchange_strong(expected, 1));
  note(expected);
  note(value.compare_exchange_strong(expected, 77, std::memory_order_acq_rel, std::memory_order_relaxed));
  while (!value.compare_exchange_weak(expected, static_cast<Int>(expected + 1))) {
  }
  value.store(static_cast<Int>(value.load(std::memory_order_acquire) + 1), std::memory_order_release);
  note(value);
  return seen;
}

void modifications() {
  std::uint64_t seen[8] = {};
  both(
      [&] {
        seen[0] = modify<std::int8_t>(), seen[1] = modify<std::uint16_t>();
        std::atomic<double> real{1.5};
        real.fetch_add(2.25);
        seen[4] = static_cast<std::uint64_t>(real.load() * 100);
        std::atomic_flag flag;
        seen[5] = static_cast<std::uint64_t>(flag.test_and_set() * 4 + flag.test_and_set() * 2 + flag.test());
        flag.clear();
        int array[4] = {};
        std::atomic<int*> pointer{array};
        pointer.fetch_add(2);
        seen[6] = static_cast<std::uint64_t>(pointer.load() - array);
        std::atomic_thread_fence(std::memory_order_seq_cst);
        int plain = 1;
        seen[7] = static_cast<std::uint64_t>(std::atomic_ref<int>(plain).fetch_add(4) + plain);
      },
      [&] { seen[2] = modify<std::int32_t>(), seen[3] = modify<std::uint64_t>(); });
  for (const std::uint64_t value : seen) std::printf("%llx ", static_cast<unsigned long long>(value));
  std::printf("\n");
}

struct Pair {
  std::uint64_t a;
  std::uint64_t b;
};

void sixteen_bytes() {
  std::atomic<Pair> pair{Pair{0, 0}};
  const auto add = [&] {
    Pair old = pair.load();
    while (!pair.compare_exchange_weak(old, Pair{old.a + 1, old.b + 2})) {
    }
  };
  both(add, add);
  const Pair end = pair.load();
  std::printf("%d %d\n", static_cast<int>(end.a), static_cast<int>(end.b));
}

void sixteen_bytes_lost() {
  std::atomic<Pair> pair{Pair{0, 0}};
  const auto add = [&] {
    const Pair old = pair.load();
    pair.store(Pair{old.a + 1, old.b + 1});
  };
  both(add, add);
  std::printf("%d\n", static_cast<int>(pair.load().a));
}

void lost_update() {
  std::atomic<int> value{0};
  const auto add = [&] { value.store(value.load() + 1); };
  both(add, add);
  std::printf("%d\n", value.load());
}

void store_buffer() {
  std::atomic<int> x{0};
  std::atomic<int> y{0};
  int a = 0;
  int b = 0;
  both([&] { x = 1, a = y; }, [&] { y = 1, b = x; });
  std::printf("%d%d\n", a, b);
}

void compare_exchange_loop() {
  std::atomic<int> value{0};
  int retries = 0;
  const auto add = [&] {
    int old = value.load();
    while (!value.compare_exchange_weak(old, old + 1)) ++retries;
  };
  both(add, add);
  std::printf("%d %d\n", value.load(), retries);
}

// The second thread waits for a flag. Then it checks whether the first thread has continued.
template <class Wait>
void wait_for_flag(Wait wait) {
  std::atomic<bool> flag{false};
  std::atomic<int> after{0};
  int seen = 0;
  both([&] { flag = true, after = 1; }, [&] { wait(flag), seen = after; });
  std::printf("%d\n", seen);
}

void spin() {
  wait_for_flag([](std::atomic<bool>& flag) {
    while (!flag.load()) {
    }
  });
}
void spin_first() { // the waiting thread runs first
  std::atomic<bool> flag{false};
  std::atomic<int> after{0};
  int seen = 0;
  both(
      [&] {
        while (!flag.load()) {
        }
        seen = after;
      },
      [&] { flag = true, after = 1; });
  std::printf("%d\n", seen);
}
void spin_yielding() {
  wait_for_flag([](std::atomic<bool>& flag) {
    while (!flag.load()) std::this_thread::yield();
  });
}
void spin_sleeping() {
  wait_for_flag([](std::atomic<bool>& flag) {
    while (!flag.load()) std::this_thread::sleep_for(std::chrono::microseconds(1));
  });
}
void spin_counting() {
  wait_for_flag([](std::atomic<bool>& flag) {
    volatile int turns = 0;
    while (!flag.load()) turns = turns + 1;
  });
}
void spin_on_exchange() {
  std::atomic<bool> held{false};
  std::string log;
  const auto work = [&](char id) {
    while (held.exchange(true)) {
    }
    log += id;
    held = false;
  };
  both([&] { work('1'); }, [&] { work('2'); });
  std::printf("%s\n", log.c_str());
}
void spin_on_compare() {
  std::atomic<int> held{0};
  std::string log;
  const auto work = [&](char id) {
    for (int free = 0; !held.compare_exchange_strong(free, 1); free = 0) {
    }
    log += id;
    held = 0;
  };
  both([&] { work('1'); }, [&] { work('2'); });
  std::printf("%s\n", log.c_str());
}
void spin_on_flag() {
  std::atomic_flag held;
  std::string log;
  const auto work = [&](char id) {
    while (held.test_and_set(std::memory_order_acquire)) {
    }
    log += id;
    held.clear(std::memory_order_release);
  };
  both([&] { work('1'); }, [&] { work('2'); });
  std::printf("%s\n", log.c_str());
}

volatile bool g_volatile_flag = false;
void spin_on_volatile() {
  std::atomic<int> after{0};
  int seen = 0;
  both(
      [&] {
        while (!g_volatile_flag) {
        }
        seen = after;
      },
      [&] {
        g_volatile_flag = true;
        after = 1;
      });
  std::printf("%d\n", seen);
}

// Two threads wait for each other in turn: a step of one thread ends the spin of the other.
void spin_by_turns() {
  std::atomic<int> turn{0};
  std::string log;
  const auto work = [&](int me) {
    for (int round = 0; round < 2; ++round) {
      while (turn.load() != me) {
      }
      log += static_cast<char>('0' + me);
      turn = 1 - me;
    }
  };
  both([&] { work(0); }, [&] { work(1); });
  std::printf("%s\n", log.c_str());
}

void counted_loads() {
  std::atomic<int> value{0};
  int seen = 0;
  both([&] { value = 1; },
       [&] {
         for (int i = 0; i < 5; ++i) seen += value.load();
       });
  std::printf("%d\n", seen);
}

int g_counted = 0;
int g_seen = 0;

// The counter is in memory, and neither in a register nor on the stack.
void counted_loads_elsewhere() {
  std::atomic<int> value{0};
  both([&] { value = 1; },
       [&] {
         for (g_counted = 0; g_counted < 5; ++g_counted) g_seen += value.load();
       });
  std::printf("%d\n", g_seen);
}

void repeated_loads() {
  std::atomic<int> value{0};
  int seen[4] = {};
  both([&] { value = 1; },
       [&] {
         seen[0] = value.load(), seen[1] = value.load(), seen[2] = value.load(), seen[3] = value.load();
       });
  std::printf("%d%d%d%d\n", seen[0], seen[1], seen[2], seen[3]);
}

constexpr Scenario k_scenarios[] = {
    {"modifications", modifications},
    {"sixteen_bytes", sixteen_bytes},
    {"sixteen_bytes_lost", sixteen_bytes_lost},
    {"lost_update", lost_update},
    {"store_buffer", store_buffer},
    {"compare_exchange_loop", compare_exchange_loop},
    {"spin", spin},
    {"spin_first", spin_first},
    {"spin_yielding", spin_yielding},
    {"spin_sleeping", spin_sleeping},
    {"spin_counting", spin_counting},
    {"spin_on_exchange", spin_on_exchange},
    {"spin_on_compare", spin_on_compare},
    {"spin_on_flag", spin_on_flag},
    {"spin_on_volatile", spin_on_volatile},
    {"spin_by_turns", spin_by_turns},
    {"counted_loads", counted_loads},
    {"counted_loads_elsewhere", counted_loads_elsewhere},
    {"repeated_loads", repeated_loads},
};

} // namespace

int main(int count, char** arguments) { return run_scenario(k_scenarios, count, arguments); }
