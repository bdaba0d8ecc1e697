// Who waits for an event destroys it when it is set.
#include <memory>
#include <thread>

#include "pplxlinux.h"

int main() {
  auto event = std::make_unique<pplx::notification_event>();
  std::thread setter([&event = *event] { event.set(); });
  event->wait();
  event.reset();
  setter.join();
}
