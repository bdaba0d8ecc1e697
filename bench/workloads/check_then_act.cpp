// W2: two threads take from a queue with one item. Faulty: a thread releases the lock between its check and
// its pop.
#include <mutex>
#include <thread>

#include "bench/workloads/workload.h"

namespace {

class Queue {
public:
  bool empty() {
    const std::lock_guard lock(m_mutex);
    return m_count == 0;
  }
  void pop() {
    const std::lock_guard lock(m_mutex);
    require(m_count > 0);
    --m_count;
  }
  void pop_if_any() {
    const std::lock_guard lock(m_mutex);
    if (m_count > 0) --m_count;
  }

private:
  std::mutex m_mutex;
  int m_count = 1;
};

} // namespace

int main(int count, char** arguments) {
  const bool faulty = is_faulty(count, arguments);
  Queue queue;
  const auto work = [&] {
    if (!faulty)
      queue.pop_if_any();
    else if (!queue.empty())
      queue.pop();
  };
  std::thread a(work);
  std::thread b(work);
  a.join();
  b.join();
  require(queue.empty());
}
