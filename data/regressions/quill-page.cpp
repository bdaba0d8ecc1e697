// Two threads make a queue each.
#include "quill/detail/BoundedSPSCQueue.h"
#include <thread>

struct Base {
  virtual ~Base() = default;
};
int main() {
  std::thread other([] { quill::detail::BoundedSPSCQueue<Base, 4096> queue; });
  quill::detail::BoundedSPSCQueue<Base, 4096> queue;
  other.join();
}
