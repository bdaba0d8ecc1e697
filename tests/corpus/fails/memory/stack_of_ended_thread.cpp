// A pointer to a thread's own variable is used after the thread was joined.
#include <atomic>
#include <thread>

int main() {
  int* result = nullptr;
  std::thread thread([&] {
    int local = 42;
    std::atomic<int>(local).load();
    result = &local;
    asm volatile("" : : "r"(&local) : "memory");
  });
  thread.join();
  return *result == 42 ? 0 : 1;
}
