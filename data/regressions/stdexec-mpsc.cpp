// Two threads add elements to a queue from which a third one takes them.
#include <stdexec/__detail/__intrusive_mpsc_queue.hpp>

#include <cassert>
#include <thread>

struct Node {
  std::atomic<Node*> next = nullptr;
  bool taken = false;
};

// Before the change, links are of no type.
struct PlainNode {
  std::atomic<void*> next = nullptr;
  bool taken = false;
};

template <class Element>
concept fits = requires {
  sizeof(stdexec::__intrusive_mpsc_queue<&Element::next>);
};

template <class Element>
void exchange() {
  stdexec::__intrusive_mpsc_queue<&Element::next> queue;
  Element nodes[3];
  std::thread first([&] {
    queue.push_back(&nodes[0]);
    queue.push_back(&nodes[1]);
  });
  std::thread second([&] { queue.push_back(&nodes[2]); });
  for (int count = 0; count < 3;) {
    Element* node = queue.pop_front();
    if (node == nullptr) {
      std::this_thread::yield();
      continue;
    }
    assert(node >= nodes && node < nodes + 3 && !node->taken);
    node->taken = true;
    ++count;
  }
  first.join();
  second.join();
  assert(queue.pop_front() == nullptr);
}

int main() {
  if constexpr (fits<Node>)
    exchange<Node>();
  else
    exchange<PlainNode>();
}
