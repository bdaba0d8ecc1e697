// A method that locks calls another one that locks.
#include <mutex>
#include <thread>

class Account {
public:
  void deposit(int amount) {
    std::lock_guard lock(m_mutex);
    m_balance += amount;
  }
  void deposit_twice(int amount) {
    std::lock_guard lock(m_mutex);
    deposit(amount);
    deposit(amount);
  }

private:
  std::mutex m_mutex;
  int m_balance = 0;
};

int main() {
  Account account;
  std::thread one([&] { account.deposit(1); });
  std::thread two([&] { account.deposit_twice(1); });
  one.join();
  two.join();
  return 0;
}
