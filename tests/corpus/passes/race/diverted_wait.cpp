// A lock of the test's own, with annotations: who waits for it waits at a semaphore of its own. Who unlocks
// finds this semaphore in the lock's word, so it has been initialized, although nothing else orders the two.
#include <semaphore.h>

#include <atomic>
#include <cstdint>
#include <thread>

extern "C" {
void __tsan_mutex_pre_lock(void*, unsigned);
void __tsan_mutex_post_lock(void*, unsigned, int);
int __tsan_mutex_pre_unlock(void*, unsigned);
void __tsan_mutex_post_unlock(void*, unsigned);
void __tsan_mutex_pre_divert(void*, unsigned);
void __tsan_mutex_post_divert(void*, unsigned);
}

namespace {

constexpr std::uintptr_t k_free = 0;
constexpr std::uintptr_t k_held = 1; // or the semaphore of who waits

class Lock {
public:
  void lock(sem_t& own) {
    __tsan_mutex_pre_lock(this, 0);
    diverted([&] { sem_init(&own, 0, 0); });
    for (std::uintptr_t seen = k_free; !m_word.compare_exchange_strong(seen, k_held); seen = k_free)
      if (seen == k_held && m_word.compare_exchange_strong(seen, reinterpret_cast<std::uintptr_t>(&own)))
        diverted([&] { sem_wait(&own); });
    __tsan_mutex_post_lock(this, 0, 0);
  }
  void unlock() {
    __tsan_mutex_pre_unlock(this, 0);
    if (const std::uintptr_t waiter = m_word.exchange(k_free); waiter > k_held)
      diverted([waiter] { sem_post(reinterpret_cast<sem_t*>(waiter)); });
    __tsan_mutex_post_unlock(this, 0);
  }

private:
  template <typename Work>
  void diverted(Work work) {
    __tsan_mutex_pre_divert(this, 0);
    work();
    __tsan_mutex_post_divert(this, 0);
  }

  std::atomic<std::uintptr_t> m_word{k_free};
};

Lock mutex;
sem_t semaphores[2];
int held = 0;

void count(sem_t& own) {
  mutex.lock(own);
  ++held;
  mutex.unlock();
}

} // namespace

int main() {
  std::thread other([] { count(semaphores[1]); });
  count(semaphores[0]);
  other.join();
  return held == 2 ? 0 : 1;
}
