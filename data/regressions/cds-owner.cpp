// Two threads take a lock that its owner may take again.
#include <cds/sync/spinlock.h>
#include <thread>

int main() {
  cds::sync::reentrant_spin32 lock;
  int count = 0;
  auto twice = [&] {
    lock.lock();
    lock.lock();
    ++count;
    lock.unlock();
    lock.unlock();
  };
  std::thread other(twice);
  twice();
  other.join();
  return count == 2 ? 0 : 1;
}
