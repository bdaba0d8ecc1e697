// A thread that has had the mutex ends while the other one still wakes it.
#include "absl/synchronization/mutex.h"

#include <thread>

int main() {
  absl::Mutex mutex;
  mutex.Lock();
  std::thread locker([&] {
    mutex.Lock();
    mutex.Unlock();
  });
  mutex.Unlock();
  locker.join();
}
