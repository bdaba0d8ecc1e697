// A worker writes three hundred lines with the time in front, while main waits for at most ten seconds: no
// machine needs so long.
#include <cassert>
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <thread>
#include <vector>

struct Line {
  std::chrono::system_clock::time_point time;
  int text;
};

class Log {
public:
  void write(int text) {
    const std::lock_guard guard(m_mutex);
    m_lines.push_back({std::chrono::system_clock::now(), text});
  }

private:
  std::mutex m_mutex;
  std::vector<Line> m_lines;
};

int main() {
  Log log;
  std::mutex mutex;
  std::condition_variable changed;
  bool done = false;
  std::thread worker([&] {
    for (int i = 0; i < 300; ++i) log.write(i);
    const std::lock_guard guard(mutex);
    done = true;
    changed.notify_one();
  });
  {
    std::unique_lock lock(mutex);
    const bool in_time = changed.wait_for(lock, std::chrono::seconds(10), [&] { return done; });
    assert(in_time);
  }
  worker.join();
}
