// W1: two threads lock and unlock a mutex three times each. The program has no fault.
#include <mutex>
#include <thread>

#include "bench/workloads/workload.h"

int main(int count, char** arguments) {
  if (is_faulty(count, arguments)) return k_no_such_version;
  std::mutex mutex;
  int total = 0;
  const auto work = [&] {
    for (int i = 0; i < 3; ++i) {
      const std::lock_guard lock(mutex);
      ++total;
    }
  };
  std::thread a(work);
  std::thread b(work);
  a.join();
  b.join();
  require(total == 6);
}
