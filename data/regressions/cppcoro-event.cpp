// An event that another thread sets is gone as soon as it was waited for.
// Of the event without a futex: -U__linux__.
#include <cppcoro/detail/lightweight_manual_reset_event.hpp>
#include <memory>
#include <thread>

int main() {
  auto event = std::make_unique<cppcoro::detail::lightweight_manual_reset_event>();
  std::thread setter([raw = event.get()] { raw->set(); });
  event->wait();
  event.reset();
  setter.join();
}
