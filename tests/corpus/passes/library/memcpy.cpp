// memcpy writes into the middle of the memory that another thread reads.
#include <cstring>
#include <thread>

char text[100] = "before";
volatile std::size_t size = sizeof text;

void change() {
  const char after[100] = "after";
  std::memcpy(text, after, size);
}

int look() { return text[3]; }

int main() {
  int seen = 0;
  std::thread one(change), two([&] { seen = look(); });
  one.join();
  two.join();
  return seen < 0;
}
