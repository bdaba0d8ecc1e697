// The thread that a barrier tells to destroy it does so.
#include <uv.h>

#include <thread>

int main() {
  uv_barrier_t barrier;
  uv_barrier_init(&barrier, 2);
  const auto come = [&] {
    if (uv_barrier_wait(&barrier) > 0) uv_barrier_destroy(&barrier);
  };
  std::thread other(come);
  come();
  other.join();
}
