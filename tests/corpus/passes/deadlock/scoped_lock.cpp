// std::scoped_lock takes both locks in either order without deadlock.
#include <cassert>
#include <mutex>
#include <thread>

std::mutex from_account, to_account;
int balance = 0;

int main() {
  std::thread there([] {
    std::scoped_lock both(from_account, to_account);
    ++balance;
  });
  std::thread back([] {
    std::scoped_lock both(to_account, from_account);
    --balance;
  });
  there.join();
  back.join();
  assert(balance == 0);
  return 0;
}
