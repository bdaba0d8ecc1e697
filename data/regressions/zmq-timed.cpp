// A thread waits for half a minute at most for what another one does.
#include "condition_variable.hpp"

#include <cassert>
#include <thread>

int main() {
  zmq::mutex_t mutex;
  zmq::condition_variable_t changed;
  bool ready = false;
  std::thread other([&] {
    mutex.lock();
    ready = true;
    changed.broadcast();
    mutex.unlock();
  });
  mutex.lock();
  int result = 0;
  while (!ready && result == 0) result = changed.wait(&mutex, 30000);
  assert(ready);
  mutex.unlock();
  other.join();
}
