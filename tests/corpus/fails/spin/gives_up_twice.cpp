// A thread looks 300 times, then 300 times more in another way, and then takes for granted that nobody will
// come. Once it has given up the first time, it gives up the second time at no further cost.
#include <atomic>
#include <cassert>
#include <semaphore.h>
#include <thread>

std::atomic<bool> away{false};
sem_t leaves;

bool looks_in_vain() {
  for (int i = 0; i < 300; ++i)
    if (!away.load()) return false;
  return true;
}

int main() {
  sem_init(&leaves, 0, 0);
  std::thread owner([] {
    away.store(true);
    sem_post(&leaves);
    away.store(false);
  });
  sem_wait(&leaves);
  bool alone = looks_in_vain();
  for (int i = 0; alone && i < 300; ++i) {
    std::this_thread::yield();
    alone = away.load();
  }
  assert(!alone);
  owner.join();
}
