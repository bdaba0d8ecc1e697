// Sleeping threads wake in the order of their deadlines, and the clock advances at least by their sleeps.
#include <atomic>
#include <cassert>
#include <chrono>
#include <thread>

using namespace std::chrono_literals;

std::atomic<int> woken{0};

int main() {
  std::thread late([] {
    const auto before = std::chrono::steady_clock::now();
    std::this_thread::sleep_for(20ms);
    assert(std::chrono::steady_clock::now() - before >= 20ms);
    assert(woken.fetch_add(1) == 1);
  });
  std::thread early([] {
    std::this_thread::sleep_for(10ms);
    assert(woken.fetch_add(1) == 0);
  });
  late.join();
  early.join();
  return 0;
}
