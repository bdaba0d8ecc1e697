// Threads whose places are used again by later threads.
#include <atomic>
#include <cerrno>
#include <condition_variable>
#include <memory>
#include <mutex>
#include <semaphore>
#include <string>
#include <thread>
#include <vector>

#include <pthread.h>
#include <semaphore.h>
#include <unistd.h>

#include "scenario.h"

namespace {

constexpr unsigned k_many = 300;

void in_sequence() {
  unsigned count = 0;
  for (unsigned i = 0; i < k_many; ++i) std::thread([&] { ++count; }).join();
  std::printf("%u\n", count);
}

void thousands() {
  unsigned count = 0;
  for (unsigned i = 0; i < 3000; ++i) std::thread([&] { ++count; }).join();
  std::printf("%u\n", count);
}

void pairs() {
  std::mutex mutex;
  unsigned count = 0;
  const auto add = [&] {
    std::lock_guard lock(mutex);
    ++count;
  };
  for (unsigned i = 0; i < k_many / 2; ++i) {
    std::thread one(add);
    std::thread two(add);
    one.join();
    two.join();
  }
  std::printf("%u\n", count);
}

void detached_in_sequence() {
  static sem_t done;
  sem_init(&done, 0, 0);
  for (unsigned i = 0; i < k_many; ++i) {
    std::thread([] { sem_post(&done); }).detach();
    sem_wait(&done);
  }
  std::puts("ended");
}

// More than there are places, and none of them is ordered with the creation of the next one.
void detached_unordered() {
  for (unsigned i = 0; i < 1500; ++i) std::thread([] {}).detach();
  std::puts("ended");
}

void all_alive() {
  std::mutex mutex;
  std::condition_variable released;
  bool may_end = false;
  unsigned ended = 0;
  std::vector<std::thread> threads;
  for (unsigned i = 0; i < k_many; ++i)
    threads.emplace_back([&] {
      std::unique_lock lock(mutex);
      released.wait(lock, [&] { return may_end; });
      ++ended;
    });
  {
    std::lock_guard lock(mutex);
    may_end = true;
  }
  released.notify_all();
  for (std::thread& thread : threads) thread.join();
  std::printf("%u\n", ended);
}

void too_many_alive() {
  static sem_t never;
  sem_init(&never, 0, 0);
  for (unsigned i = 0; i < 1100; ++i) std::thread([] { sem_wait(&never); }).detach();
}

void too_many_created() {
  for (unsigned i = 0; i < 31000; ++i) std::thread([] {}).join();
}

void creates_until_told() {
  std::atomic<bool> stop{false};
  std::thread sleeper([&] {
    sleep(1);
    stop = true;
  });
  while (!stop) std::thread([] {}).join();
  sleeper.join();
  std::printf("told\n");
}

// What the thread left that had the place before is not the new thread's.
void robust_owner_gone() {
  static pthread_mutex_t mutex;
  pthread_mutexattr_t robust;
  pthread_mutexattr_init(&robust);
  pthread_mutexattr_setrobust(&robust, PTHREAD_MUTEX_ROBUST);
  pthread_mutex_init(&mutex, &robust);
  std::thread([] { pthread_mutex_lock(&mutex); }).join();
  std::thread([] { std::puts(pthread_mutex_lock(&mutex) == EOWNERDEAD ? "owner dead" : "no"); }).join();
}

void lock_of_one_that_has_ended() {
  static pthread_mutex_t mutex = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP;
  std::thread([] { pthread_mutex_lock(&mutex); }).join();
  std::thread([] {
    std::printf("%d %d\n", pthread_mutex_trylock(&mutex) == EBUSY, pthread_mutex_unlock(&mutex) == EPERM);
  }).join();
}

void values_of_keys() {
  static pthread_key_t key;
  pthread_key_create(&key, nullptr);
  std::thread([] { pthread_setspecific(key, &key); }).join();
  std::thread([] { std::puts(pthread_getspecific(key) == nullptr ? "none" : "the other's"); }).join();
}

thread_local int t_value = 1;

void thread_locals() {
  int sum = 0;
  for (unsigned i = 0; i < 20; ++i) std::thread([&] { sum += t_value++; }).join();
  std::printf("%d\n", sum);
}

void numbers_differ() {
  pid_t first = 0;
  pid_t second = 0;
  std::thread([&] { first = gettid(); }).join();
  std::thread([&] { second = gettid(); }).join();
  std::puts(first != second ? "differ" : "same");
}

// Two threads that create and join threads meanwhile.
void two_creators() {
  std::atomic<int> sum = 0;
  const auto create = [&] {
    for (unsigned i = 0; i < 2; ++i) std::thread([&] { ++sum; }).join();
  };
  std::thread one(create);
  std::thread two(create);
  one.join();
  two.join();
  std::printf("%d\n", sum.load());
}

// Races. `first` ends without being joined; what it does after its post is ordered with nothing.
int g_shared = 0;
std::binary_semaphore g_posted(0);
std::binary_semaphore g_passed_on(0);

void let_one_end() {
  std::thread([] {
    g_posted.release();
    g_shared = 1;
  }).detach();
  g_posted.acquire();
}

void race_with_successor() {
  let_one_end();
  std::thread([] { g_shared = 2; }).join();
  std::puts("ended");
}

void race_behind_successor() {
  std::thread third([] {
    g_passed_on.acquire();
    if (g_shared == 7) std::puts("seven");
  });
  let_one_end();
  std::thread([] { g_passed_on.release(); }).join();
  third.join();
  std::puts("ended");
}

void race_with_joined() {
  std::thread third([] {
    g_posted.acquire();
    g_shared = 3;
  });
  std::thread([] { g_shared = 1; }).join();
  std::thread([] {}).join();
  g_posted.release();
  third.join();
  std::puts("ended");
}

void race_with_joined_unordered() {
  std::thread third([] { g_shared = 3; });
  std::thread([] { g_shared = 1; }).join();
  std::thread([] {}).join();
  third.join();
  std::puts("ended");
}

void ordered_through_successor() {
  std::thread third([] {
    g_passed_on.acquire();
    std::printf("%d\n", g_shared);
  });
  std::thread([] { g_shared = 1; }).join();
  std::thread([] { g_passed_on.release(); }).join();
  third.join();
}

constexpr Scenario k_scenarios[] = {
    {"in_sequence", in_sequence},
    {"thousands", thousands},
    {"pairs", pairs},
    {"detached_in_sequence", detached_in_sequence},
    {"detached_unordered", detached_unordered},
    {"all_alive", all_alive},
    {"too_many_alive", too_many_alive},
    {"too_many_created", too_many_created},
    {"creates_until_told", creates_until_told},
    {"robust_owner_gone", robust_owner_gone},
    {"lock_of_one_that_has_ended", lock_of_one_that_has_ended},
    {"values_of_keys", values_of_keys},
    {"thread_locals", thread_locals},
    {"numbers_differ", numbers_differ},
    {"two_creators", two_creators},
    {"race_with_successor", race_with_successor},
    {"race_behind_successor", race_behind_successor},
    {"race_with_joined", race_with_joined},
    {"race_with_joined_unordered", race_with_joined_unordered},
    {"ordered_through_successor", ordered_through_successor},
};

} // namespace

int main(int count, char** arguments) { return run_scenario(k_scenarios, count, arguments); }
