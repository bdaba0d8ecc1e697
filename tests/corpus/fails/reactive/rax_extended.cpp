// RAXextended: the planner checks the count of `plan` and waits, and does not hold the lock in between, so an
// event may come after the check. No thread ever ends. (The dissertation's Table 4.1.)
#include <atomic>
#include <cassert>
#include <condition_variable>
#include <mutex>
#include <thread>

constexpr int k_wrap_count = 3;
constexpr int k_tokens = 5;

class Event {
public:
  int count() const { return m_count.load(); }
  void wait_for_event() {
    std::unique_lock lock(m_monitor);
    m_signalled.wait(lock);
  }
  void signal_event() {
    const std::lock_guard lock(m_monitor);
    m_count.store((m_count.load() + 1) % k_wrap_count);
    m_signalled.notify_all();
  }

private:
  std::mutex m_monitor;
  std::condition_variable m_signalled;
  std::atomic<int> m_count{0};
};

struct Plan {
  int token[k_tokens] = {};
  void generate() {
    for (int i = 0; i < k_tokens; ++i) token[i] = i + 1;
  }
};

Event plan_event;
Event exec_event;
Plan timeline;
std::atomic<int> shared_variable{0};

void planner() {
  int count = plan_event.count();
  for (;;) {
    if (count == plan_event.count()) {
      assert(count == plan_event.count());
      plan_event.wait_for_event();
    }
    count = plan_event.count();
    timeline.generate();
    exec_event.signal_event();
  }
}

void executive() {
  int count = exec_event.count();
  for (;;) {
    plan_event.signal_event();
    if (count == exec_event.count()) exec_event.wait_for_event();
    count = exec_event.count();
    for (int token = 0; token < k_tokens && timeline.token[token] != 0;) ++token;
  }
}

void diagnosis() {
  for (;;) exec_event.wait_for_event(); // and repair
}

void task(int number) {
  for (;;) shared_variable.store(number);
}

int main() {
  std::thread threads[] = {std::thread(planner), std::thread(executive), std::thread(diagnosis),
                           std::thread(task, 1), std::thread(task, 2)};
  for (std::thread& thread : threads) thread.join();
  return 0;
}
