// The insertion into a map links the new node at a place that a look-up reads.
#include <map>
#include <thread>

std::map<int, int> numbers{{1, 1}, {2, 2}, {3, 3}};

void change() { numbers.emplace(4, 4); }

int look() { return numbers.count(5) != 0 ? 1 : 0; }

int main() {
  int seen = 0;
  std::thread one(change), two([&] { seen = look(); });
  one.join();
  two.join();
  return seen < 0;
}
