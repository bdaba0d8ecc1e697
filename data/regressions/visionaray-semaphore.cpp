// One thread waits for two units that another one gives.
#include <visionaray/detail/semaphore.h>
#include <thread>

int main() {
  visionaray::semaphore ready;
  std::thread worker([&] {
    ready.notify();
    ready.notify();
  });
  ready.wait();
  ready.wait();
  worker.join();
}
