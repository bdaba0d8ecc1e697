// A thread spins 120 times, then it gives up and forgets the message.
#include <atomic>
#include <cassert>
#include <thread>

std::atomic<bool> ready{false};
int received = 0;

int main() {
  std::thread receiver([] {
    for (int i = 0; i < 120; ++i)
      if (ready.load()) {
        received = 1;
        return;
      }
  });
  ready.store(true);
  receiver.join();
  assert(received == 1);
  return 0;
}
