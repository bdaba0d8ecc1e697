#pragma once

#include <atomic>
#include <memory>

#include "mina/Message.h"

namespace mina {

// An unbounded lock-free queue of messages (Michael and Scott, PODC 1996). Every method may be called by any thread.
// Nodes are freed with the queue and not before, so a node that a slow thread still looks at is never reused.
class ConcurrentLinkedQueue {
public:
  ConcurrentLinkedQueue() : oldest(new Node(nullptr)), head(oldest), tail(oldest) {}
  ConcurrentLinkedQueue(const ConcurrentLinkedQueue&) = delete;
  ConcurrentLinkedQueue& operator=(const ConcurrentLinkedQueue&) = delete;

  ~ConcurrentLinkedQueue() {
    for (Node* node = oldest; node != nullptr;) {
      Node* next = node->next.load();
      delete node->item.load();
      delete node;
      node = next;
    }
  }

  void offer(std::unique_ptr<Message> message) {
    Node* node = new Node(message.release());
    for (;;) {
      Node* last = tail.load();
      Node* next = last->next.load();
      if (last != tail.load()) continue;
      if (next != nullptr) {
        tail.compare_exchange_strong(last, next);
      } else if (last->next.compare_exchange_strong(next, node)) {
        tail.compare_exchange_strong(last, node);
        return;
      }
    }
  }

  // The oldest message; null if there is none.
  std::unique_ptr<Message> poll() {
    for (;;) {
      Node* dummy = head.load();
      Node* last = tail.load();
      Node* first = dummy->next.load();
      if (dummy != head.load()) continue;
      if (dummy == last) {
        if (first == nullptr) return nullptr;
        tail.compare_exchange_strong(last, first);
      } else if (head.compare_exchange_strong(dummy, first)) {
        return std::unique_ptr<Message>(first->item.exchange(nullptr));
      }
    }
  }

  bool isEmpty() const {
    for (;;) {
      Node* dummy = head.load();
      Node* first = dummy->next.load();
      if (dummy == head.load()) return first == nullptr;
    }
  }

private:
  struct Node {
    explicit Node(Message* item) : item(item) {}
    std::atomic<Message*> item;
    std::atomic<Node*> next{nullptr};
  };

  Node* const oldest;
  std::atomic<Node*> head; // a node whose message is taken; its successor holds the oldest message
  std::atomic<Node*> tail; // the last node, or one before it
};

} // namespace mina
