// Who gives up the last reference destroys the mutex that it has just unlocked, and frees it. POSIX says that
// this must work.
#include <cstdlib>
#include <pthread.h>
#include <thread>

namespace {

struct Shared {
  pthread_mutex_t mutex;
  int references;
};

void give_up(Shared* shared) {
  pthread_mutex_lock(&shared->mutex);
  const bool last = --shared->references == 0;
  pthread_mutex_unlock(&shared->mutex);
  if (!last) return;
  pthread_mutex_destroy(&shared->mutex);
  std::free(shared);
}

} // namespace

int main() {
  auto* shared = static_cast<Shared*>(std::malloc(sizeof(Shared)));
  pthread_mutex_init(&shared->mutex, nullptr);
  shared->references = 2;
  std::thread other(give_up, shared);
  give_up(shared);
  other.join();
}
