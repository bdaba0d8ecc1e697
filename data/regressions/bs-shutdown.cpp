// The pool is destroyed as soon as its task is done.
#include "BS_thread_pool.hpp"

int main() {
  BS::thread_pool pool(2);
  pool.push_task([] {});
}
