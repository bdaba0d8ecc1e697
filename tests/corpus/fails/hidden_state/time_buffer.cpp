// gmtime returns a buffer that the other thread's call overwrites before it is read.
#include <cassert>
#include <ctime>
#include <thread>

int year_of(std::time_t time) { return std::gmtime(&time)->tm_year; }

int main() {
  int first = 0, second = 0;
  year_of(0); // the time zone is read before the threads
  std::thread one([&] { first = year_of(0); });
  std::thread two([&] { second = year_of(1'000'000'000); });
  one.join();
  two.join();
  assert(first == 70 && second == 101);
  return 0;
}
