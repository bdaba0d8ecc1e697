// An event is made active while the loop of another thread handles it.
#include <event2/event.h>
#include <event2/thread.h>

#include <cassert>
#include <thread>

static void handle(evutil_socket_t, short, void* calls) { ++*static_cast<int*>(calls); }

int main() {
  evthread_use_pthreads();
  event_base* base = event_base_new();
  int calls = 0;
  event* timer = event_new(base, -1, 0, handle, &calls);
  event_active(timer, EV_TIMEOUT, 0);
  std::thread loop([&] { event_base_loop(base, EVLOOP_NONBLOCK | EVLOOP_NO_EXIT_ON_EMPTY); });
  event_active(timer, EV_TIMEOUT, 0);
  loop.join();
  assert(calls == 1 || calls == 2);
  event_free(timer);
  event_base_free(base);
}
