// An insertion into a map and a look-up, one after the other.
#include <map>
#include <mutex>
#include <thread>

std::map<int, int> numbers{{1, 1}, {2, 2}, {3, 3}};
std::mutex mutex;

void change() {
  std::lock_guard lock(mutex);
  numbers.emplace(4, 4);
}

int look() {
  std::lock_guard lock(mutex);
  return numbers.count(5) != 0 ? 1 : 0;
}

int main() {
  int seen = 0;
  std::thread one(change), two([&] { seen = look(); });
  one.join();
  two.join();
  return seen < 0;
}
