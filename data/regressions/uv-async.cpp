// A thread sends to a handle that the loop closes and frees when it is told, beside another handle.
#include <uv.h>

#include <thread>

static void closed(uv_handle_t* handle) { delete reinterpret_cast<uv_async_t*>(handle); }

static void told(uv_async_t* handle) { uv_close(reinterpret_cast<uv_handle_t*>(handle), closed); }

int main() {
  uv_loop_t loop;
  uv_loop_init(&loop);
  auto* first = new uv_async_t;
  auto* second = new uv_async_t;
  uv_async_init(&loop, first, told);
  uv_async_init(&loop, second, told);
  uv_async_send(first);
  std::thread sender([=] { uv_async_send(second); });
  uv_run(&loop, UV_RUN_DEFAULT);
  sender.join();
  return uv_loop_close(&loop);
}
