// Many operations of one kind. Arguments: kind (access, call, atomic), threads, operations of each thread.
#include <atomic>
#include <cstdlib>
#include <cstring>
#include <thread>
#include <vector>

namespace {

std::atomic<int> g_atomic = 0;
volatile int g_cell = 0; // global: accesses to what does not leave its function are not instrumented

void accesses(long count) {
  for (long i = 0; i < count; ++i) g_cell = 1;
}

// Entered and left through the hooks, because there is an access in it.
__attribute__((noinline)) void callee() { g_cell = 1; }

void calls(long count) {
  for (long i = 0; i < count; ++i) callee();
}

void atomics(long count) {
  for (long i = 0; i < count; ++i) g_atomic.fetch_add(1);
}

} // namespace

int main(int count, char** arguments) {
  if (count != 4) return 2;
  const char* kind = arguments[1];
  const long operations = std::atol(arguments[3]);
  std::vector<std::thread> threads;
  for (int i = 0; i < std::atoi(arguments[2]); ++i)
    threads.emplace_back([=] {
      if (std::strcmp(kind, "access") == 0)
        accesses(operations);
      else if (std::strcmp(kind, "call") == 0)
        calls(operations);
      else
        atomics(operations);
    });
  for (std::thread& thread : threads) thread.join();
}
