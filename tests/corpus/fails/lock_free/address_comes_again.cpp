// A node is taken by its address. Its place was given to another node in between, which is taken in its
// stead.
#include <atomic>
#include <cassert>
#include <thread>

struct Node {
  int value;
};

std::atomic<Node*> slot{nullptr};
std::atomic<bool> has_looked{false};
std::atomic<bool> is_replaced{false};

int main() {
  slot = new Node{1};
  std::thread replaces([] {
    if (!has_looked) return;
    Node* const old = slot.exchange(nullptr);
    if (old == nullptr) return;
    delete old;
    is_replaced = true;
    slot = new Node{2};
  });
  Node* seen = slot;
  has_looked = true;
  if (slot.compare_exchange_strong(seen, nullptr)) assert(!is_replaced);
  replaces.join();
}
