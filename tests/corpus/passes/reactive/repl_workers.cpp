// ReplWorkers: workers take from one pool of work until all of them wait, again and again. A worker counts
// itself as blocked under the coordinator's lock. (The dissertation's Table 4.1, corrected.)
#include <cmath>
#include <condition_variable>
#include <deque>
#include <mutex>
#include <thread>
#include <vector>

constexpr int k_workers = 2;
constexpr int k_items = 1; // taken at a time

struct Interval {
  double low;
  double high;
};

class Barrier {
public:
  void wait() {
    std::unique_lock lock(m_monitor);
    const int generation = m_generation;
    if (++m_arrived == k_workers + 1) {
      m_arrived = 0;
      ++m_generation;
      m_changed.notify_all();
    }
    while (generation == m_generation) m_changed.wait(lock);
  }

private:
  std::mutex m_monitor;
  std::condition_variable m_changed;
  int m_arrived = 0;
  int m_generation = 0;
};

class Coordinator {
public:
  void reset() {
    const std::lock_guard lock(m_monitor);
    m_done = false;
  }
  void add(Interval work) {
    const std::lock_guard lock(m_monitor);
    m_pool.push_back(work);
    m_changed.notify_all();
  }
  std::vector<Interval> take() {
    std::unique_lock lock(m_monitor);
    ++m_blocked_takers;
    if (m_pool.empty() && m_blocked_takers == k_workers) m_changed.notify_all();
    while (m_pool.empty() && !m_done) m_changed.wait(lock);
    std::vector<Interval> taken;
    for (; !m_pool.empty() && taken.size() < k_items; m_pool.pop_front()) taken.push_back(m_pool.front());
    --m_blocked_takers;
    m_changed.notify_all();
    return taken;
  }
  void wait_until_done() {
    std::unique_lock lock(m_monitor);
    while (m_blocked_takers != k_workers && !m_done) m_changed.wait(lock);
    m_done = true;
    m_changed.notify_all();
  }

private:
  std::mutex m_monitor;
  std::condition_variable m_changed;
  std::deque<Interval> m_pool;
  int m_blocked_takers = 0;
  bool m_done = false;
};

class ReplicatedWorkers {
public:
  void execute(Interval work) {
    m_coordinator.reset();
    m_results.clear();
    m_coordinator.add(work);
    m_barrier.wait();
    m_coordinator.wait_until_done();
    m_barrier.wait();
  }

  void worker() {
    for (;;) {
      m_barrier.wait();
      for (;;) {
        const std::vector<Interval> taken = m_coordinator.take();
        if (taken.empty()) break;
        for (const Interval& work : taken) integrate(work);
      }
      m_barrier.wait();
    }
  }

private:
  static double f(double x) { return x * x - x; }
  static double area(double low, double high) { return (f(low) + f(high)) / 2 * (high - low); }

  void integrate(const Interval& work) {
    const double middle = (work.low + work.high) / 2;
    const double halves = area(work.low, middle) + area(middle, work.high);
    if (std::abs(halves - area(work.low, work.high)) > 0.1) {
      m_coordinator.add({work.low, middle});
      m_coordinator.add({middle, work.high});
    } else {
      const std::lock_guard lock(m_result_lock);
      m_results.push_back(halves);
    }
  }

  Coordinator m_coordinator;
  Barrier m_barrier;
  std::mutex m_result_lock;
  std::vector<double> m_results;
};

int main() {
  ReplicatedWorkers workers;
  std::thread threads[] = {std::thread([&] { workers.worker(); }), std::thread([&] { workers.worker(); })};
  for (;;) workers.execute({0, 1});
}
