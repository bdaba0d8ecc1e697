#include "deadlock/Process2.h"

namespace deadlock {

void Process2::run() {
  ++shared.state;
  std::lock_guard<std::mutex> outer(shared.lock2);
  std::lock_guard<std::mutex> inner(shared.lock1);
  ++shared.state;
}

} // namespace deadlock
