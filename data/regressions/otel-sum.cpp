// A sum of metrics is read while another thread adds to it.
#include <opentelemetry/sdk/metrics/aggregation/sum_aggregation.h>

#include <cassert>
#include <thread>

namespace metrics = opentelemetry::sdk::metrics;
namespace nostd = opentelemetry::nostd;

int main() {
  metrics::LongSumAggregation sum;
  std::thread adder([&] { sum.Aggregate(1L); });
  const long before = nostd::get<long>(nostd::get<metrics::SumPointData>(sum.ToPoint()).value_);
  adder.join();
  assert(before == 0 || before == 1);
}
