// A watcher is added while the loop of another thread calls those that are there.
#include <event2/event.h>
#include <event2/thread.h>
#include <event2/watch.h>

#include <cassert>
#include <thread>

static void count(evwatch*, const evwatch_prepare_cb_info*, void* calls) { ++*static_cast<int*>(calls); }

int main() {
  evthread_use_pthreads();
  event_base* base = event_base_new();
  int calls = 0, more = 0;
  evwatch_prepare_new(base, count, &calls);
  std::thread loop([&] { event_base_loop(base, EVLOOP_NONBLOCK | EVLOOP_NO_EXIT_ON_EMPTY); });
  evwatch_prepare_new(base, count, &more);
  loop.join();
  assert(calls == 1);
  event_base_free(base);
}
