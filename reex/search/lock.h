// A lock between the processes that share a search. It stores its owner. So when a worker is killed, its
// zygote can release the worker's lock; the parent does so for a killed zygote.
//
// Callers: workers, zygotes and the parent, not in signal handlers; freestanding.
//
// Invariants: a worker that already owns the lock may take it again; only the outermost Locked releases it.
//
// Cost: one atomic operation if the lock is free; otherwise it spins and calls give_way().
#pragma once

#include <atomic>
#include <cstdint>

namespace reex {

// Lets other processes run. The program that links the search defines it: the runtime and the parent.
void give_way();

struct SharedLock {
  std::atomic<std::uint32_t> owner; // number of the worker + 1; 0: free
};

// Holds the lock in its scope. It does nothing if the same worker holds the lock already.
class Locked {
public:
  Locked(SharedLock& lock, std::uint32_t worker) : Locked(lock, worker, k_later) { take(); }
  // Takes the lock only when take() is called. The destructor releases it as usual.
  enum Later { k_later };
  Locked(SharedLock& lock, std::uint32_t worker, Later) : m_lock(lock), m_worker(worker) {}
  // Without company, nobody else uses what the lock guards.
  Locked(SharedLock& lock, std::uint32_t worker, bool has_company) : Locked(lock, worker, k_later) {
    if (has_company) take();
  }
  void take() {
    if (m_lock.owner.load(std::memory_order_relaxed) == m_worker + 1) return;
    m_taken = true;
    constexpr unsigned k_tries = 100; // about a microsecond: longer than other workers hold the lock
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
