// A pool of two threads runs two tasks that wait for each other.
#include <unsupported/Eigen/CXX11/ThreadPool>

#include <condition_variable>
#include <mutex>

int main() {
  std::mutex mutex;
  std::condition_variable both;
  int here = 0;
  Eigen::ThreadPool pool(2, false);
  for (int i = 0; i < 2; ++i) {
    pool.Schedule([&] {
      std::unique_lock<std::mutex> lock(mutex);
      ++here;
      both.notify_all();
      both.wait(lock, [&] { return here == 2; });
    });
  }
}
