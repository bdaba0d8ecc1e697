#undef NDEBUG
#include <cassert>
#include <thread>
#include <vector>

#include "account.h"

int main() {
  Account account(100);
  std::vector<std::thread> customers;
  for (int i = 0; i < 3; ++i) customers.emplace_back([&] { account.withdraw(60); });
  for (std::thread& customer : customers) customer.join();
  assert(account.balance() >= 0);
}
