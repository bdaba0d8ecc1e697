// The pointer is loaded twice: once to check it, and once to use it.
#include <atomic>
#include <thread>

int target = 1;
std::atomic<int*> shared{&target};

int main() {
  std::thread user([] {
    if (shared.load() != nullptr) *const_cast<volatile int*>(shared.load()) = 2;
  });
  std::thread remover([] { shared.store(nullptr); });
  user.join();
  remover.join();
  return 0;
}
