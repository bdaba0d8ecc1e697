// Two threads and main ask a limiter for as much as it gives in a second. Main asks when a second has passed.
#include <util/rate_limiter_impl.h>
#include <atomic>
#include <chrono>
#include <memory>
#include <thread>

using namespace rocksdb;

class Clock : public SystemClock {
 public:
  const char* Name() const override { return "Clock"; }
  uint64_t NowMicros() override {
    return passed + std::chrono::duration_cast<std::chrono::microseconds>(std::chrono::system_clock::now().time_since_epoch()).count();
  }
  void SleepForMicroseconds(int micros) override { passed += micros; }
  Status GetCurrentTime(int64_t*) override { return Status(); }
  std::string TimeToString(uint64_t) override { return ""; }

 private:
  std::atomic<uint64_t> passed{0};
};

int main() {
  const auto clock = std::make_shared<Clock>();
  GenericRateLimiter limiter(100, 1000000, 10, RateLimiter::Mode::kAllIo, clock, false);
  const auto request = [&] { limiter.Request(100, Env::IO_HIGH, nullptr); };
  request();
  std::thread first(request), second(request);
  clock->SleepForMicroseconds(1000000);
  request();
  first.join();
  second.join();
}
