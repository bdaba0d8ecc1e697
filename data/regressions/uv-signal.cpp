// A signal is caught while one of its two handles is closed.
#include <uv.h>

#include <cassert>
#include <csignal>
#include <thread>

#include <unistd.h>

static void caught(uv_signal_t*, int) {}

int main() {
  uv_loop_t loop;
  uv_signal_t first, second;
  static bool closed = false;
  uv_loop_init(&loop);
  uv_signal_init(&loop, &first);
  uv_signal_init(&loop, &second);
  uv_signal_start(&first, caught, SIGUSR1);
  uv_signal_start(&second, caught, SIGUSR1);
  uv_unref(reinterpret_cast<uv_handle_t*>(&second));
  std::thread sender([] { kill(getpid(), SIGUSR1); });
  uv_close(reinterpret_cast<uv_handle_t*>(&first), [](uv_handle_t*) { closed = true; });
  uv_run(&loop, UV_RUN_DEFAULT);
  assert(closed);
  sender.join();
  uv_ref(reinterpret_cast<uv_handle_t*>(&second));
  uv_close(reinterpret_cast<uv_handle_t*>(&second), nullptr);
  uv_run(&loop, UV_RUN_DEFAULT);
  assert(uv_loop_close(&loop) == 0);
}
