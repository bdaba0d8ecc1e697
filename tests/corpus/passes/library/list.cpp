// One thread appends to a list while another thread iterates over it.
#include <list>
#include <thread>

std::list<int> numbers{1, 2};

void change() { numbers.push_back(3); }

int look() {
  int sum = 0;
  for (const int number : numbers) sum += number;
  return sum;
}

int main() {
  int seen = 0;
  std::thread one(change), two([&] { seen = look(); });
  one.join();
  two.join();
  return seen < 0;
}
