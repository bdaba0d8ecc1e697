// Three owners of an exception: it is destroyed exactly once, by whoever comes last.
#include <atomic>
#include <cassert>
#include <exception>
#include <thread>

std::atomic<int> destroyed{0};

struct Problem {
  bool real = true;
  Problem() = default;
  Problem(const Problem&) = default;
  ~Problem() { destroyed.fetch_add(1); }
};

void handle(std::exception_ptr pointer) {
  try {
    std::rethrow_exception(pointer);
  } catch (const Problem& problem) {
    assert(problem.real);
  }
}

int main() {
  std::exception_ptr pointer = std::make_exception_ptr(Problem());
  destroyed = 0;
  std::thread one(handle, pointer), two([&] { pointer = nullptr; });
  one.join();
  two.join();
  assert(destroyed == 1);
  return 0;
}
