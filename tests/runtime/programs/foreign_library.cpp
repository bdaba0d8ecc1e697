// Functions by the names of GLib and Qt, over a lock of its own, compiled without instrumentation: for
// foreign_locks.cpp.
#include <atomic>
#include <cstdint>

#include <linux/futex.h>
#include <pthread.h>
#include <sys/syscall.h>
#include <unistd.h>

#define EXPORT extern "C" __attribute__((visibility("default")))

namespace {

using Word = std::atomic<std::uint32_t>; // 0: free, 1: taken, 2: taken, and others wait

void wait_while(Word& word, std::uint32_t value) {
  syscall(SYS_futex, &word, FUTEX_WAIT_PRIVATE, value, nullptr, nullptr, 0);
}

void wake(Word& word, int count) {
  syscall(SYS_futex, &word, FUTEX_WAKE_PRIVATE, count, nullptr, nullptr, 0);
}

bool try_lock(Word& word) {
  std::uint32_t unlocked = 0;
  return word.compare_exchange_strong(unlocked, 1);
}

void lock(Word& word) {
  if (try_lock(word)) return;
  while (word.exchange(2) != 0) wait_while(word, 2);
}

void unlock(Word& word) {
  if (word.exchange(0) == 2) wake(word, 1);
}

struct Thread {
  void (*run)(void*);
  void* argument;
  Word ended;
};

void* run(void* argument) {
  auto& thread = *static_cast<Thread*>(argument);
  thread.run(thread.argument);
  thread.ended = 1;
  wake(thread.ended, 1);
  return nullptr;
}

} // namespace

EXPORT void g_mutex_lock(Word* mutex) { lock(*mutex); }
EXPORT int g_mutex_trylock(Word* mutex) { return try_lock(*mutex); }
EXPORT void g_mutex_unlock(Word* mutex) { unlock(*mutex); }

EXPORT void g_cond_wait(Word* condition, Word* mutex) {
  const std::uint32_t before = *condition;
  unlock(*mutex);
  wait_while(*condition, before);
  lock(*mutex);
}

EXPORT void g_cond_signal(Word* condition) {
  ++*condition;
  wake(*condition, 1);
}

EXPORT void foreign_start(Thread* thread) {
  pthread_t made;
  pthread_create(&made, nullptr, run, thread);
  pthread_detach(made);
}

EXPORT bool foreign_wait(Thread* thread, unsigned long milliseconds) asm("_ZN7QThread4waitEm");
EXPORT bool foreign_wait(Thread* thread, unsigned long /*milliseconds*/) {
  while (thread->ended == 0) wait_while(thread->ended, 0);
  return true;
}
