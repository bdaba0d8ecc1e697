// A small program with everything that an instrumented build must support: plain accesses, atomics, a fence,
// a virtual call, a copied block and a second thread. It prints 3 and ends with status 0.
#include <atomic>
#include <cstdio>
#include <memory>
#include <mutex>
#include <thread>

struct Base {
  virtual ~Base() = default;
  virtual int value() const { return 0; }
};
struct Derived : Base {
  int value() const override { return 1; }
};
struct Block {
  char bytes[200] = {};
};

std::atomic<int> g_count;
std::mutex g_mutex;
int g_plain;
Block g_from, g_to;

int main() {
  std::unique_ptr<Base> object = std::make_unique<Derived>();
  std::thread thread([] {
    std::lock_guard lock(g_mutex);
    ++g_plain;
    g_count.fetch_add(1);
    std::atomic_thread_fence(std::memory_order_seq_cst);
  });
  thread.join();
  g_to = g_from;
  int expected = 1;
  g_count.compare_exchange_strong(expected, g_count.load() + object->value());
  std::printf("%d\n", g_count.load() + g_plain + g_to.bytes[7]);
  return 0;
}
