// Two threads ask a range for its hash code, and get that of an equal range.
#undef NDEBUG
#include <cassert>
#include <thread>

#include "lang/math/IntRange.h"

using namespace lang::math;

int main() {
  const int expected = IntRange(3, 7).hashCode();
  const IntRange range(3, 7);
  int result1 = 0;
  int result2 = 0;

  std::thread thread1([&] { result1 = range.hashCode(); });
  std::thread thread2([&] { result2 = range.hashCode(); });
  thread1.join();
  thread2.join();
  assert(result1 == expected);
  assert(result2 == expected);
}
