// Two threads allocate two blocks each, of four, and free them again.
#undef NDEBUG
#include <cassert>

#include "allocation/AllocateAndFreeThread.h"

using namespace allocation;

namespace {

constexpr std::size_t blocksOfThread = 2;

bool failed(const std::vector<int>& resultBuf) {
  return resultBuf[0] == AllocateAndFreeThread::allocationFailed || resultBuf[0] == AllocateAndFreeThread::freeFailed;
}

void testAllocateAndFree() {
  AllocationVector vector(2 * blocksOfThread);
  std::vector<int> resultBuf1(blocksOfThread, AllocationVector::noBlock);
  std::vector<int> resultBuf2(blocksOfThread, AllocationVector::noBlock);
  AllocateAndFreeThread thread1(vector, resultBuf1, AllocateAndFreeThread::Mode::allocateAndFree);
  AllocateAndFreeThread thread2(vector, resultBuf2, AllocateAndFreeThread::Mode::allocateAndFree);

  thread1.start();
  thread2.start();
  thread1.join();
  thread2.join();
  assert(!failed(resultBuf1));
  assert(!failed(resultBuf2));
}

} // namespace

int main() { testAllocateAndFree(); }
