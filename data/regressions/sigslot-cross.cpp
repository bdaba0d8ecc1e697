// Two signals whose slots emit each other, from two threads.
#include <sigslot/signal.hpp>
#include <cassert>
#include <thread>

int main() {
  sigslot::signal<int> first;
  sigslot::signal<int> second;
  std::atomic<int> ends{0};
  first.connect([&](int left) { left > 0 ? second(left - 1) : void(++ends); });
  second.connect([&](int left) { left > 0 ? first(left - 1) : void(++ends); });
  std::thread other([&] { second(1); });
  first(1);
  other.join();
  assert(ends == 2);
}
