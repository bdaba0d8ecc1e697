// A join ends after the destructors of the thread's thread_local objects; each thread has its own objects.
#include <atomic>
#include <cassert>
#include <thread>

std::atomic<int> live{0};

struct Connection {
  Connection() { live.fetch_add(1); }
  ~Connection() { live.fetch_sub(1); }
  int used = 0;
};

void use() {
  thread_local Connection connection;
  assert(connection.used++ == 0);
}

int main() {
  std::thread one(use), two(use);
  one.join();
  two.join();
  assert(live.load() == 0);
  return 0;
}
