// A thread that processes a queue for a time is locked out by another one.
extern "C" {
#include "misc/dispatch.h"
#include "mpv_talloc.h"
}

#include <thread>

int main() {
  mp_dispatch_queue* const queue = mp_dispatch_create(nullptr);
  bool done = false;
  std::thread target([&] {
    while (!done) mp_dispatch_queue_process(queue, 0.01);
  });
  mp_dispatch_lock(queue);
  done = true;
  mp_dispatch_unlock(queue);
  target.join();
  talloc_free(queue);
}
