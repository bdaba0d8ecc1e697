// Two threads count under a lock.
#include <snmalloc.h>

#include <cassert>
#include <thread>

int main() {
  snmalloc::FlagWord word;
  int count = 0;
  auto add = [&] {
    snmalloc::FlagLock lock(word);
    ++count;
  };
  std::thread one(add);
  std::thread two(add);
  one.join();
  two.join();
  assert(count == 2);
}
