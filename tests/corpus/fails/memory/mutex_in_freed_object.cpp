// The object is deleted while another thread is about to lock the mutex inside it.
#include <atomic>
#include <mutex>
#include <thread>

struct Account {
  std::mutex mutex;
  int balance = 0;
};

std::atomic<Account*> account{nullptr};

int main() {
  account = new Account;
  std::thread user([] {
    if (Account* mine = account.load(); mine != nullptr) {
      std::lock_guard lock(mine->mutex);
      mine->balance += 1;
    }
  });
  std::thread closer([] { delete account.exchange(nullptr); });
  user.join();
  closer.join();
  return 0;
}
