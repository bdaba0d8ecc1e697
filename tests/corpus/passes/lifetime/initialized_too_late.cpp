// A thread initializes the objects that the other one may be using already.
#include <pthread.h>
#include <thread>

namespace {

pthread_rwlock_t lock;
pthread_spinlock_t spin;

void initialize() {
  pthread_rwlock_init(&lock, nullptr);
  pthread_spin_init(&spin, PTHREAD_PROCESS_PRIVATE);
}

} // namespace

int main() {
  std::thread other(initialize);
  pthread_rwlock_rdlock(&lock);
  pthread_rwlock_unlock(&lock);
  pthread_spin_lock(&spin);
  pthread_spin_unlock(&spin);
  other.join();
}
