// A task posts two others to an executor of two threads.
#define TMC_IMPL
#include <tmc/all_headers.hpp>

#include <semaphore>

int main() {
  std::counting_semaphore<2> done{0};
  tmc::ex_cpu executor;
  executor.set_thread_count(2).init();
  tmc::post(
      executor,
      [&] {
        tmc::post(
            executor, [&] { done.release(); }, 0);
        tmc::post(
            executor, [&] { done.release(); }, 0);
      },
      0);
  done.acquire();
  done.acquire();
}
