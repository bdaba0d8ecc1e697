// Mutual exclusion between the processes that share a search. Its owner has a name, so that the lock of a
// worker that was killed is given back by whoever buries it. Freestanding.
#pragma once

#include <atomic>
#include <cstdint>

namespace reex {

// Lets other processes run. Defined by who links the search: the runtime, the parent.
void give_way();

struct SharedLock {
  std::atomic<std::uint32_t> owner; // worker + 1; 0: free
};

// Inside another of the same worker it does nothing.
class Locked {
public:
  Locked(SharedLock& lock, std::uint32_t worker) : Locked(lock, worker, k_later) { take(); }
  // Takes it when it is told to; it is given back as ever.
  enum Later { k_later };
  Locked(SharedLock& lock, std::uint32_t worker, Later) : m_lock(lock), m_worker(worker) {}
  void take() {
    if (m_lock.owner.load(std::memory_order_relaxed) == m_worker + 1) return;
    m_taken = true;
    constexpr unsigned k_tries = 100; // about a microsecond: what others do behind it takes less
    for (unsigned tries = 0;; ++tries) {
      std::uint32_t free = 0;
      if (m_lock.owner.compare_exchange_weak(free, m_worker + 1, std::memory_order_acquire)) return;
      if (tries % k_tries == k_tries - 1) give_way();
      __builtin_ia32_pause();
    }
  }
  ~Locked() {
    if (m_taken) m_lock.owner.store(0, std::memory_order_release);
  }
  Locked(const Locked&) = delete;
  Locked& operator=(const Locked&) = delete;

private:
  SharedLock& m_lock;
  const std::uint32_t m_worker;
  bool m_taken = false;
};

inline void release_from(SharedLock& lock, std::uint32_t worker) {
  std::uint32_t held = worker + 1;
  lock.owner.compare_exchange_strong(held, 0);
}

} // namespace reex
