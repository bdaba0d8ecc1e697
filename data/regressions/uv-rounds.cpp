// Three threads come to a barrier twice.
#include <uv.h>

#include <thread>

int main() {
  uv_barrier_t barrier;
  uv_barrier_init(&barrier, 3);
  const auto come = [&] {
    uv_barrier_wait(&barrier);
    uv_barrier_wait(&barrier);
  };
  std::thread one(come), two(come);
  come();
  one.join();
  two.join();
  uv_barrier_destroy(&barrier);
}
