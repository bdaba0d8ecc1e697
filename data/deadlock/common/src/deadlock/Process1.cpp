#include "deadlock/Process1.h"

namespace deadlock {

void Process1::run() {
  ++shared.state;
  std::lock_guard<std::mutex> outer(shared.lock1);
  std::lock_guard<std::mutex> inner(shared.lock2);
  ++shared.state;
}

} // namespace deadlock
