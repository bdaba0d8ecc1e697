// A test that passes: two threads take turns with a condition variable. Argument: the number of turns of each
// thread. It reaches its points through libstdc++, so the call stacks also contain code that is not
// instrumented.
#include <condition_variable>
#include <cstdlib>
#include <mutex>
#include <thread>

int main(int count, char** arguments) {
  if (count != 2) return 2;
  const int turns = std::atoi(arguments[1]);
  std::mutex mutex;
  std::condition_variable changed;
  int turn = 0;
  const auto work = [&](int mine) {
    for (int i = 0; i < turns; ++i) {
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
  return turn == 2 * turns ? 0 : 1;
}
