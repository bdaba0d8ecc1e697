// A thread ends the whole process when it comes before main's work.
#include <atomic>
#include <cstdlib>
#include <thread>

std::atomic<bool> prepared{false};

int main() {
  std::thread worker([] {
    if (!prepared.load()) std::exit(4);
  });
  prepared.store(true);
  worker.join();
  return 0;
}
