// One thread appends to a string before or after another thread asks for its length.
#include <mutex>
#include <string>
#include <thread>

std::string text = "a text";
const char* more = " that grows";
std::mutex mutex;

void change() {
  std::lock_guard lock(mutex);
  text.append(more);
}

int look() {
  std::lock_guard lock(mutex);
  return static_cast<int>(text.size());
}

int main() {
  int seen = 0;
  std::thread one(change), two([&] { seen = look(); });
  one.join();
  two.join();
  return seen < 0;
}
