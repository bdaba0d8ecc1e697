// Three threads change a number under one lock.
#include "nsync.h"

#include <cassert>
#include <thread>

int main() {
  nsync::nsync_mu mu = NSYNC_MU_INIT;
  int number = 0;
  auto raise = [&] {
    nsync::nsync_mu_lock(&mu);
    ++number;
    nsync::nsync_mu_unlock(&mu);
  };
  std::thread first(raise), second(raise);
  raise();
  first.join();
  second.join();
  assert(number == 3);
}
