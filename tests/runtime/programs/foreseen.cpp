// Small tests that differ in what a schedule that is followed in memory meets. Each prints what came of it.
#include <atomic>
#include <condition_variable>
#include <cstdio>
#include <deque>
#include <memory>
#include <mutex>
#include <pthread.h>
#include <semaphore.h>
#include <shared_mutex>
#include <string>
#include <thread>
#include <vector>

#include "scenario.h"

namespace {

// Each joins the others' letters in the order in which they came.
class Letters {
public:
  void add(char letter) {
    const std::lock_guard<std::mutex> lock(m_mutex);
    m_text += letter;
  }
  void print() const { std::printf("%s\n", m_text.c_str()); }

private:
  std::mutex m_mutex;
  std::string m_text;
};

template <typename... Bodies>
void run(Bodies... bodies) {
  std::vector<std::thread> threads;
  (threads.emplace_back(bodies), ...);
  for (std::thread& thread : threads) thread.join();
}

void locks() {
  Letters letters;
  run([&] { letters.add('a'), letters.add('b'); }, [&] { letters.add('c'), letters.add('d'); },
      [&] { letters.add('e'); });
  letters.print();
}

void independent() {
  Letters letters[4];
  run([&] { letters[0].add('a'), letters[0].add('b'); }, [&] { letters[1].add('c'), letters[0].add('d'); },
      [&] { letters[2].add('e'), letters[3].add('f'); }, [&] { letters[3].add('g'); });
  for (const Letters& each : letters) each.print();
}

void queue() {
  std::mutex mutex;
  std::condition_variable filled;
  std::deque<int> items;
  Letters letters;
  const auto consume = [&](char name) {
    int item = 0;
    {
      std::unique_lock<std::mutex> lock(mutex);
      filled.wait(lock, [&] { return !items.empty(); });
      item = items.front();
      items.pop_front();
    }
    letters.add(name);
    letters.add(static_cast<char>('0' + item));
  };
  const auto produce = [&](int item) {
    const std::lock_guard<std::mutex> lock(mutex);
    items.push_back(item);
    filled.notify_one();
  };
  run([&] { consume('a'); }, [&] { consume('b'); }, [&] { produce(1), produce(2); });
  letters.print();
}

void all_wake() {
  std::mutex mutex;
  std::condition_variable opened;
  bool open = false;
  Letters letters;
  const auto wait = [&](char name) {
    std::unique_lock<std::mutex> lock(mutex);
    opened.wait(lock, [&] { return open; });
    lock.unlock();
    letters.add(name);
  };
  run([&] { wait('a'); }, [&] { wait('b'); },
      [&] {
        const std::lock_guard<std::mutex> lock(mutex);
        open = true;
        opened.notify_all();
      });
  letters.print();
}

// A signal that comes too early is lost: a deadlock.
void lost_signal() {
  std::mutex mutex;
  std::condition_variable opened;
  std::atomic<int> noise{0};
  run(
      [&] {
        std::unique_lock<std::mutex> lock(mutex);
        opened.wait(lock);
      },
      [&] {
        ++noise;
        const std::lock_guard<std::mutex> lock(mutex);
        opened.notify_one();
      },
      [&] { ++noise; });
  std::printf("%d\n", noise.load());
}

void tries() {
  std::mutex mutex;
  pthread_spinlock_t spin;
  pthread_spin_init(&spin, PTHREAD_PROCESS_PRIVATE);
  std::recursive_mutex twice;
  std::atomic<int> failed{0};
  const auto body = [&] {
    if (mutex.try_lock()) {
      twice.lock();
      twice.lock();
      mutex.unlock();
      twice.unlock();
      twice.unlock();
    } else {
      ++failed;
    }
    pthread_spin_lock(&spin);
    pthread_spin_unlock(&spin);
  };
  run(body, body, body);
  std::printf("%d\n", failed.load());
}

int made_by(int who) {
  static std::atomic<int> maker{0};
  static const int value = [who] {
    maker = who;
    return maker.load();
  }();
  return value;
}

void once() {
  std::once_flag flag;
  std::atomic<int> first{0};
  const auto body = [&](int who) {
    std::call_once(flag, [&] { first = who; });
    made_by(who);
  };
  run([&] { body(1); }, [&] { body(2); }, [&] { body(3); });
  std::printf("%d %d\n", first.load(), made_by(0));
}

// Threads that threads create, and blocks that change hands.
void families() {
  std::atomic<int*> box{nullptr};
  std::atomic<int> sum{0};
  const auto parent = [&](int value) {
    std::thread child([&, value] {
      const std::unique_ptr<int> old(box.exchange(new int(value)));
      if (old != nullptr) sum += *old;
    });
    child.join();
    const std::unique_ptr<int> mine(new int(value));
    sum += *mine;
  };
  run([&] { parent(1); }, [&] { parent(10); });
  const std::unique_ptr<int> last(box.load());
  std::printf("%d %d\n", sum.load(), last ? *last : 0);
}

void output() {
  run([] { std::printf("a\n"); }, [] { std::printf("b\n"); }, [] { std::printf("c\n"); });
}

// Readers together, or a writer.
void shared_lock() {
  std::shared_mutex mutex;
  int value = 0;
  Letters letters;
  const auto read = [&] {
    const std::shared_lock<std::shared_mutex> lock(mutex);
    letters.add(static_cast<char>('0' + value));
  };
  run(read, read, [&] {
    const std::unique_lock<std::shared_mutex> lock(mutex);
    ++value;
  });
  letters.print();
}

void semaphores() {
  sem_t items;
  sem_t room;
  sem_init(&items, 0, 0);
  sem_init(&room, 0, 2);
  Letters letters;
  const auto produce = [&](char item) {
    sem_wait(&room);
    letters.add(item);
    sem_post(&items);
  };
  const auto consume = [&](char name) {
    sem_t turn; // made and destroyed while others run
    sem_init(&turn, 0, 0);
    sem_wait(&items);
    letters.add(name);
    sem_post(&turn);
    sem_wait(&turn);
    sem_destroy(&turn);
    sem_post(&room);
  };
  run([&] { produce('a'); }, [&] { produce('b'), produce('c'); }, [&] { consume('d'), consume('e'); });
  letters.print();
  sem_destroy(&items);
  sem_destroy(&room);
}

// Main has locked two of the locks before the first thread, and gives them back.
void held_at_start() {
  std::mutex gate;
  std::shared_mutex written;
  std::shared_mutex read;
  Letters letters;
  gate.lock();
  written.lock();
  read.lock_shared();
  std::thread first([&] {
    gate.lock();
    letters.add('a');
    gate.unlock();
    const std::unique_lock<std::shared_mutex> lock(read);
    letters.add('b');
  });
  std::thread second([&] {
    const std::shared_lock<std::shared_mutex> together(read);
    const std::shared_lock<std::shared_mutex> lock(written);
    letters.add('c');
  });
  written.unlock();
  gate.unlock();
  letters.add('d');
  read.unlock_shared();
  first.join();
  second.join();
  letters.print();
}

// What it does not foresee: one part of each test is dark.
void polls() {
  std::atomic<bool> ready{false};
  std::atomic<int> value{0};
  run(
      [&] {
        while (!ready.load()) std::this_thread::yield();
        value.fetch_add(value.load());
      },
      [&] {
        ++value;
        ready = true;
        ++value;
      },
      [&] { ++value; });
  std::printf("%d\n", value.load());
}

void sleeps() {
  std::atomic<int> value{1};
  run(
      [&] {
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
        value = value * 3;
      },
      [&] { ++value; }, [&] { ++value; });
  std::printf("%d\n", value.load());
}

constexpr Scenario k_scenarios[] = {
    {"locks", locks},
    {"independent", independent},
    {"queue", queue},
    {"all_wake", all_wake},
    {"lost_signal", lost_signal},
    {"tries", tries},
    {"once", once},
    {"families", families},
    {"output", output},
    {"shared_lock", shared_lock},
    {"semaphores", semaphores},
    {"held_at_start", held_at_start},
    {"polls", polls},
    {"sleeps", sleeps},
};

} // namespace

int main(int count, char** arguments) { return run_scenario(k_scenarios, count, arguments); }
