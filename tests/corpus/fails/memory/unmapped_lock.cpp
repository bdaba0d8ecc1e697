// A thread comes to a mutex in memory that has been unmapped.
#include <sys/mman.h>

#include <mutex>
#include <new>
#include <thread>

int main() {
  void* memory =
      mmap(nullptr, sizeof(std::mutex), PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  auto* mutex = new (memory) std::mutex;
  std::thread thread([mutex] { std::lock_guard guard(*mutex); });
  thread.detach();
  munmap(memory, sizeof(std::mutex));
}
