// A lock of the test's own, with annotations. A trylock that fails orders nothing, although the lock's word
// is exchanged then too; the lock itself orders its holders.
#include <atomic>
#include <thread>

extern "C" {
void __tsan_mutex_pre_lock(void*, unsigned);
void __tsan_mutex_post_lock(void*, unsigned, int);
int __tsan_mutex_pre_unlock(void*, unsigned);
void __tsan_mutex_post_unlock(void*, unsigned);
}

namespace {

constexpr unsigned k_try = 1u << 4;
constexpr unsigned k_failed = 1u << 5;

class Lock {
public:
  bool try_lock() {
    __tsan_mutex_pre_lock(this, k_try);
    const bool got = !m_held.exchange(true);
    __tsan_mutex_post_lock(this, got ? k_try : k_try | k_failed, 0);
    return got;
  }
  void unlock() {
    __tsan_mutex_pre_unlock(this, 0);
    m_held.store(false, std::memory_order_relaxed);
    __tsan_mutex_post_unlock(this, 0);
  }

private:
  std::atomic<bool> m_held{false};
};

Lock mutex;
int held = 0;
int tried = 0;

void count() {
  if (mutex.try_lock()) {
    ++held;
    ++tried;
    mutex.unlock();
  } else {
    ++tried;
  }
}

} // namespace

int main() {
  std::thread other(count);
  count();
  other.join();
}
