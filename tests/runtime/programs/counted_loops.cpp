// Loops that leave everything as it was but their counter, which is in the register that the scenario's name
// ends with. None of them is a spin.
#include <array>
#include <atomic>
#include <cstdint>
#include <thread>

#include <pthread.h>
#include <sched.h>
#include <semaphore.h>

#include "scenario.h"

namespace {

constexpr std::uint64_t k_turns = 60; // more than turns that prove a livelock

#define INLINE [[gnu::always_inline]] inline // so that the hooks are called where the counter is

std::atomic<unsigned> word{0};
struct Large {
  std::array<std::uint64_t, 3> parts;
};
std::atomic<Large> large{Large{}};
pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
pthread_rwlock_t rwlock = PTHREAD_RWLOCK_INITIALIZER;
pthread_spinlock_t spin_lock;
sem_t semaphore;

INLINE void store() {
  while (word.exchange(1) == 1) sched_yield();
  word.store(0);
}

INLINE void modify() {
  while (word.fetch_or(1) == 1) sched_yield();
  word.fetch_and(0);
}

INLINE void compare() {
  for (unsigned expected = 0; !word.compare_exchange_weak(expected, 1); expected = 0) sched_yield();
  unsigned expected = 1;
  word.compare_exchange_strong(expected, 0);
}

INLINE void load_of_any_size() { (void)large.load(); }

INLINE void lock_mutex() {
  pthread_mutex_lock(&mutex);
  pthread_mutex_unlock(&mutex);
}

INLINE void try_mutex() {
  while (pthread_mutex_trylock(&mutex) != 0) sched_yield();
  pthread_mutex_unlock(&mutex);
}

INLINE void lock_for_reading() {
  pthread_rwlock_rdlock(&rwlock);
  pthread_rwlock_unlock(&rwlock);
}

INLINE void lock_for_writing() {
  pthread_rwlock_wrlock(&rwlock);
  pthread_rwlock_unlock(&rwlock);
}

INLINE void lock_spin_lock() {
  pthread_spin_lock(&spin_lock);
  pthread_spin_unlock(&spin_lock);
}

INLINE void pass_semaphore() {
  sem_wait(&semaphore);
  sem_post(&semaphore);
}

INLINE void yield() { sched_yield(); }

#define COUNTED(turn, in)                                                                                    \
  void turn##_##in() {                                                                                       \
    register std::uint64_t count asm(#in) = k_turns;                                                         \
    do {                                                                                                     \
      turn();                                                                                                \
      --count;                                                                                               \
      asm volatile("" : "+r"(count));                                                                        \
    } while (count != 0);                                                                                    \
  }
#define IN_EACH_REGISTER(turn)                                                                               \
  COUNTED(turn, rbx) COUNTED(turn, r12) COUNTED(turn, r13) COUNTED(turn, r14) COUNTED(turn, r15)
IN_EACH_REGISTER(store)
IN_EACH_REGISTER(modify)
IN_EACH_REGISTER(compare)
IN_EACH_REGISTER(load_of_any_size)
IN_EACH_REGISTER(lock_mutex)
IN_EACH_REGISTER(try_mutex)
IN_EACH_REGISTER(lock_for_reading)
IN_EACH_REGISTER(lock_for_writing)
IN_EACH_REGISTER(lock_spin_lock)
IN_EACH_REGISTER(pass_semaphore)
IN_EACH_REGISTER(yield)

template <void (*work)()>
void run() {
  sem_init(&semaphore, 0, 1);
  pthread_spin_init(&spin_lock, PTHREAD_PROCESS_PRIVATE);
  std::thread other(work);
  work();
  other.join();
}

#define SCENARIO(turn, in)                                                                                   \
  { #turn "_" #in, run < turn##_##in> }
#define SCENARIOS(turn)                                                                                      \
  SCENARIO(turn, rbx), SCENARIO(turn, r12), SCENARIO(turn, r13), SCENARIO(turn, r14), SCENARIO(turn, r15)
constexpr Scenario k_scenarios[] = {
    SCENARIOS(store),
    SCENARIOS(modify),
    SCENARIOS(compare),
    SCENARIOS(load_of_any_size),
    SCENARIOS(lock_mutex),
    SCENARIOS(try_mutex),
    SCENARIOS(lock_for_reading),
    SCENARIOS(lock_for_writing),
    SCENARIOS(lock_spin_lock),
    SCENARIOS(pass_semaphore),
    SCENARIOS(yield),
};

} // namespace

int main(int count, char** arguments) { return run_scenario(k_scenarios, count, arguments); }
