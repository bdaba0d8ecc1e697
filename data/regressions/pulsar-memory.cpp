// One thread waits for memory that another one gives back.
#include <MemoryLimitController.h>

#include <cassert>
#include <thread>

int main() {
  pulsar::MemoryLimitController limit(100);
  assert(limit.tryReserveMemory(101));
  std::thread waiter([&] { limit.reserveMemory(10); });
  limit.releaseMemory(101);
  waiter.join();
  assert(limit.currentUsage() == 10);
}
