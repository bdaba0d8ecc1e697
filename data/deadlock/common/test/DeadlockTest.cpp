// Both processes make both of their steps.
#undef NDEBUG
#include <cassert>

#include "deadlock/Process1.h"
#include "deadlock/Process2.h"

using namespace deadlock;

int main() {
  Shared shared;
  Process1 process1(shared);
  Process2 process2(shared);
  process1.start();
  process2.start();
  process1.join();
  process2.join();
  assert(shared.state == 4);
}
