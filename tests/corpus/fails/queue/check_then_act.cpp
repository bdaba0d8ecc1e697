// empty() and pop() lock separately, and not together.
#include <cassert>
#include <deque>
#include <mutex>
#include <thread>

class Queue {
public:
  void push(int item) {
    std::lock_guard lock(m_mutex);
    m_items.push_back(item);
  }
  bool empty() {
    std::lock_guard lock(m_mutex);
    return m_items.empty();
  }
  int pop() {
    std::lock_guard lock(m_mutex);
    assert(!m_items.empty());
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
  const auto consume = [&] {
    if (!queue.empty()) queue.pop();
  };
  std::thread one(consume), two(consume);
  one.join();
  two.join();
  return 0;
}
