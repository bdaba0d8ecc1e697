// One thread appends to a list before or after another thread iterates over it.
#include <list>
#include <mutex>
#include <thread>

std::list<int> numbers{1, 2};
std::mutex mutex;

void change() {
  std::lock_guard lock(mutex);
  numbers.push_back(3);
}

int look() {
  std::lock_guard lock(mutex);
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
