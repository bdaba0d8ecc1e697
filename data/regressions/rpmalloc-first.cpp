// Two threads allocate for the first time.
#include "rpmalloc.h"

#include <cassert>
#include <cstring>
#include <thread>

static void use(char value) {
  char* memory = static_cast<char*>(rpmalloc(16));
  assert(memory);
  memset(memory, value, 16);
  assert(memory[15] == value);
  rpfree(memory);
  rpmalloc_thread_finalize();
}

int main() {
  std::thread other([] { use(1); });
  use(2);
  other.join();
}
