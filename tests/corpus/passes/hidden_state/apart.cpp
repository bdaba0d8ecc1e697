// Each thread has a state of its own, and reads what nobody writes: there is nothing to order.
#include <cassert>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <thread>

void use(int year, std::time_t time) {
  tm broken;
  assert(gmtime_r(&time, &broken)->tm_year == year);
  char text[] = "a b";
  char* position = nullptr;
  strtok_r(text, " ", &position);
  assert(*strtok_r(nullptr, " ", &position) == 'b');
  assert(getenv("REEX_NOBODY_SETS_THIS") == nullptr);
}

int main() {
  use(70, 0); // the time zone is read before the threads
  std::thread one(use, 70, 0), two(use, 101, 1'000'000'000);
  one.join();
  two.join();
  return 0;
}
