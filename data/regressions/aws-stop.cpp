// A loop of events is told to stop by two threads.
#include <aws/common/allocator.h>
#include <aws/common/clock.h>
#include <aws/io/event_loop.h>
#include <aws/io/io.h>

#include <cassert>
#include <thread>

int main() {
  aws_allocator* const allocator = aws_default_allocator();
  aws_event_loop* const loop = aws_event_loop_new_default(allocator, aws_high_res_clock_get_ticks);
  assert(loop != nullptr);
  assert(aws_event_loop_run(loop) == AWS_OP_SUCCESS);
  std::thread other([&] { assert(aws_event_loop_stop(loop) == AWS_OP_SUCCESS); });
  assert(aws_event_loop_stop(loop) == AWS_OP_SUCCESS);
  other.join();
  assert(aws_event_loop_wait_for_stop_completion(loop) == AWS_OP_SUCCESS);
  aws_event_loop_destroy(loop);
}
