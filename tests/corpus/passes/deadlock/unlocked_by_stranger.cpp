// One thread locks a mutex, and another thread unlocks it. This is undefined, but has no consequence here.
#include <mutex>
#include <semaphore>
#include <thread>

std::mutex lock;
std::binary_semaphore taken{0};

void take() {
  lock.lock();
  taken.release();
}

void give_back() {
  taken.acquire();
  lock.unlock();
}

int main() {
  std::thread one(take), two(give_back);
  one.join();
  two.join();
  return 0;
}
