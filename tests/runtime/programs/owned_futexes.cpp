// Futexes with priority inheritance, whose word names the owner.
#include <atomic>
#include <cerrno>
#include <climits>
#include <cstdlib>
#include <string>
#include <thread>

#include <linux/futex.h>
#include <semaphore.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "scenario.h"

namespace {

using Word = std::atomic<unsigned>;

std::string g_log;

void print_log() { std::printf("%s\n", g_log.c_str()); }

unsigned self() { return static_cast<unsigned>(gettid()); }

// The error number, or 0.
int call(Word& word, int operation, unsigned value = 0, const timespec* time = nullptr, Word* other = nullptr,
         unsigned third = 0) {
  const long result = syscall(SYS_futex, &word, operation | FUTEX_PRIVATE_FLAG, value, time, other, third);
  return result < 0 ? errno : 0;
}

const char* text_of(int error) {
  switch (error) {
  case 0:
    return "got";
  case EAGAIN:
    return "held";
  case EDEADLK:
    return "own";
  case EPERM:
    return "other's";
  case ESRCH:
    return "gone";
  case ETIMEDOUT:
    return "late";
  case EINVAL:
    return "invalid";
  default:
    return "?";
  }
}

void lock(Word& word) {
  unsigned none = 0;
  if (word.compare_exchange_strong(none, self())) return;
  if (call(word, FUTEX_LOCK_PI) != 0) std::abort();
}

void unlock(Word& word) {
  unsigned owner = self();
  if (word.compare_exchange_strong(owner, 0)) return;
  if (call(word, FUTEX_UNLOCK_PI) != 0) std::abort();
}

timespec after_10ms(clockid_t clock) {
  timespec time{};
  clock_gettime(clock, &time);
  time.tv_nsec += 10'000'000;
  if (time.tv_nsec >= 1'000'000'000) time.tv_nsec -= 1'000'000'000, ++time.tv_sec;
  return time;
}

template <class First, class Second>
void both(First first, Second second) {
  std::thread one(first);
  std::thread two(second);
  one.join();
  two.join();
}

void exclusion() {
  Word word{0};
  const auto work = [&](char name) {
    lock(word);
    g_log += name;
    unlock(word);
  };
  both([&] { work('1'); }, [&] { work('2'); });
  print_log();
  if (word != 0) std::abort();
}

// Every call goes to the kernel.
void kernel_only() {
  Word word{0};
  const auto work = [&](char name) {
    if (call(word, FUTEX_LOCK_PI) != 0 || (word & FUTEX_TID_MASK) != self()) std::abort();
    g_log += name;
    if (call(word, FUTEX_UNLOCK_PI) != 0) std::abort();
  };
  both([&] { work('1'); }, [&] { work('2'); });
  print_log();
}

// Main holds it until both may wait.
void handed_over() {
  Word word{self()};
  const auto work = [&](char name) {
    lock(word);
    g_log += name;
    unlock(word);
  };
  std::thread one(work, '1');
  std::thread two(work, '2');
  unlock(word);
  one.join();
  two.join();
  print_log();
}

void timed() {
  Word word{self()};
  std::thread waiter([&] {
    const timespec real = after_10ms(CLOCK_REALTIME);
    g_log += text_of(call(word, FUTEX_LOCK_PI, 0, &real));
    const timespec steady = after_10ms(CLOCK_MONOTONIC);
    g_log += std::string(" ") + text_of(call(word, FUTEX_LOCK_PI2, 0, &steady));
    const timespec past{1, 0};
    g_log += std::string(" ") + text_of(call(word, FUTEX_LOCK_PI, 0, &past));
  });
  waiter.join();
  unlock(word);
  g_log += word == 0 ? " free" : " taken";
  print_log();
}

void timed_in_time() {
  Word word{self()};
  std::thread waiter([&] {
    timespec time = after_10ms(CLOCK_REALTIME);
    time.tv_sec += 100;
    g_log += text_of(call(word, FUTEX_LOCK_PI, 0, &time));
    unlock(word);
  });
  unlock(word);
  waiter.join();
  print_log();
}

void errors() {
  Word word{0};
  g_log += text_of(call(word, FUTEX_UNLOCK_PI));
  lock(word);
  g_log += std::string(" ") + text_of(call(word, FUTEX_LOCK_PI));
  g_log += std::string(" ") + text_of(call(word, FUTEX_TRYLOCK_PI));
  std::thread other([&] {
    g_log += std::string(", ") + text_of(call(word, FUTEX_TRYLOCK_PI));
    g_log += std::string(" ") + text_of(call(word, FUTEX_UNLOCK_PI));
  });
  other.join();
  unlock(word);
  Word ended{0};
  std::thread owner([&] { lock(ended); });
  owner.join();
  g_log += std::string(", ") + text_of(call(ended, FUTEX_LOCK_PI));
  ended = FUTEX_OWNER_DIED; // as the kernel leaves it for a robust lock
  g_log += std::string(" ") + text_of(call(ended, FUTEX_TRYLOCK_PI));
  g_log += ended == (self() | FUTEX_OWNER_DIED) ? " with its owner dead" : " anew";
  print_log();
}

// The owner ends while main waits, or before.
void owner_ends() {
  Word word{0};
  std::atomic<bool> last{false};
  sem_t locked;
  sem_init(&locked, 0, 0);
  std::thread owner([&] {
    lock(word);
    sem_post(&locked);
    last = true; // the end itself is no point
  });
  sem_wait(&locked);
  g_log += text_of(call(word, FUTEX_LOCK_PI));
  g_log += (word & FUTEX_OWNER_DIED) != 0 ? " died" : "";
  owner.join();
  print_log();
}

// The kernel finds the circle.
void opposite_order() {
  Word one{0};
  Word two{0};
  std::atomic<bool> refused{false};
  const auto work = [&](Word& first, Word& second) {
    if (call(first, FUTEX_LOCK_PI) != 0) std::abort();
    const int error = call(second, FUTEX_LOCK_PI);
    if (error == EDEADLK)
      refused = true;
    else
      unlock(second);
    unlock(first);
  };
  both([&] { work(one, two); }, [&] { work(two, one); });
  std::printf("%s\n", refused ? "circle" : "done");
}

// It cannot see that the owner waits for something else.
void never_unlocked() {
  Word word{0};
  sem_t never;
  sem_init(&never, 0, 0);
  std::thread owner([&] {
    lock(word);
    sem_wait(&never);
    unlock(word);
  });
  lock(word);
  sem_post(&never);
  unlock(word);
  owner.join();
  std::printf("done\n");
}

// As a condition variable of such locks does it.
void moved_to_the_lock() {
  Word lock_word{0};
  Word condition{0};
  bool ready = false;
  const auto wait = [&](char name) {
    lock(lock_word);
    while (!ready) {
      const unsigned seen = condition;
      unlock(lock_word);
      const int error = call(condition, FUTEX_WAIT_REQUEUE_PI, seen, nullptr, &lock_word);
      if (error == EAGAIN)
        lock(lock_word);
      else if (error != 0)
        std::abort();
    }
    g_log += name;
    unlock(lock_word);
  };
  std::thread one(wait, '1');
  std::thread two(wait, '2');
  lock(lock_word);
  ready = true;
  for (unsigned now = ++condition;; now = condition) {
    const auto all = reinterpret_cast<const timespec*>(static_cast<long>(INT_MAX));
    if (call(condition, FUTEX_CMP_REQUEUE_PI, 1, all, &lock_word, now) != EAGAIN) break;
  }
  unlock(lock_word);
  one.join();
  two.join();
  print_log();
}

void moved_too_late() {
  Word lock_word{0};
  Word condition{0};
  std::thread waiter([&] {
    const timespec time = after_10ms(CLOCK_MONOTONIC);
    g_log += text_of(call(condition, FUTEX_WAIT_REQUEUE_PI, 0, &time, &lock_word));
    g_log += std::string(" ") + text_of(call(condition, FUTEX_WAIT_REQUEUE_PI, 1, &time, &lock_word));
  });
  waiter.join();
  g_log += lock_word == 0 ? " free" : " taken";
  print_log();
}

// The highest bit of a plain futex's word, where std::future has a mark of its own, ends no wait.
void highest_bit() {
  constexpr unsigned k_mark = 1u << 31;
  Word word{k_mark};
  std::thread waiter([&] { g_log += text_of(call(word, FUTEX_WAIT, k_mark)); });
  word = 0;
  call(word, FUTEX_WAKE, 1);
  waiter.join();
  print_log();
}

// Processes that share memory map it wherever it fits, and so may the parts of one process.
void mapped_twice() {
  const int file = memfd_create("words", 0);
  if (ftruncate(file, 4096) != 0) std::abort();
  const auto map = [&] {
    return static_cast<Word*>(mmap(nullptr, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0));
  };
  Word* const here = map();
  Word* const there = map();
  here[0] = self();
  std::thread waiter([&] {
    if (syscall(SYS_futex, &there[0], FUTEX_LOCK_PI, 0, nullptr) != 0) std::abort();
    g_log += "got";
    if (syscall(SYS_futex, &there[0], FUTEX_UNLOCK_PI) != 0) std::abort();
    syscall(SYS_futex, &there[1], FUTEX_WAIT, 0, nullptr);
  });
  if (syscall(SYS_futex, &here[0], FUTEX_UNLOCK_PI) != 0) std::abort();
  here[1] = 1;
  syscall(SYS_futex, &here[1], FUTEX_WAKE, 1);
  waiter.join();
  print_log();
}

// So does a condition: a notification by one address reaches who waits by the other, and who unlocks at one
// address comes before who locks at the other.
void condition_mapped_twice() {
  struct Shared {
    pthread_mutex_t mutex;
    pthread_cond_t condition;
    bool over;
  };
  const int file = memfd_create("condition", 0);
  if (ftruncate(file, 4096) != 0) std::abort();
  const auto map = [&] {
    return static_cast<Shared*>(mmap(nullptr, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0));
  };
  Shared* const here = map();
  Shared* const there = map();
  pthread_mutexattr_t of_mutex;
  pthread_mutexattr_init(&of_mutex);
  pthread_mutexattr_setpshared(&of_mutex, PTHREAD_PROCESS_SHARED);
  pthread_mutex_init(&here->mutex, &of_mutex);
  pthread_condattr_t of_condition;
  pthread_condattr_init(&of_condition);
  pthread_condattr_setpshared(&of_condition, PTHREAD_PROCESS_SHARED);
  pthread_cond_init(&here->condition, &of_condition);
  int turns = 0;
  std::thread waiter([&] {
    pthread_mutex_lock(&there->mutex);
    g_log += there->over ? "over" : "waits";
    while (!there->over) pthread_cond_wait(&there->condition, &there->mutex);
    ++turns;
    pthread_mutex_unlock(&there->mutex);
  });
  pthread_mutex_lock(&here->mutex);
  here->over = true;
  ++turns;
  pthread_mutex_unlock(&here->mutex);
  pthread_cond_signal(&here->condition);
  waiter.join();
  print_log();
}

constexpr Scenario k_scenarios[] = {
    {"condition_mapped_twice", condition_mapped_twice},
    {"exclusion", exclusion},
    {"kernel_only", kernel_only},
    {"handed_over", handed_over},
    {"timed", timed},
    {"timed_in_time", timed_in_time},
    {"errors", errors},
    {"owner_ends", owner_ends},
    {"opposite_order", opposite_order},
    {"never_unlocked", never_unlocked},
    {"moved_to_the_lock", moved_to_the_lock},
    {"moved_too_late", moved_too_late},
    {"mapped_twice", mapped_twice},
    {"highest_bit", highest_bit},
};

} // namespace

int main(int count, char** arguments) { return run_scenario(k_scenarios, count, arguments); }
