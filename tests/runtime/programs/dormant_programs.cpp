// Executes small programs that a test draws: each argument is a thread, each letter one of its operations.
// Some enter a library without hooks, always or by what they have seen. What the threads have seen is
// printed.
#include <atomic>
#include <cstdio>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

extern "C" int library_ticket(); // of library.cpp

namespace {

std::atomic<unsigned> g_x, g_y;
std::mutex g_lock;
unsigned g_sum;
unsigned g_plain; // races

void execute(char operation, unsigned& seen) {
  const auto see = [&seen](unsigned value) { seen = seen * 31 + value; };
  switch (operation) {
  case 'a':
    return see(g_x.fetch_add(1));
  case 'r':
    return see(g_y);
  case 'w':
    g_y = seen;
    return;
  case 'm': {
    const std::lock_guard lock(g_lock);
    return see(g_sum += seen);
  }
  case 'p':
    return see(g_plain++);
  case 't':
    return see(static_cast<unsigned>(library_ticket()));
  case 's':
    if (g_x == 2) see(static_cast<unsigned>(library_ticket()));
    return;
  default:
    return;
  }
}

} // namespace

int main(int count, char** arguments) {
  std::vector<unsigned> seen(static_cast<std::size_t>(count), 1);
  std::vector<std::thread> threads;
  for (int i = 1; i < count; ++i)
    threads.emplace_back([script = std::string(arguments[i]), &mine = seen[static_cast<std::size_t>(i)]] {
      for (const char operation : script) execute(operation, mine);
    });
  for (std::thread& thread : threads) thread.join();
  for (const unsigned value : seen) std::printf("%u ", value);
  std::printf("%u %u\n", g_x.load(), g_sum);
}
