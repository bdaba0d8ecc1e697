// A counter is printed while another thread sets it for the first time.
#include <cassert>
#include <string>
#include <thread>

#include "ylt/metric/counter.hpp"

int main() {
  ylt::metric::counter_t counter("requests", "of this test");
  std::thread worker([&] { counter.update(1); });
  std::string text;
  counter.serialize(text);
  worker.join();
  assert(counter.value() == 1);
}
