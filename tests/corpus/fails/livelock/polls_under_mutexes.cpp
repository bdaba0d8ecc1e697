// Each thread polls under its own mutex for what the other one says only afterwards.
#include <chrono>
#include <mutex>
#include <thread>

struct Word {
  bool is_said() {
    const std::lock_guard lock(m_mutex);
    return m_said;
  }
  void say() {
    const std::lock_guard lock(m_mutex);
    m_said = true;
  }

private:
  std::mutex m_mutex;
  bool m_said = false;
};

Word first, second;

int main() {
  std::thread other([] {
    while (!first.is_said()) std::this_thread::sleep_for(std::chrono::milliseconds(1));
    second.say();
  });
  while (!second.is_said()) std::this_thread::yield();
  first.say();
  other.join();
  return 0;
}
