// acquire() returns as soon as release() has counted. The semaphore may be freed before release() wakes who
// waits: the wake names the address and touches nothing there.
#include <memory>
#include <semaphore>
#include <thread>

int main() {
  auto owner = std::make_unique<std::binary_semaphore>(0);
  std::thread thread([semaphore = owner.get()] { semaphore->release(); });
  owner->acquire();
  owner.reset();
  thread.join();
}
