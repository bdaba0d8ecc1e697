// An operation is stopped when its time is over.
#include <nng/nng.h>
#include <nng/protocol/pair0/pair.h>

#include <atomic>
#include <cassert>

static std::atomic<bool> stopped{false};

int main() {
  nng_init_params parameters{};
  parameters.num_task_threads = parameters.max_task_threads = 1;
  parameters.num_expire_threads = parameters.max_expire_threads = 1;
  parameters.num_poller_threads = parameters.max_poller_threads = 1;
  parameters.num_resolver_threads = 1;
  nng_init(&parameters);
  nng_socket socket;
  nng_pair0_open(&socket);
  nng_aio* aio = nullptr;
  nng_aio_alloc(
      &aio, [](void*) { assert(!stopped); }, nullptr);
  nng_aio_set_timeout(aio, 1);
  nng_recv_aio(socket, aio);
  nng_msleep(1);
  nng_aio_stop(aio);
  stopped = true;
  nng_aio_free(aio);
  nng_close(socket);
  nng_fini();
}
