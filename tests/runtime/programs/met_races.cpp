// Threads beside a library without hooks: it orders some of their accesses, and others race.
#include <atomic>
#include <cassert>
#include <mutex>
#include <sched.h>
#include <thread>

#include "scenario.h"

using Callback = void(void*);
struct Box;
struct Job {
  Callback* run;
  void* data;
  std::atomic<int>* is_done;
};
extern "C" { // of boxes.c
Box* box_make(void* data, Callback* drop);
void box_share(Box* box);
void box_drop(Box* box);
void box_fill(Box* box, Callback* fill);
void box_await(Box* box);
void box_start(Job* job);
}

namespace {

struct Pair {
  int first = 0;
  int second = 0;
};

Pair& pair_of(void* data) { return *static_cast<Pair*>(data); }

void in_two_threads(auto one, auto two) {
  std::thread a(one), b(two);
  a.join();
  b.join();
}

void last_owner() {
  Box* box = box_make(new Pair, [](void* data) {
    assert(pair_of(data).first == 1 && pair_of(data).second == 1);
    delete &pair_of(data);
  });
  static Pair* pair;
  pair = nullptr;
  box_fill(box, [](void* data) { pair = &pair_of(data); });
  box_share(box);
  in_two_threads([&] { pair->first = 1, box_drop(box); }, [&] { pair->second = 1, box_drop(box); });
}

void filled() {
  Pair pair;
  Box* box = box_make(&pair, nullptr);
  in_two_threads([&] { box_fill(box, [](void* data) { pair_of(data).first = 7; }); },
                 [&] { box_await(box), assert(pair.first == 7); });
  box_drop(box);
}

void done() {
  static Pair pair;
  static std::atomic<int> is_done;
  pair = {};
  is_done = 0;
  Job job{[](void* data) { pair_of(data).first = 3; }, &pair, &is_done};
  box_start(&job);
  while (is_done == 0) sched_yield();
  assert(pair.first == 3);
}

void beside_calls() {
  int count = 0;
  Box* box = box_make(&count, nullptr);
  const auto add = [&] { box_share(box), ++count, box_share(box); };
  in_two_threads(add, add);
}

void beside_locks() {
  int count = 0;
  std::mutex mutex;
  Box* box = box_make(&count, nullptr);
  in_two_threads([&] { box_share(box), ++count; },
                 [&] {
                   const std::scoped_lock lock(mutex);
                   ++count, box_share(box);
                 });
}

// A plain access and an atomic one.
void half_atomic() {
  int count = 0;
  Box* box = box_make(&count, nullptr);
  in_two_threads([&] { box_share(box), ++count; },
                 [&] { box_share(box), std::atomic_ref(count).fetch_add(1, std::memory_order_relaxed); });
}

void atomic() {
  int count = 0;
  Box* box = box_make(&count, nullptr);
  const auto add = [&] { box_share(box), std::atomic_ref(count).fetch_add(1, std::memory_order_relaxed); };
  in_two_threads(add, add);
}

// At the same time, but not at the same place; and both only read.
void apart() {
  Pair pair;
  Box* box = box_make(&pair, nullptr);
  in_two_threads([&] { box_share(box), ++pair.first; }, [&] { box_share(box), ++pair.second; });
  int seen[2] = {};
  in_two_threads([&] { seen[0] = pair.first; }, [&] { seen[1] = pair.first; });
}

constexpr Scenario k_scenarios[] = {
    {"last_owner", last_owner},
    {"filled", filled},
    {"done", done},
    {"beside_calls", beside_calls},
    {"beside_locks", beside_locks},
    {"half_atomic", half_atomic},
    {"atomic", atomic},
    {"apart", apart},
};

} // namespace

int main(int count, char** arguments) { return run_scenario(k_scenarios, count, arguments); }
