// A pool computes twice and is destroyed.
#include <pthreadpool.h>

#include <cassert>

static void increment(void* data, size_t index) { ++static_cast<int*>(data)[index]; }

int main() {
  pthreadpool_t pool = pthreadpool_create(2);
  int data[2] = {};
  pthreadpool_compute_1d(pool, increment, data, 2);
  pthreadpool_compute_1d(pool, increment, data, 2);
  pthreadpool_destroy(pool);
  assert(data[0] == 2 && data[1] == 2);
}
