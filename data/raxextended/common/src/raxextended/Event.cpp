#include "raxextended/Event.h"

namespace raxextended {

void Event::waitForEvent() {
  std::unique_lock<std::mutex> lock(monitor);
  signalled.wait(lock);
}

void Event::waitForEvent(std::unique_lock<std::mutex>& lock) { signalled.wait(lock); }

void Event::signalEvent() {
  std::lock_guard<std::mutex> lock(monitor);
  count = (count + 1) % wrapCount;
  signalled.notify_all();
}

} // namespace raxextended
