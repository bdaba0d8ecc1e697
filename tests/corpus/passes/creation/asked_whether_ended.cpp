// Main asks whether a thread has ended, without waiting for it, and reads what it wrote.
#include <pthread.h>

#include <atomic>
#include <cstdio>

namespace {

std::atomic<int> value = 0;

void* write(void*) {
  value.store(1);
  return nullptr;
}

} // namespace

int main() {
  pthread_t thread;
  pthread_create(&thread, nullptr, write, nullptr);
  const bool ended = pthread_tryjoin_np(thread, nullptr) == 0;
  const int seen = value.load();
  std::printf("%d %d\n", ended, seen);
  if (!ended) pthread_join(thread, nullptr);
  return ended && seen == 0;
}
