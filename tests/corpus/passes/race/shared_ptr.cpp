// The last owner destroys what all owners have read. The count of owners orders the accesses.
#include <cstdio>
#include <memory>
#include <thread>

int main() {
  auto shared = std::make_shared<int>(7);
  const auto use = [](std::shared_ptr<int> mine) { std::printf("%d\n", *mine); };
  std::thread one(use, shared), two(use, shared);
  shared.reset();
  one.join();
  two.join();
  return 0;
}
