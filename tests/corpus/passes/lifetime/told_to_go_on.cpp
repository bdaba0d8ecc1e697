// Objects that are destroyed as soon as nobody needs them: a condition variable after the notification, while
// the thread that waited has not returned yet, and a semaphore by the thread that took the last unit. Then
// their memory is used anew, without a word to POSIX.
#include <new>
#include <pthread.h>
#include <semaphore.h>
#include <thread>

namespace {

pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t condition;
sem_t semaphore;
bool waits = false;
bool told = false;

void wait() {
  pthread_mutex_lock(&mutex);
  waits = true;
  sem_post(&semaphore);
  while (!told) pthread_cond_wait(&condition, &mutex);
  pthread_mutex_unlock(&mutex);
}

struct Pair { // of objects that need no destruction
  pthread_mutex_t first = PTHREAD_MUTEX_INITIALIZER;
  pthread_cond_t second = PTHREAD_COND_INITIALIZER;
};
union Place {
  Pair pair;
  char bytes[sizeof(Pair)];
  Place() {}
};
Place place;

void use(Pair* pair) {
  pthread_mutex_lock(&pair->first);
  pthread_cond_signal(&pair->second);
  pthread_mutex_unlock(&pair->first);
}

} // namespace

int main() {
  sem_init(&semaphore, 0, 0);
  pthread_cond_init(&condition, nullptr);
  std::thread other(wait);
  while (sem_wait(&semaphore) != 0) continue;
  sem_destroy(&semaphore);
  pthread_mutex_lock(&mutex);
  told = true;
  pthread_cond_signal(&condition);
  pthread_cond_destroy(&condition);
  pthread_mutex_unlock(&mutex);
  other.join();
  for (int turn = 0; turn < 2; ++turn) {
    auto* pair = new (&place) Pair;
    std::thread user(use, pair);
    user.join();
    pthread_mutex_destroy(&pair->first);
  }
}
