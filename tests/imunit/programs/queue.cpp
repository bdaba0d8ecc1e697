// Figure 3.1's tests of an array blocking queue, with schedules in place of sleeps, for GoogleTest. The
// faulty queue wakes nobody when it was not empty, and only one schedule shows it.
#include <condition_variable>
#include <mutex>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

#include <reex/imunit.h>

namespace {

class ArrayBlockingQueue {
public:
  explicit ArrayBlockingQueue(std::size_t capacity, bool faulty = false)
      : m_items(capacity), m_faulty(faulty) {}

  void put(int item) {
    std::unique_lock lock(m_mutex);
    m_not_full.wait(lock, [this] { return m_count < m_items.size(); });
    insert(item);
  }
  bool offer(int item) {
    const std::unique_lock lock(m_mutex);
    if (m_count == m_items.size()) return false;
    insert(item);
    return true;
  }
  int take() {
    std::unique_lock lock(m_mutex);
    m_not_empty.wait(lock, [this] { return m_count != 0; });
    const int item = m_items[m_first];
    m_first = (m_first + 1) % m_items.size();
    --m_count;
    m_not_full.notify_one();
    return item;
  }

private:
  void insert(int item) {
    m_items[(m_first + m_count) % m_items.size()] = item;
    ++m_count;
    if (!m_faulty || m_count == 1) m_not_empty.notify_one();
  }

  std::mutex m_mutex;
  std::condition_variable m_not_full, m_not_empty;
  std::vector<int> m_items;
  std::size_t m_first = 0, m_count = 0;
  bool m_faulty;
};

REEX_IMUNIT_TEST(Queue, TakeWithAdd,
                 {"blocking", "finishedAdd1->startingTake1, [startingTake2]->startingAdd2"},
                 {"nonblocking", "finishedAdd1->startingTake1, finishedAdd2->startingTake2"}) {
  ArrayBlockingQueue queue(2);
  std::thread adder([&] {
    REEX_THREAD("addThread");
    EXPECT_TRUE(queue.offer(1));
    REEX_EVENT(finishedAdd1);
    REEX_EVENT(startingAdd2);
    EXPECT_TRUE(queue.offer(2));
    REEX_EVENT(finishedAdd2);
  });
  REEX_EVENT(startingTake1);
  EXPECT_EQ(queue.take(), 1);
  REEX_EVENT(startingTake2);
  EXPECT_EQ(queue.take(), 2);
  adder.join();
}

REEX_IMUNIT_TEST(Queue, PutBlocksWhileFull, {"blocked", "[startingPut2@putThread]->startingTake"},
                 {"room", "finishedTake->startingPut2"}) {
  ArrayBlockingQueue queue(1);
  std::thread putter([&] {
    REEX_THREAD("putThread");
    queue.put(1);
    REEX_EVENT(finishedPut1);
    REEX_EVENT(startingPut2);
    queue.put(2);
    REEX_EVENT(finishedPut2);
  });
  REEX_EVENT(startingTake);
  EXPECT_EQ(queue.take(), 1);
  REEX_EVENT(finishedTake);
  putter.join();
  EXPECT_EQ(queue.take(), 2);
}

// Two threads wait for items, and both are to have one.
void two_takers(bool faulty) {
  ArrayBlockingQueue queue(2, faulty);
  std::thread first([&] {
    REEX_THREAD("first");
    REEX_EVENT(take);
    queue.take();
  });
  std::thread second([&] {
    REEX_THREAD("second");
    REEX_EVENT(take);
    queue.take();
  });
  REEX_EVENT(adding);
  queue.put(1);
  queue.put(2);
  first.join();
  second.join();
}
REEX_IMUNIT_TEST(Queue, TwoTakers, {"both_wait", "[take@first] && [take@second]->adding"}) {
  two_takers(false);
}

// A test of its own, so that the others can be run natively: it deadlocks.
REEX_IMUNIT_TEST(FaultyQueue, TwoTakers, {"both_wait", "[take@first] && [take@second]->adding"}) {
  two_takers(true);
}
REEX_IMUNIT_TEST(FaultyQueue, OneWaits, {"one_waits", "[take@first]->adding, end@first->take@second"}) {
  ArrayBlockingQueue queue(2, true);
  std::thread first([&] {
    REEX_THREAD("first");
    REEX_EVENT(take);
    queue.take();
  });
  std::thread second([&] {
    REEX_THREAD("second");
    REEX_EVENT(take);
    queue.take();
  });
  REEX_EVENT(adding);
  queue.put(1);
  queue.put(2);
  first.join();
  second.join();
}

TEST(Infeasible, TakeBeforeAdd) {
  REEX_INFEASIBLE("finishedTake->startingAdd");
  ArrayBlockingQueue queue(1);
  std::thread adder([&] {
    REEX_EVENT(startingAdd);
    EXPECT_TRUE(queue.offer(1));
  });
  EXPECT_EQ(queue.take(), 1);
  REEX_EVENT(finishedTake);
  adder.join();
}

TEST(FeasibleAgain, TakeAfterAdd) {
  REEX_INFEASIBLE("startingAdd->finishedTake");
  ArrayBlockingQueue queue(1);
  std::thread adder([&] {
    REEX_EVENT(startingAdd);
    EXPECT_TRUE(queue.offer(1));
  });
  EXPECT_EQ(queue.take(), 1);
  REEX_EVENT(finishedTake);
  adder.join();
}

// Nobody says that this cannot be.
TEST(Unexpected, TakeBeforeAdd) {
  REEX_SCHEDULE("finishedTake->startingAdd");
  ArrayBlockingQueue queue(1);
  std::thread adder([&] {
    REEX_EVENT(startingAdd);
    EXPECT_TRUE(queue.offer(1));
  });
  EXPECT_EQ(queue.take(), 1);
  REEX_EVENT(finishedTake);
  adder.join();
}

// The schedule decides which of the two sums is seen.
REEX_IMUNIT_TEST(Ordered, WriteThenRead, {"right", "written->reading"}, {"wrong", "read->writing"}) {
  std::mutex mutex;
  int value = 0;
  std::thread writer([&] {
    REEX_EVENT(writing);
    {
      const std::lock_guard lock(mutex);
      value = 1;
    }
    REEX_EVENT(written);
  });
  int seen = -1;
  REEX_EVENT(reading);
  {
    const std::lock_guard lock(mutex);
    seen = value;
  }
  REEX_EVENT(read);
  writer.join();
  EXPECT_EQ(seen, 1) << reex::imunit::current_schedule();
}

} // namespace
