// A thread keeps a promise, and main frees it when it has the value.
extern "C" {
#include <aws/common/promise.h>
}
#include <aws/common/thread.h>

#include <cassert>

static int g_value = 7;

static void keep(void* promise) { aws_promise_complete(static_cast<aws_promise*>(promise), &g_value, nullptr); }

int main() {
  aws_allocator* allocator = aws_default_allocator();
  aws_promise* promise = aws_promise_new(allocator);
  aws_thread thread;
  aws_thread_init(&thread, allocator);
  aws_thread_launch(&thread, keep, promise, nullptr);
  aws_promise_wait(promise);
  assert(*static_cast<int*>(aws_promise_value(promise)) == 7);
  aws_promise_release(promise);
  aws_thread_join(&thread);
  aws_thread_clean_up(&thread);
}
