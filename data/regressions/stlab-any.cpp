// Main waits for the first of two values, which two threads compute. What is done with it has threads of its own.
#include <cassert>
#include <mutex>
#include <thread>
#include <utility>
#include <vector>

#include <stlab/memory.hpp>

#include <stlab/concurrency/future.hpp>
#include <stlab/concurrency/immediate_executor.hpp>
#include <stlab/concurrency/utility.hpp>

namespace {

std::mutex lock;
std::vector<std::thread> threads;

struct Executor {
  template <typename Task>
  void operator()(Task task) const {
    const std::lock_guard<std::mutex> guard(lock);
    threads.emplace_back(std::move(task));
  }
};

}  // namespace

int main() {
  auto first = stlab::package<int()>(stlab::immediate_executor, [] { return 1; });
  auto second = stlab::package<int()>(stlab::immediate_executor, [] { return 2; });
  std::thread one([task = std::move(first.first)]() mutable { task(); });
  std::vector<stlab::future<int>> values;
  values.push_back(std::move(first.second));
  values.push_back(std::move(second.second));
  auto any = stlab::when_any(
      Executor{}, [](int value, std::size_t) { return value; }, std::make_pair(values.begin(), values.end()));
  one.join();
  for (std::size_t i = 0; i < threads.size(); ++i) threads[i].join();
  assert(any.get_try());
}
