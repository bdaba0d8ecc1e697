// A lock that a thread takes while it ignores synchronization orders nothing.
#include <mutex>
#include <thread>

extern "C" void AnnotateIgnoreSyncBegin(const char*, int);
extern "C" void AnnotateIgnoreSyncEnd(const char*, int);

namespace {

std::mutex mutex;
int heeded = 0;
int ignored = 0;

void count(int& counter) {
  const std::lock_guard lock(mutex);
  ++counter;
}

void run() {
  AnnotateIgnoreSyncBegin(__FILE__, __LINE__);
  count(ignored);
  AnnotateIgnoreSyncEnd(__FILE__, __LINE__);
  count(heeded);
}

} // namespace

int main() {
  std::thread other(run);
  count(ignored);
  count(heeded);
  other.join();
}
