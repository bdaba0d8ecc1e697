// Main waits for two threads at a latch that ends with the block.
#include <concurrent/impl/latch.hpp>
#include <thread>

int main() {
  std::thread first, second;
  {
    concurrent::impl::Latch latch(2);
    first = std::thread([&] { latch.count_down(); });
    second = std::thread([&] { latch.count_down(); });
    latch.wait();
  }
  first.join();
  second.join();
}
