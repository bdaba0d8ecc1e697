// An operation with a short time limit begins when one with a long limit waits.
#include <nng/nng.h>
#include <nng/supplemental/util/platform.h>

#include <cassert>

int main() {
  nng_aio* slow = nullptr;
  nng_aio* fast = nullptr;
  nng_aio_alloc(&slow, nullptr, nullptr);
  nng_aio_alloc(&fast, nullptr, nullptr);
  nng_sleep_aio(60000, slow);
  const nng_time start = nng_clock();
  nng_sleep_aio(10, fast);
  nng_aio_wait(fast);
  assert(nng_clock() - start < 30000);
  nng_aio_cancel(slow);
  nng_aio_free(fast);
  nng_aio_free(slow);
  nng_closeall();
  nng_fini();
}
