// The pool is destroyed as soon as its tasks are done.
#include "ThreadPool.h"

int main() {
  ThreadPool pool(2);
  pool.enqueue([] { return 1; }).get();
}
