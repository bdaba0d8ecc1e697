// A thread names itself, and main asks for the name at any time.
#include <cassert>
#include <cstring>
#include <mutex>
#include <pthread.h>
#include <thread>

std::mutex own;

int main() {
  std::thread worker([] {
    std::lock_guard busy(own);
    pthread_setname_np(pthread_self(), "worker");
  });
  char name[16] = "";
  pthread_getname_np(worker.native_handle(), name, sizeof name);
  worker.join();
  assert(std::strcmp(name, "worker") == 0);
  return 0;
}
