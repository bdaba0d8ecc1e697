// The time that a task took is asked for when it is done.
#include <nanothread/nanothread.h>

#include <cassert>

int main() {
  pool_set_profile(1);
  Pool* const pool = pool_create(2);
  Task* const task = task_submit(pool, 1, [](uint32_t, void*) {}, nullptr, 0, nullptr, 1);
  task_wait(task);
  const double milliseconds = task_time(task);
  assert(milliseconds >= 0 && milliseconds < 1e9);
  task_release(task);
  pool_destroy(pool);
}
