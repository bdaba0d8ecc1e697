// A lock around the whole use makes hidden state safe.
#include <cassert>
#include <cstring>
#include <ctime>
#include <mutex>
#include <thread>

std::mutex all;

void use(std::time_t time, int year) {
  std::lock_guard used(all);
  assert(std::gmtime(&time)->tm_year == year);
  char text[] = "a b";
  strtok(text, " ");
  assert(*strtok(nullptr, " ") == 'b');
}

int main() {
  use(0, 70);
  std::thread one(use, 0, 70), two(use, 1'000'000'000, 101);
  one.join();
  two.join();
  return 0;
}
