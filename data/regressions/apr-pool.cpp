// A pool with an idle thread is given a task.
#include <apr_general.h>

#include <cassert>
#include <atomic>

#include <apr_thread_pool.h>

static void* APR_THREAD_FUNC work(apr_thread_t*, void* done) {
  ++*static_cast<std::atomic<int>*>(done);
  return nullptr;
}

int main() {
  apr_initialize();
  apr_pool_t* memory = nullptr;
  apr_pool_create(&memory, nullptr);
  apr_thread_pool_t* pool = nullptr;
  assert(apr_thread_pool_create(&pool, 1, 1, memory) == APR_SUCCESS);
  std::atomic<int> done{0};
  assert(apr_thread_pool_push(pool, work, &done, 0, nullptr) == APR_SUCCESS);
  while (done == 0) apr_thread_yield();
  assert(apr_thread_pool_destroy(pool) == APR_SUCCESS);
}
