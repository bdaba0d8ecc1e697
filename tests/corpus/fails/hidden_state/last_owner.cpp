// The thrown object ends in the thread that drops it last, which need not be the one that expects it.
#include <cassert>
#include <exception>
#include <thread>

thread_local bool is_collector = false;
bool ended_in_collector = false;

struct Problem {
  Problem() = default;
  Problem(const Problem&) = default;
  ~Problem() { ended_in_collector = is_collector; }
};

int main() {
  std::exception_ptr seen = std::make_exception_ptr(Problem());
  std::exception_ptr kept = seen;
  std::thread worker([&] { seen = nullptr; });
  std::thread collector([&] {
    is_collector = true;
    kept = nullptr;
  });
  worker.join();
  collector.join();
  assert(ended_in_collector);
  return 0;
}
