// memcpy writes what another thread reads, and both hold the lock.
#include <cstring>
#include <mutex>
#include <thread>

char text[100] = "before";
volatile std::size_t size = sizeof text;
std::mutex mutex;

void change() {
  std::lock_guard lock(mutex);
  const char after[100] = "after";
  std::memcpy(text, after, size);
}

int look() {
  std::lock_guard lock(mutex);
  return text[3];
}

int main() {
  int seen = 0;
  std::thread one(change), two([&] { seen = look(); });
  one.join();
  two.join();
  return seen < 0;
}
