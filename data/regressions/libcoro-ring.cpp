// A producer and a consumer with a buffer of one element.
#include <coro/ring_buffer.hpp>
#include <cassert>
#include <semaphore>
#include <thread>

namespace {

struct Detached {
  struct promise_type {
    Detached get_return_object() { return {}; }
    std::suspend_never initial_suspend() noexcept { return {}; }
    std::suspend_never final_suspend() noexcept { return {}; }
    void return_void() {}
    void unhandled_exception() { std::abort(); }
  };
};

using Buffer = coro::ring_buffer<int, 1>;

Detached produce(Buffer& buffer, std::counting_semaphore<>& ends) {
  for (int i = 1; i <= 2; ++i) co_await buffer.produce(i);
  ends.release();
}

Detached consume(Buffer& buffer, int& sum, std::counting_semaphore<>& ends) {
  for (int i = 1; i <= 2; ++i) sum += *co_await buffer.consume();
  ends.release();
}

} // namespace

int main() {
  Buffer buffer;
  std::counting_semaphore<> ends{0};
  int sum = 0;
  std::thread producer([&] { produce(buffer, ends); });
  consume(buffer, sum, ends);
  ends.acquire();
  ends.acquire();
  producer.join();
  assert(sum == 3);
}
