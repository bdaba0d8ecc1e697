// The pool is shut down while a thread that it started for a burst of tasks comes to its end.
#include "httplib.h"
#include <cassert>

int main() {
  std::atomic<int> done{0};
  httplib::ThreadPool pool(1, 3);
  for (int i = 0; i < 3; ++i) pool.enqueue([&] { ++done; });
  pool.shutdown();
  assert(done == 3);
}
