// A thread waits for a number with a predicate that changes from one look to the next.
#include "kj/mutex.h"
#include "kj/thread.h"

int main() {
  kj::MutexGuarded<unsigned> number(0);
  kj::Thread other([&] { *number.lockExclusive() = 1; });
  auto lock = number.lockExclusive();
  bool flap = true;
  lock.wait([&](unsigned now) {
    flap = !flap;
    return now == 1 || flap;
  });
}
