// A thread ends the whole process if it runs before main has done its work.
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
