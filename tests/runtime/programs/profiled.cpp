// Threads of different lengths, and shared objects in all parts of the memory: on main's stack, among the
// globals, on the heap. It prints the order in which the threads had the lock. With the word "fails", the
// last one must not be the first.
#include <atomic>
#include <cassert>
#include <cstdio>
#include <cstring>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

std::atomic<int> g_begun{0};

int main(int count, char** words) {
  const bool fails = count > 1 && std::strcmp(words[1], "fails") == 0;
  std::mutex mutex;
  std::string order;
  const auto done = std::make_unique<std::atomic<int>>(0);
  std::vector<std::thread> threads;
  for (int i = 0; i < 3; ++i)
    threads.emplace_back([&, i] {
      std::atomic<int> own{0};
      for (int k = 0; k < 6 * i; ++k) ++own;
      ++g_begun;
      for (int k = 0; k < 2; ++k) {
        const std::lock_guard lock(mutex);
        order += static_cast<char>('a' + i);
      }
      ++*done;
    });
  for (std::thread& thread : threads) thread.join();
  std::puts(order.c_str());
  assert(!fails || order.compare(0, 2, "cc") != 0);
}
