// A test that passes: two threads count while they hold a mutex. Argument: the number of lock and unlock
// pairs of each thread; the default is 3.
#include <cstdlib>
#include <mutex>
#include <thread>

int main(int count, char** arguments) {
  const int pairs = count > 1 ? std::atoi(arguments[1]) : 3;
  std::mutex mutex;
  int total = 0;
  const auto work = [&] {
    for (int i = 0; i < pairs; ++i) {
      const std::lock_guard lock(mutex);
      ++total;
    }
  };
  std::thread a(work);
  std::thread b(work);
  a.join();
  b.join();
  return total == 2 * pairs ? 0 : 1;
}
