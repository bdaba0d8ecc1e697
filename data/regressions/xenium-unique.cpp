// Two threads push into a queue whose only block is full, and each adds a block.
#include <cassert>
#include <memory>
#include <thread>

#include <xenium/ramalhete_queue.hpp>
#include <xenium/reclamation/lock_free_ref_count.hpp>

using Queue = xenium::ramalhete_queue<std::unique_ptr<int>, xenium::policy::reclaimer<xenium::reclamation::lock_free_ref_count<>>,
                                      xenium::policy::entries_per_node<1>>;

int main() {
  Queue queue;
  queue.push(std::make_unique<int>(4));
  std::thread one([&] { queue.push(std::make_unique<int>(1)); });
  std::thread two([&] { queue.push(std::make_unique<int>(2)); });
  one.join();
  two.join();
  int sum = 0;
  std::unique_ptr<int> value;
  while (queue.try_pop(value)) {
    sum += *value;
  }
  assert(sum == 7);
}
