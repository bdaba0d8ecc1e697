// Two threads take two locks in opposite orders.
#include <mutex>
#include <thread>

std::mutex from_account, to_account;
int balance = 0;

int main() {
  std::thread there([] {
    std::lock_guard first(from_account);
    std::lock_guard second(to_account);
    ++balance;
  });
  std::thread back([] {
    std::lock_guard first(to_account);
    std::lock_guard second(from_account);
    --balance;
  });
  there.join();
  back.join();
  return 0;
}
