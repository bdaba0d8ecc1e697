// Many operations of one kind. Arguments: the kind, the number of threads, and the number of operations of
// each thread. Kinds: access, bytes and words (an element of an array is read and written), call, atomic,
// clocked (the same after one look at a clock), mutex (a lock and an unlock), notify (of a condition variable
// without waiters); pipe, socketpair, eventfd and open (of the program's own file) make descriptors and close
// them.
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdlib>
#include <cstring>
#include <mutex>
#include <thread>
#include <vector>

#include <fcntl.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <unistd.h>

namespace {

std::atomic<int> g_atomic = 0;
std::mutex g_mutex;
std::condition_variable g_changed;
volatile int g_cell = 0; // global: the compiler does not instrument variables that never leave their function

void accesses(long count) {
  for (long i = 0; i < count; ++i) g_cell = 1;
}

// Of an array, one after the other. It is global, as g_cell is.
template <typename Element>
Element g_elements[1024];

template <typename Element>
void elements(long count) {
  Element sum = 0;
  for (long i = 0; i < count; ++i) {
    Element& element = g_elements<Element>[i % 1024];
    sum = static_cast<Element>(sum + element);
    element = sum;
  }
}

// It contains an access, so the compiler calls the hooks for its entry and its exit.
__attribute__((noinline)) void callee() { g_cell = 1; }

void calls(long count) {
  for (long i = 0; i < count; ++i) callee();
}

void atomics(long count) {
  for (long i = 0; i < count; ++i) g_atomic.fetch_add(1);
}

// From its first reading of a clock on, each operation takes a thread some time.
void clocked_atomics(long count) {
  if (std::chrono::steady_clock::now() == std::chrono::steady_clock::time_point()) std::abort();
  atomics(count);
}

void locks(long count) {
  for (long i = 0; i < count; ++i) const std::lock_guard lock(g_mutex);
}

void notifications(long count) {
  for (long i = 0; i < count; ++i) g_changed.notify_one();
}

const char* g_file = nullptr;

template <typename Make>
void pairs(long count, Make make) {
  for (long i = 0; i < count; ++i) {
    int ends[2];
    if (make(ends) != 0) std::abort();
    close(ends[0]);
    close(ends[1]);
  }
}

template <typename Make>
void descriptors(long count, Make make) {
  for (long i = 0; i < count; ++i) {
    const int made = make();
    if (made < 0) std::abort();
    close(made);
  }
}

void pipes(long count) {
  pairs(count, [](int* ends) { return pipe(ends); });
}

void socket_pairs(long count) {
  pairs(count, [](int* ends) { return socketpair(AF_UNIX, SOCK_STREAM, 0, ends); });
}

void events(long count) {
  descriptors(count, [] { return eventfd(0, 0); });
}

void files(long count) {
  descriptors(count, [] { return open(g_file, O_RDONLY); });
}

struct Kind {
  const char* name;
  void (*work)(long count);
};
constexpr Kind k_kinds[] = {{"access", accesses},
                            {"bytes", elements<unsigned char>},
                            {"words", elements<unsigned>},
                            {"call", calls},
                            {"atomic", atomics},
                            {"clocked", clocked_atomics},
                            {"mutex", locks},
                            {"notify", notifications},
                            {"pipe", pipes},
                            {"socketpair", socket_pairs},
                            {"eventfd", events},
                            {"open", files}};

} // namespace

int main(int count, char** arguments) {
  if (count != 4) return 2;
  g_file = arguments[0];
  const char* kind = arguments[1];
  const long operations = std::atol(arguments[3]);
  std::vector<std::thread> threads;
  for (int i = 0; i < std::atoi(arguments[2]); ++i)
    threads.emplace_back([=] {
      for (const Kind& each : k_kinds)
        if (std::strcmp(kind, each.name) == 0) each.work(operations);
    });
  for (std::thread& thread : threads) thread.join();
}
