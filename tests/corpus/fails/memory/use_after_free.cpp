// The pointer is taken under the lock and used outside of it.
#include <mutex>
#include <thread>

struct Node {
  int value = 7;
};

std::mutex mutex;
Node* shared = new Node;

int main() {
  int seen = 0;
  std::thread reader([&] {
    const Node* node = nullptr;
    {
      std::lock_guard lock(mutex);
      node = shared;
    }
    if (node != nullptr) seen = node->value;
  });
  std::thread remover([] {
    std::lock_guard lock(mutex);
    delete shared;
    shared = nullptr;
  });
  reader.join();
  remover.join();
  return seen == 0 || seen == 7 ? 0 : 1;
}
