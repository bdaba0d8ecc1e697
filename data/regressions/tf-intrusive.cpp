// Two threads pop from an intrusive stack of three nodes.
#include <atomic>
#include <cassert>
#include <new>
#include <thread>
#include <type_traits>
#include <utility>

#include "taskflow/core/freelist.hpp"

struct Node {
  Node* next = nullptr;
};

int main() {
  Node nodes[3];
  tf::AtomicIntrusiveStack<Node*, &Node::next> stack;
  for (Node& node : nodes) stack.push(&node);
  Node* seen = nullptr;
  std::thread other([&] { seen = stack.pop(); });
  Node* mine = stack.pop();
  other.join();
  assert(seen != mine && seen != nullptr && mine != nullptr);
}
