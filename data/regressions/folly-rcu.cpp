// A reader gives an object up while a writer waits for the readers.
#include <folly/synchronization/Rcu.h>

#include <mutex>
#include <thread>

int main() {
  std::thread reader([] {
    const std::scoped_lock reading(folly::rcu_default_domain());
    folly::rcu_default_domain().call([] {});
  });
  folly::rcu_synchronize();
  reader.join();
}
