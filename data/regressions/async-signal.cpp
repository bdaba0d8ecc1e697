// A handler is given to a signal while another thread sends it.
#include <atomic>
#include <cassert>
#include <thread>

#include "async_simple/Signal.h"

int main() {
  const auto signal = async_simple::Signal::create();
  async_simple::Slot slot(signal.get());
  std::thread sender([&] { signal->emit(async_simple::SignalType::Terminate); });
  std::atomic<bool> called{false};
  const bool taken = slot.emplace(async_simple::SignalType::Terminate,
                                  [&](async_simple::SignalType, async_simple::Signal*) { called = true; });
  sender.join();
  assert(called == taken);
}
