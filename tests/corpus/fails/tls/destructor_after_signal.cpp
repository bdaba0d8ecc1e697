// A thread reports that it is done before its thread_local objects are destroyed.
#include <semaphore.h>

#include <atomic>
#include <cassert>
#include <thread>

std::atomic<int> live{0};
sem_t done;

struct Connection {
  Connection() { live.fetch_add(1); }
  ~Connection() { live.fetch_sub(1); }
  int used = 0;
};

void use() {
  thread_local Connection connection;
  ++connection.used;
}

int main() {
  sem_init(&done, 0, 0);
  std::thread worker([] {
    use();
    sem_post(&done);
  });
  sem_wait(&done);
  assert(live.load() == 0);
  worker.join();
  sem_destroy(&done);
  return 0;
}
