// A slot is connected while another thread emits.
#include <sigslot/signal.hpp>
#include <thread>

int main() {
  sigslot::signal<int> signal;
  std::atomic<int> sum{0};
  signal.connect([&](int i) { sum += i; });
  std::thread emitter([&] {
    signal(1);
    signal(2);
  });
  signal.connect([&](int i) { sum += 10 * i; });
  emitter.join();
  return sum < 3 ? 1 : 0;
}
