// A node is taken by its place and a generation. Another node in the same place has another one.
#include <atomic>
#include <cassert>
#include <cstdint>
#include <thread>

struct Node {
  int value;
};

constexpr std::uint64_t k_generation = std::uint64_t{1} << 48; // addresses have 48 bits

std::atomic<std::uint64_t> slot{0};
std::atomic<bool> has_looked{false};
std::atomic<bool> is_replaced{false};

std::uint64_t word_of(Node* node, std::uint64_t generation) {
  return reinterpret_cast<std::uint64_t>(node) + generation * k_generation;
}

int main() {
  slot = word_of(new Node{1}, 1);
  std::thread replaces([] {
    if (!has_looked) return;
    const std::uint64_t old = slot.exchange(0);
    if (old == 0) return;
    delete reinterpret_cast<Node*>(old % k_generation);
    is_replaced = true;
    slot = word_of(new Node{2}, 2);
  });
  std::uint64_t seen = slot;
  has_looked = true;
  if (slot.compare_exchange_strong(seen, 0)) assert(!is_replaced);
  replaces.join();
}
