// Main selects from a chain until it is closed; one thread sends a message, another one takes what there is, sends a second one and closes.
#include <so_5/all.hpp>
#include <atomic>
#include <cassert>
#include <thread>

int main() {
  so_5::wrapped_env_t environment;
  auto chain = so_5::create_mchain(environment.environment());
  std::atomic<int> sum(0);
  const auto take = [&](int value) { sum += value; };
  std::thread sender([&] { so_5::send<int>(chain, 1); });
  std::thread other([&] {
    so_5::receive(so_5::from(chain).handle_n(1).no_wait_on_empty(), take);
    so_5::send<int>(chain, 2);
    sender.join();
    so_5::close_retain_content(chain);
  });
  so_5::select(so_5::from_all(), so_5::case_(chain, take));
  other.join();
  assert(sum == 3);
}
