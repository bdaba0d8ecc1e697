// A writer that gives up waiting lets the readers behind it in.
#include <fair_shared_mutex.hpp>
#include <cassert>
#include <chrono>
#include <thread>

int main() {
  yamc::fair::shared_timed_mutex mutex;
  int readers = 0;
  mutex.lock_shared();
  std::thread writer([&] {
    if (mutex.try_lock_for(std::chrono::milliseconds(20))) mutex.unlock();
  });
  std::thread reader([&] {
    mutex.lock_shared();
    ++readers;
    mutex.unlock_shared();
  });
  writer.join();
  reader.join();
  assert(readers == 1);
  mutex.unlock_shared();
}
