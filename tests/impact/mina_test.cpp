// The dissertation's running example, Figure 4.1, as in the original: the loop of flushWithoutFuture() moves
// into filterWrite(), its condition becomes !isEmpty(), and the null check is removed.
#include <gtest/gtest.h>

#include "tests/impact/scratch_project.h"

namespace reex::test {
namespace {

const char* const k_queue_header = R"(#pragma once
#include <mutex>
struct Message { bool remaining = true; };
// Threadsafe in each operation.
class MessageQueue {
public:
  Message* poll();
  bool is_empty() const;
  void offer(Message* message);
private:
  struct Node { Message* item; Node* next; };
  mutable std::mutex m_mutex;
  Node* m_head = nullptr;
  Node* m_tail = nullptr;
  int m_statistics = 0;
};
)";

const char* const k_queue_source = R"(#include "queue.h"
Message* MessageQueue::poll() {
  std::lock_guard<std::mutex> lock(m_mutex);
  if (m_head == nullptr) return nullptr;
  Node* node = m_head;
  m_head = node->next;
  if (m_head == nullptr) m_tail = nullptr;
  return node->item;
}
bool MessageQueue::is_empty() const {
  std::lock_guard<std::mutex> lock(m_mutex);
  return m_head == nullptr;
}
void MessageQueue::offer(Message* message) {
  std::lock_guard<std::mutex> lock(m_mutex);
  m_statistics++;
  Node* node = new Node{message, nullptr};
  (m_tail == nullptr ? m_head : m_tail->next) = node;
  m_tail = node;
}
)";

const char* const k_before = R"(#include "queue.h"
struct NextFilter { int m_written = 0; void filter_write(Message* message) { if (message->remaining) m_written++; } };
class ProtocolCodecFilter {
public:
  explicit ProtocolCodecFilter(MessageQueue& queue) : m_queue(queue) {}
  int answer() const { return 42; }
  void filter_write(NextFilter& next) {
    flush_without_future(next);
  }
private:
  void flush_without_future(NextFilter& next) {
    MessageQueue& queue = m_queue;
    for (;;) {
      Message* encoded = queue.poll();
      if (encoded == nullptr) { break; }
      if (encoded->remaining) {
        next.filter_write(encoded);
      }
    }
  }
  MessageQueue& m_queue;
};
int main() { MessageQueue queue; NextFilter next; ProtocolCodecFilter(queue).filter_write(next); }
)";

const char* const k_after = R"(#include "queue.h"
struct NextFilter { int m_written = 0; void filter_write(Message* message) { if (message->remaining) m_written++; } };
class ProtocolCodecFilter {
public:
  explicit ProtocolCodecFilter(MessageQueue& queue) : m_queue(queue) {}
  int answer() const { return 42; }
  void filter_write(NextFilter& next) {
    MessageQueue& queue = m_queue;
    while (!queue.is_empty()) {
      Message* encoded = queue.poll();
      if (encoded->remaining) {
        next.filter_write(encoded);
      }
    }
  }
private:
  MessageQueue& m_queue;
};
int main() { MessageQueue queue; NextFilter next; ProtocolCodecFilter(queue).filter_write(next); }
)";

TEST(Mina, ImpactIsThatOfTheDissertation) {
  ScratchProject project;
  const Impact impact =
      project.impact({{"queue.h", k_queue_header}, {"queue.cpp", k_queue_source}, {"test.cpp", k_before}},
                     {{"queue.h", k_queue_header}, {"queue.cpp", k_queue_source}, {"test.cpp", k_after}});
  // "the method filterWrite and the class it belongs to are impacted"
  EXPECT_TRUE(has_method(impact, "ProtocolCodecFilter", "filter_write")) << listing(impact);
  for (const char* line : {"while (!queue.is_empty())", "queue.poll()", "next.filter_write(encoded)"}) {
    EXPECT_TRUE(has_line(impact, "test.cpp", line_of(k_after, line))) << line << "\n" << listing(impact);
  }
  EXPECT_FALSE(has_method(impact, "ProtocolCodecFilter", "answer")) << listing(impact);
  // "CAPP analyzes the methods being invoked directly from the changed lines and infers that the fields head
  // and tail in the Queue class are also impacted"
  EXPECT_TRUE(has_field(impact, "MessageQueue", "m_head")) << listing(impact);
  EXPECT_TRUE(has_field(impact, "MessageQueue", "m_tail")) << listing(impact);
  EXPECT_TRUE(has_field(impact, "MessageQueue", "m_mutex")) << listing(impact);
  EXPECT_FALSE(has_field(impact, "MessageQueue", "m_statistics")) << listing(impact);
  EXPECT_EQ(impact.units_parsed, 2U);

  // Every access counts, and not only those in changed code. offer() locks the same mutex.
  Frame frame;
  frame.file = project.path("queue.cpp");
  frame.line = line_of(k_queue_source, "m_statistics++") - 1;
  frame.column = 31;
  EXPECT_EQ(impact.matcher.frame_bits(frame), k_match_class | k_match_field);
}

} // namespace
} // namespace reex::test
