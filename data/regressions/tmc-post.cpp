// A thread posts a task to an executor, which main destroys when the task is done.
#define TMC_IMPL
#include <tmc/all_headers.hpp>

#include <semaphore>
#include <thread>

int main() {
  std::binary_semaphore done{0};
  std::binary_semaphore destroyed{0};
  std::thread poster;
  {
    tmc::ex_cpu executor;
    executor.set_thread_count(1).init();
    poster = std::thread([&] {
      tmc::post(executor, [&] { done.release(); }, 0);
      destroyed.acquire();
    });
    done.acquire();
  }
  destroyed.release();
  poster.join();
}
