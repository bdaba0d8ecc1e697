// W5: Treiber's stack with two nodes, under sequential consistency. One thread pops a node. The other thread
// pops both nodes and pushes the first one again. Faulty: the head is only a node's number, so a pop that was
// preempted can make a node the head that is in use (ABA). Correct: the head also has a version.
#include <atomic>
#include <cstdint>
#include <thread>

#include "bench/workloads/workload.h"

namespace {

constexpr std::uint32_t k_none = 0;

class Stack {
public:
  explicit Stack(bool faulty) : m_version(faulty ? 0 : std::uint64_t{1} << 32) {
    push(2);
    push(1);
  }

  std::uint32_t pop() {
    for (std::uint64_t head = m_head.load();;) {
      const auto node = static_cast<std::uint32_t>(head);
      if (node == k_none) return k_none;
      const std::uint64_t rest = m_next[node].load() | (changed(head) & ~std::uint64_t{0xffffffff});
      if (m_head.compare_exchange_strong(head, rest)) return node;
    }
  }
  void push(std::uint32_t node) {
    for (std::uint64_t head = m_head.load();;) {
      m_next[node].store(static_cast<std::uint32_t>(head));
      if (m_head.compare_exchange_strong(head, (changed(head) & ~std::uint64_t{0xffffffff}) | node)) return;
    }
  }

private:
  std::uint64_t changed(std::uint64_t head) const { return head + m_version; }

  const std::uint64_t m_version;
  std::atomic<std::uint64_t> m_head = k_none;
  std::atomic<std::uint32_t> m_next[3] = {};
};

} // namespace

int main(int count, char** arguments) {
  Stack stack(is_faulty(count, arguments));
  std::atomic<int> holders[3] = {};
  const auto take = [&] {
    const std::uint32_t node = stack.pop();
    if (node != k_none) require(holders[node].fetch_add(1) == 0);
    return node;
  };
  std::thread popper([&] { take(); });
  std::thread recycler([&] {
    const std::uint32_t first = take();
    take();
    if (first == k_none) return;
    holders[first].fetch_sub(1);
    stack.push(first);
  });
  popper.join();
  recycler.join();
  while (take() != k_none) {
  }
}
