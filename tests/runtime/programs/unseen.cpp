// Threads tell each other something where reex does not look: by instructions that the assembler is given as
// bytes. `unseen HOW WHAT`: HOW is bytes, or mutex (which reex sees).
#include <atomic>
#include <cassert>
#include <cstdio>
#include <mutex>
#include <string>
#include <thread>

namespace {

int g_word = 0;
std::mutex g_mutex;
std::string g_how;

void store_unseen(int value) { // movl %esi, (%rdi)
  asm volatile(".byte 0x89, 0x37" : : "D"(&g_word), "S"(value) : "memory");
}
int load_unseen() { // movl (%rdi), %eax
  int value = 0;
  asm volatile(".byte 0x8b, 0x07" : "=a"(value) : "D"(&g_word) : "memory");
  return value;
}

void put(int value) {
  if (g_how == "bytes") return store_unseen(value);
  const std::lock_guard<std::mutex> lock(g_mutex);
  g_word = value;
}
int get() {
  if (g_how == "bytes") return load_unseen();
  const std::lock_guard<std::mutex> lock(g_mutex);
  return g_word;
}

std::atomic<int> g_own[2]; // each for one thread

// The last one to store is not seen.
int last_one() {
  std::thread one([] {
    g_own[0].store(1);
    put(1);
    g_own[0].store(2);
  });
  std::thread two([] {
    g_own[1].store(1);
    put(2);
    g_own[1].store(2);
  });
  one.join();
  two.join();
  assert(g_own[0].load() == 2); // a visible operation, before which an execution may be cut short
  return get();
}

// Thread 2 does something else if it comes between the two stores of thread 1.
int between() {
  int result = 0;
  std::thread one([] {
    g_own[0].store(1);
    put(1);
    g_own[0].store(2);
    put(0);
    g_own[0].store(3);
  });
  std::thread two([&result] {
    g_own[1].store(1);
    if (get() == 0) return;
    g_own[1].store(2);
    result = 1;
  });
  one.join();
  two.join();
  return result;
}

} // namespace

int main(int argc, char** argv) {
  assert(argc == 3);
  g_how = argv[1];
  const std::string what = argv[2];
  const int result = what.starts_with("last") ? last_one() : between();
  if (what == "last_fails") assert(result != 1);
  std::printf("%d", result);
}
