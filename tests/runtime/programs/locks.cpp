// Mutexes of all kinds, spin locks, reader-writer locks.
#include <cerrno>
#include <chrono>
#include <mutex>
#include <shared_mutex>
#include <string>
#include <thread>

#include <pthread.h>

#include "scenario.h"

namespace {

using namespace std::chrono_literals;

std::string g_log;

void print_log() { std::printf("%s\n", g_log.c_str()); }

template <class First, class Second>
void both(First first, Second second) {
  std::thread one(first);
  std::thread two(second);
  one.join();
  two.join();
}

template <class Lock, class Unlock>
void in_turn(Lock lock, Unlock unlock) {
  const auto work = [&](char id) {
    lock();
    g_log += id;
    unlock();
  };
  both([&] { work('1'); }, [&] { work('2'); });
  print_log();
}

void normal() {
  std::mutex mutex;
  in_turn([&] { mutex.lock(); }, [&] { mutex.unlock(); });
}

void recursive() {
  std::recursive_mutex mutex;
  in_turn([&] { mutex.lock(), mutex.lock(); }, [&] { mutex.unlock(), mutex.unlock(); });
}

void of_type(int type) {
  pthread_mutexattr_t attributes;
  pthread_mutexattr_init(&attributes);
  pthread_mutexattr_settype(&attributes, type);
  pthread_mutex_t mutex;
  pthread_mutex_init(&mutex, &attributes);
  in_turn([&] { pthread_mutex_lock(&mutex); },
          [&] {
            if (type == PTHREAD_MUTEX_ERRORCHECK && pthread_mutex_lock(&mutex) != EDEADLK) g_log += '!';
            if (type == PTHREAD_MUTEX_RECURSIVE &&
                (pthread_mutex_trylock(&mutex) != 0 || pthread_mutex_unlock(&mutex) != 0))
              g_log += '!';
            if (type == PTHREAD_MUTEX_NORMAL && pthread_mutex_trylock(&mutex) != EBUSY) g_log += '!';
            pthread_mutex_unlock(&mutex);
          });
  pthread_mutex_destroy(&mutex);
}

void errorcheck() { of_type(PTHREAD_MUTEX_ERRORCHECK); }
void pthread_recursive() { of_type(PTHREAD_MUTEX_RECURSIVE); }
void pthread_normal() { of_type(PTHREAD_MUTEX_NORMAL); }

// One thread ends while it holds the mutex. The next thread that locks it gets EOWNERDEAD.
void robust() {
  pthread_mutexattr_t attributes;
  pthread_mutexattr_init(&attributes);
  pthread_mutexattr_setrobust(&attributes, PTHREAD_MUTEX_ROBUST);
  pthread_mutex_t mutex;
  pthread_mutex_init(&mutex, &attributes);
  both([&] { pthread_mutex_lock(&mutex); },
       [&] {
         const int result = pthread_mutex_lock(&mutex);
         g_log = result == EOWNERDEAD ? "died" : result == 0 ? "got" : "?";
         if (result == EOWNERDEAD && pthread_mutex_consistent(&mutex) != 0) g_log += '!';
         pthread_mutex_unlock(&mutex);
       });
  const int after = pthread_mutex_lock(&mutex);
  if (after != (g_log == "died" ? 0 : EOWNERDEAD)) g_log += '!';
  pthread_mutex_unlock(&mutex);
  if (g_log == "got" && pthread_mutex_lock(&mutex) != ENOTRECOVERABLE) g_log += '!';
  print_log();
}

void spin_lock() {
  pthread_spinlock_t lock;
  pthread_spin_init(&lock, PTHREAD_PROCESS_PRIVATE);
  in_turn([&] { pthread_spin_lock(&lock); }, [&] { pthread_spin_unlock(&lock); });
  pthread_spin_destroy(&lock);
}

void spin_trylock() {
  pthread_spinlock_t lock;
  pthread_spin_init(&lock, PTHREAD_PROCESS_PRIVATE);
  both([&] { pthread_spin_lock(&lock), pthread_spin_unlock(&lock); },
       [&] {
         g_log = pthread_spin_trylock(&lock) == 0 ? "got" : "busy";
         if (g_log == "got") pthread_spin_unlock(&lock);
       });
  print_log();
}

void try_lock() {
  std::mutex mutex;
  both([&] { mutex.lock(), mutex.unlock(); },
       [&] {
         g_log = mutex.try_lock() ? "got" : "busy";
         if (g_log == "got") mutex.unlock();
       });
  print_log();
}

void timed_in_turn() {
  std::timed_mutex mutex;
  in_turn([&] { mutex.lock(); }, [&] { mutex.unlock(); });
}

// Whether the waiting thread gives up is a choice only with --timeouts.
void timed_released() {
  std::timed_mutex mutex;
  mutex.lock();
  std::thread waiter([&] {
    g_log = mutex.try_lock_for(10ms) ? "got" : "late";
    if (g_log == "got") mutex.unlock();
  });
  mutex.unlock();
  waiter.join();
  print_log();
}

void timed_held() {
  std::recursive_timed_mutex mutex;
  mutex.lock();
  std::thread waiter([&] {
    const auto start = std::chrono::steady_clock::now();
    g_log = mutex.try_lock_until(start + 10ms) ? "got" : "late";
    if (std::chrono::steady_clock::now() - start < 10ms) g_log = "early";
  });
  waiter.join();
  mutex.unlock();
  print_log();
}

void pthread_timed() {
  pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
  pthread_mutex_lock(&mutex);
  std::thread waiter([&] {
    timespec deadline;
    clock_gettime(CLOCK_REALTIME, &deadline);
    deadline.tv_sec += 5;
    if (pthread_mutex_timedlock(&mutex, &deadline) == ETIMEDOUT) g_log += 'r';
    clock_gettime(CLOCK_MONOTONIC, &deadline);
    deadline.tv_sec += 5;
    if (pthread_mutex_clocklock(&mutex, CLOCK_MONOTONIC, &deadline) == ETIMEDOUT) g_log += 'm';
  });
  waiter.join();
  print_log();
}

void scoped() {
  std::mutex a;
  std::mutex b;
  both(
      [&] {
        std::scoped_lock lock(a, b);
        g_log += '1';
      },
      [&] {
        std::scoped_lock lock(b, a);
        g_log += '2';
      });
  print_log();
}

void opposite_order() {
  std::mutex a;
  std::mutex b;
  both(
      [&] {
        std::lock_guard outer(a);
        std::lock_guard inner(b);
      },
      [&] {
        std::lock_guard outer(b);
        std::lock_guard inner(a);
      });
  std::printf("done\n");
}

void relock() {
  std::thread thread([] {
    std::mutex mutex;
    mutex.lock();
    mutex.lock();
  });
  thread.join();
}

void readers_together() {
  std::shared_mutex mutex;
  std::mutex count;
  int inside = 0;
  int most = 0;
  const auto read = [&] {
    std::shared_lock lock(mutex);
    {
      std::lock_guard guard(count);
      most = std::max(most, ++inside);
    }
    std::lock_guard guard(count);
    --inside;
  };
  both(read, read);
  std::printf("%d\n", most);
}

void reader_and_writer() {
  std::shared_mutex mutex;
  int a = 0;
  int b = 0;
  both(
      [&] {
        std::unique_lock lock(mutex);
        a = 1;
        std::this_thread::yield();
        b = 1;
      },
      [&] {
        std::shared_lock lock(mutex);
        g_log = std::to_string(a) + std::to_string(b);
      });
  print_log();
}

void writers() {
  std::shared_mutex mutex;
  in_turn([&] { mutex.lock(); }, [&] { mutex.unlock(); });
}

void shared_try() {
  std::shared_mutex mutex;
  both([&] { mutex.lock(), mutex.unlock(); },
       [&] {
         g_log += mutex.try_lock_shared() ? 'r' : '-';
         if (g_log == "r") mutex.unlock_shared();
         const bool got = mutex.try_lock();
         g_log += got ? 'w' : '-';
         if (got) mutex.unlock();
       });
  print_log();
}

void shared_timed() {
  std::shared_timed_mutex mutex;
  mutex.lock_shared();
  std::thread waiter([&] {
    g_log += mutex.try_lock_shared_for(10ms) ? 'r' : '-';
    mutex.unlock_shared();
    g_log += mutex.try_lock_for(10ms) ? 'w' : '-';
    g_log += mutex.try_lock_until(std::chrono::system_clock::now() + 10ms) ? 'w' : '-';
  });
  waiter.join();
  mutex.unlock_shared();
  print_log();
}

void pthread_rwlock() {
  pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
  pthread_rwlock_rdlock(&lock);
  std::thread other([&] {
    g_log += pthread_rwlock_tryrdlock(&lock) == 0 ? 'r' : '-';
    pthread_rwlock_unlock(&lock);
    g_log += pthread_rwlock_trywrlock(&lock) == EBUSY ? '-' : 'w';
    timespec deadline;
    clock_gettime(CLOCK_REALTIME, &deadline);
    deadline.tv_sec += 1;
    g_log += pthread_rwlock_timedwrlock(&lock, &deadline) == ETIMEDOUT ? '-' : 'w';
    g_log += pthread_rwlock_timedrdlock(&lock, &deadline) == 0 ? 'r' : '-';
    pthread_rwlock_unlock(&lock);
  });
  other.join();
  pthread_rwlock_unlock(&lock);
  pthread_rwlock_destroy(&lock);
  print_log();
}

constexpr Scenario k_scenarios[] = {
    {"normal", normal},
    {"recursive", recursive},
    {"errorcheck", errorcheck},
    {"pthread_recursive", pthread_recursive},
    {"pthread_normal", pthread_normal},
    {"robust", robust},
    {"spin_lock", spin_lock},
    {"spin_trylock", spin_trylock},
    {"try_lock", try_lock},
    {"timed_in_turn", timed_in_turn},
    {"timed_released", timed_released},
    {"timed_held", timed_held},
    {"pthread_timed", pthread_timed},
    {"scoped", scoped},
    {"opposite_order", opposite_order},
    {"relock", relock},
    {"readers_together", readers_together},
    {"reader_and_writer", reader_and_writer},
    {"writers", writers},
    {"shared_try", shared_try},
    {"shared_timed", shared_timed},
    {"pthread_rwlock", pthread_rwlock},
};

} // namespace

int main(int count, char** arguments) { return run_scenario(k_scenarios, count, arguments); }
