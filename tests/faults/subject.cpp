// The test that is explored while something is missing: subject passes | fails | wide.
#include <atomic>
#include <cassert>
#include <cstring>
#include <thread>
#include <vector>

namespace {

std::atomic<int> g_counter{0};

void add_in_one_step() { ++g_counter; }
void add_in_two_steps() { g_counter.store(g_counter.load() + 1); }

void run_twice(void (*add)()) {
  std::thread one(add), two(add);
  one.join();
  two.join();
  assert(g_counter.load() == 2);
}

// More schedules than anybody can explore.
void run_wide() {
  std::vector<std::thread> threads;
  for (int i = 0; i < 8; ++i)
    threads.emplace_back([] {
      for (int turn = 0; turn < 40; ++turn) add_in_two_steps();
    });
  for (std::thread& thread : threads) thread.join();
}

} // namespace

int main(int argc, char** argv) {
  const char* kind = argc > 1 ? argv[1] : "passes";
  if (std::strcmp(kind, "wide") == 0)
    run_wide();
  else
    run_twice(std::strcmp(kind, "fails") == 0 ? add_in_two_steps : add_in_one_step);
}
