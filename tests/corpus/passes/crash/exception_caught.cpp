// Threads throw and catch exceptions. One exception goes to another thread in an exception_ptr.
#include <cassert>
#include <exception>
#include <mutex>
#include <stdexcept>
#include <thread>

std::mutex mutex;
std::exception_ptr stored;
int caught = 0;

void work() {
  try {
    std::lock_guard lock(mutex);
    throw std::runtime_error("expected");
  } catch (const std::runtime_error&) {
    std::lock_guard lock(mutex);
    ++caught;
    stored = std::current_exception();
  }
}

int main() {
  std::thread one(work), two(work);
  one.join();
  two.join();
  assert(caught == 2);
  try {
    std::rethrow_exception(stored);
  } catch (const std::exception&) {
    ++caught;
  }
  assert(caught == 3);
  return 0;
}
