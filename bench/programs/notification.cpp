// A test that passes: one thread waits on a condition variable until the other has set a flag, a few times over. Its
// points are reached through libstdc++, where the call stack is not the instrumented code's alone.
#include <condition_variable>
#include <mutex>
#include <thread>

int main() {
  constexpr int k_rounds = 3;
  std::mutex mutex;
  std::condition_variable changed;
  int turn = 0;
  const auto work = [&](int mine) {
    for (int i = 0; i < k_rounds; ++i) {
      std::unique_lock lock(mutex);
      changed.wait(lock, [&] { return turn % 2 == mine; });
      ++turn;
      changed.notify_one();
    }
  };
  std::thread a(work, 0);
  std::thread b(work, 1);
  a.join();
  b.join();
  return turn == 2 * k_rounds ? 0 : 1;
}
