// A waiter joins the list of a task that gives its completion to another task, which completes.
#include <oneapi/tbb/task_group.h>

#include <atomic>
#include <cassert>
#include <thread>

// The test has no scheduler of the library: what it would need is here.
namespace tbb::detail::r1 {
void* __TBB_EXPORTED_FUNC allocate(d1::small_object_pool*&, std::size_t bytes) { return operator new(bytes); }
void __TBB_EXPORTED_FUNC deallocate(d1::small_object_pool&, void* block, std::size_t) { operator delete(block); }
void __TBB_EXPORTED_FUNC notify_waiters(std::uintptr_t) {}
void __TBB_EXPORTED_FUNC spawn(d1::task&, d1::task_group_context&) {}
}  // namespace tbb::detail::r1

using tbb::detail::d2::task_dynamic_state;

struct Waiter : tbb::detail::d2::notify_list_node {
  std::atomic<int> told{0};
  notify_result_type notify_on_completion() override {
    ++told;
    return {nullptr, false};
  }
  notify_result_type notify_on_cancellation() override { return notify_on_completion(); }
};

int main() {
  tbb::detail::d1::small_object_allocator allocator;
  task_dynamic_state giver(nullptr, allocator), receiver(nullptr, allocator);
  Waiter waiter;
  std::thread joiner([&] { giver.add_notify_node(&waiter, nullptr); });
  giver.transfer_completion_to(&receiver);
  receiver.complete_and_try_get_successor();
  joiner.join();
  assert(waiter.told == 1);
}
