// A histogram is read while a value is added: its count and its sum belong together.
#include <cassert>
#include <prometheus/histogram.h>
#include <thread>

int main() {
  prometheus::Histogram histogram({1, 2});
  std::thread observer([&] {
    histogram.Observe(1);
    histogram.Observe(1);
  });
  const auto seen = histogram.Collect().histogram;
  assert(seen.sample_sum == static_cast<double>(seen.sample_count));
  observer.join();
}
