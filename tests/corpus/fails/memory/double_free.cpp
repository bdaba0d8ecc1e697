// Each thread checks whether there is something to delete before it removes the pointer.
#include <atomic>
#include <thread>

std::atomic<int*> shared{nullptr};

void drop() {
  int* mine = shared.load();
  if (mine == nullptr) return;
  shared.store(nullptr);
  delete mine;
}

int main() {
  shared = new int(3);
  std::thread one(drop), two(drop);
  one.join();
  two.join();
  return 0;
}
