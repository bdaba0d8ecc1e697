// A thread opens the pipe that interrupts a wait while main notifies it.
#include <cassert>
#include <string>
#include <thread>

#include "IXSelectInterruptPipe.h"

int main() {
  ix::SelectInterruptPipe interrupt;
  std::thread background([&] {
    std::string error;
    assert(interrupt.init(error));
    interrupt.read();
  });
  interrupt.notify(1);
  background.join();
  assert(interrupt.notify(2));
}
