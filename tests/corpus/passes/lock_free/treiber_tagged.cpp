// The Treiber stack with a tag that changes with each exchange: the same node cannot become the top
// unnoticed.
#include <array>
#include <atomic>
#include <cassert>
#include <cstdint>
#include <thread>

constexpr int k_none = -1;

class Stack {
public:
  void push(int node) {
    std::uint64_t top = m_top.load();
    do {
      m_next[static_cast<std::size_t>(node)].store(index(top));
    } while (!m_top.compare_exchange_strong(top, tagged(node, top)));
  }
  int pop() {
    std::uint64_t top = m_top.load();
    while (index(top) != k_none) {
      const int next = m_next[static_cast<std::size_t>(index(top))].load();
      if (m_top.compare_exchange_strong(top, tagged(next, top))) return index(top);
    }
    return k_none;
  }

private:
  static int index(std::uint64_t top) { return static_cast<int>(static_cast<std::uint32_t>(top)); }
  static std::uint64_t tagged(int node, std::uint64_t old) {
    return (((old >> 32) + 1) << 32) | static_cast<std::uint32_t>(node);
  }

  std::atomic<std::uint64_t> m_top{static_cast<std::uint32_t>(k_none)};
  std::array<std::atomic<int>, 3> m_next{};
};

int main() {
  Stack stack;
  for (const int node : {2, 1, 0}) stack.push(node);
  int kept = k_none;
  int taken = k_none;
  std::thread one([&] { taken = stack.pop(); });
  std::thread two([&] {
    const int first = stack.pop();
    kept = stack.pop();
    stack.push(first);
  });
  one.join();
  two.join();
  assert(taken != kept);
  for (int node = stack.pop(); node != k_none; node = stack.pop()) assert(node != kept && node != taken);
  return 0;
}
