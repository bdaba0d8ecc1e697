// A pool of two threads runs two tasks.
#include <unsupported/Eigen/CXX11/ThreadPool>

#include <atomic>
#include <cassert>

int main() {
  std::atomic<int> count{0};
  {
    Eigen::ThreadPool pool(2, false);
    pool.Schedule([&] { ++count; });
    pool.Schedule([&] { ++count; });
  }
  assert(count == 2);
}
