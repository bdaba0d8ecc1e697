// Three names are looked up by a pool.
#include <uv.h>

#include <cassert>

static int answers = 0;

static void answered(uv_getaddrinfo_t*, int status, addrinfo* address) {
  assert(status == 0);
  uv_freeaddrinfo(address);
  ++answers;
}

int main() {
  uv_loop_t loop;
  uv_loop_init(&loop);
  addrinfo hints = {};
  hints.ai_flags = AI_NUMERICHOST;
  uv_getaddrinfo_t requests[3];
  for (uv_getaddrinfo_t& request : requests)
    uv_getaddrinfo(&loop, &request, answered, "127.0.0.1", nullptr, &hints);
  uv_run(&loop, UV_RUN_DEFAULT);
  assert(answers == 3);
  return uv_loop_close(&loop);
}
