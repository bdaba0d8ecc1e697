// Main logs an entry, flushes the log, and looks at what the consumer got.
#include <atomic>
#include <cassert>
#include <memory>

#include <fastdds/dds/log/Log.hpp>

using eprosima::fastdds::dds::Log;

std::atomic<int> g_consumed{0};

struct Counter : eprosima::fastdds::dds::LogConsumer {
  void Consume(const Log::Entry&) override { ++g_consumed; }
};

int main() {
  Log::ClearConsumers();
  Log::RegisterConsumer(std::make_unique<Counter>());
  Log::QueueLog("entry", Log::Context{__FILE__, __LINE__, __func__, "TEST"}, Log::Error);
  Log::Flush();
  assert(g_consumed == 1);
  Log::KillThread();
}
