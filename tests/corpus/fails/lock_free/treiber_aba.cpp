// A Treiber stack of reused nodes. A pop is preempted between the read of the top's successor and the
// exchange. Meanwhile the same node becomes the top of a different stack.
#include <array>
#include <atomic>
#include <cassert>
#include <thread>

constexpr int k_none = -1;

class Stack {
public:
  void push(int node) {
    int top = m_top.load();
    do {
      m_next[static_cast<std::size_t>(node)].store(top);
    } while (!m_top.compare_exchange_strong(top, node));
  }
  int pop() {
    int top = m_top.load();
    while (top != k_none) {
      const int next = m_next[static_cast<std::size_t>(top)].load();
      if (m_top.compare_exchange_strong(top, next)) return top;
    }
    return k_none;
  }

private:
  std::atomic<int> m_top{k_none};
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
