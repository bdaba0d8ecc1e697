// A pool is shut down while another thread gives it tasks.
#include <ccache/util/threadpool.hpp>

#include <atomic>
#include <cassert>
#include <thread>

int main() {
  util::ThreadPool pool(1, 1);
  std::atomic<int> done{0};
  std::thread adder([&] {
    for (int i = 0; i < 3; ++i) pool.enqueue([&] { ++done; });
  });
  pool.shut_down();
  adder.join();
  assert(done <= 3);
}
