// A server is started and stopped.
#include "civetweb.h"

#include <cassert>

int main() {
  const char* options[] = {"listening_ports", "127.0.0.1:0", "num_threads", "2", nullptr};
  mg_callbacks callbacks{};
  mg_init_library(0);
  mg_context* server = mg_start(&callbacks, nullptr, options);
  assert(server);
  mg_stop(server);
  mg_exit_library();
}
