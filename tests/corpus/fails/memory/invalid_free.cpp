// A reader moves the pointer for a moment. A thread that frees it at that time frees the middle of the block.
#include <atomic>
#include <cstdlib>
#include <thread>

std::atomic<char*> cursor{nullptr};

int main() {
  cursor = static_cast<char*>(std::malloc(64));
  std::thread reader([] {
    cursor.fetch_add(16);
    cursor.fetch_sub(16);
  });
  std::thread owner([] { std::free(cursor.load()); });
  reader.join();
  owner.join();
  return 0;
}
