// A processor that exports once in an hour is shut down, which does not take an hour.
#include "opentelemetry/sdk/trace/batch_span_processor.h"
#include "opentelemetry/sdk/trace/batch_span_processor_options.h"
#include "opentelemetry/sdk/trace/span_data.h"

#include <cassert>
#include <chrono>

namespace trace = opentelemetry::sdk::trace;

class Exporter : public trace::SpanExporter {
public:
  std::unique_ptr<trace::Recordable> MakeRecordable() noexcept override { return std::make_unique<trace::SpanData>(); }
  opentelemetry::sdk::common::ExportResult Export(
      const opentelemetry::nostd::span<std::unique_ptr<trace::Recordable>>&) noexcept override {
    return opentelemetry::sdk::common::ExportResult::kSuccess;
  }
  bool ForceFlush(std::chrono::microseconds) noexcept override { return true; }
  bool Shutdown(std::chrono::microseconds) noexcept override { return true; }
};

int main() {
  trace::BatchSpanProcessorOptions options;
  options.schedule_delay_millis = std::chrono::hours(1);
  trace::BatchSpanProcessor processor(std::make_unique<Exporter>(), options);
  const auto begin = std::chrono::steady_clock::now();
  processor.Shutdown();
  assert(std::chrono::steady_clock::now() - begin < std::chrono::minutes(1));
}
