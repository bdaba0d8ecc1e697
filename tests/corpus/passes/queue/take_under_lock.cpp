// The check and the removal are one locked step.
#include <cassert>
#include <deque>
#include <mutex>
#include <optional>
#include <thread>

class Queue {
public:
  void push(int item) {
    std::lock_guard lock(m_mutex);
    m_items.push_back(item);
  }
  std::optional<int> try_pop() {
    std::lock_guard lock(m_mutex);
    if (m_items.empty()) return std::nullopt;
    const int item = m_items.front();
    m_items.pop_front();
    return item;
  }

private:
  std::mutex m_mutex;
  std::deque<int> m_items;
};

int main() {
  Queue queue;
  queue.push(1);
  int taken[2] = {0, 0};
  std::thread one([&] { taken[0] = queue.try_pop().value_or(0); });
  std::thread two([&] { taken[1] = queue.try_pop().value_or(0); });
  one.join();
  two.join();
  assert(taken[0] + taken[1] == 1);
  return 0;
}
