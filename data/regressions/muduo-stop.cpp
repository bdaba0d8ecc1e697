// A pool of two threads runs a task and stops.
#include <muduo/base/Atomic.h>
#include <muduo/base/ThreadPool.h>

#include <cassert>

muduo::AtomicInt32 g_count;

void task() { g_count.increment(); }

int main() {
  muduo::ThreadPool pool("pool");
  pool.start(2);
  pool.run(task);
  pool.stop();
  assert(g_count.get() <= 1);
}
