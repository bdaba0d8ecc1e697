// An address that a thread has freed comes again, or does not, and what tells objects apart by their
// addresses.
#include <atomic>
#include <cassert>
#include <cstdint>
#include <cstdio>
#include <memory>
#include <thread>

#include "scenario.h"

namespace {

struct Node {
  long value;
  char rest[96] = {}; // of another size class than what else the threads free
};

std::atomic<Node*> g_slot{nullptr};
std::atomic<bool> g_looked{false};
std::atomic<bool> g_replaced{false};

void replace() {
  if (!g_looked) return;
  Node* const old = g_slot.exchange(nullptr);
  if (old == nullptr) return;
  delete old;
  g_replaced = true;
  g_slot = new Node{2};
}

void exchanged() { // only a thread that gets what it has freed makes it fail
  g_slot = new Node{1};
  std::thread other(replace);
  Node* seen = g_slot;
  g_looked = true;
  const bool taken = g_slot.compare_exchange_strong(seen, nullptr);
  assert(!taken || !g_replaced);
  other.join();
  std::puts(taken ? "taken" : "missed");
}

void compared() { // no exchange shows it
  g_slot = new Node{1};
  std::thread other(replace);
  Node* const seen = g_slot;
  g_looked = true;
  const bool same = g_slot.load() == seen;
  other.join();
  std::puts(same ? "same" : "another");
}

void exchanged_by_another() { // one thread frees, and another gets it
  g_slot = new Node{1};
  std::atomic<bool> freed{false};
  std::thread frees([&] {
    if (!g_looked) return;
    Node* const old = g_slot.exchange(nullptr);
    if (old == nullptr) return;
    delete old;
    freed = true;
  });
  std::thread allocates([&] {
    if (!freed) return;
    g_replaced = true;
    g_slot = new Node{2};
  });
  Node* seen = g_slot;
  g_looked = true;
  const bool taken = g_slot.compare_exchange_strong(seen, nullptr);
  assert(!taken || !g_replaced);
  frees.join();
  allocates.join();
}

void each_frees_and_takes() { // what each gets: new memory, its own, the other's
  static std::atomic<int> again;
  static std::atomic<std::uintptr_t> first[2];
  const auto work = [](int self) {
    auto node = std::make_unique<Node>();
    first[self] = reinterpret_cast<std::uintptr_t>(node.get());
    node.reset();
    const auto other = first[1 - self].load();
    node = std::make_unique<Node>();
    const auto second = reinterpret_cast<std::uintptr_t>(node.get());
    again += second == first[self] ? self == 0 ? 1 : 10 : second == other ? self == 0 ? 2 : 20 : 0;
  };
  std::thread one(work, 0);
  work(1);
  one.join();
  std::printf("%d\n", again.load());
}

void exchanged_with_generation() {
  constexpr std::uint64_t generation = std::uint64_t{1} << 48;
  static std::atomic<std::uint64_t> slot;
  const auto word = [](Node* node, std::uint64_t count) {
    return reinterpret_cast<std::uint64_t>(node) + count * generation;
  };
  slot = word(new Node{1}, 1);
  std::thread other([&] {
    if (!g_looked) return;
    const std::uint64_t old = slot.exchange(0);
    if (old == 0) return;
    delete reinterpret_cast<Node*>(old % generation);
    g_replaced = true;
    slot = word(new Node{2}, 2);
  });
  std::uint64_t seen = slot;
  g_looked = true;
  assert(!slot.compare_exchange_strong(seen, 0) || !g_replaced);
  other.join();
}

void read_after_free() { // and the address comes again at once: without a choice, the block would be in use
  g_slot = new Node{1};
  std::thread other([] {
    delete g_slot.load();
    g_slot = new Node{2};
  });
  Node* seen = g_slot;
  Node* const first = seen;
  if (g_slot.compare_exchange_strong(seen, first)) std::printf("%ld\n", first->value);
  other.join();
}

void each_of_three() { // each has a choice of its own
  static std::atomic<int> again;
  const auto work = [] {
    auto node = std::make_unique<Node>();
    const auto first = reinterpret_cast<std::uintptr_t>(node.get());
    node.reset();
    node = std::make_unique<Node>();
    if (reinterpret_cast<std::uintptr_t>(node.get()) == first) ++again;
  };
  std::thread one(work), two(work);
  work();
  one.join();
  two.join();
  std::printf("%d\n", again.load());
}

constexpr Scenario k_scenarios[] = {
    {"exchanged", exchanged},
    {"compared", compared},
    {"exchanged_with_generation", exchanged_with_generation},
    {"read_after_free", read_after_free},
    {"each_of_three", each_of_three},
    {"exchanged_by_another", exchanged_by_another},
    {"each_frees_and_takes", each_frees_and_takes},
};

} // namespace

int main(int count, char** arguments) { return run_scenario(k_scenarios, count, arguments); }
