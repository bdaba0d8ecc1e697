// A coroutine begins in one thread and ends in another one, which so returns from more functions than it has
// entered.
#include <cassert>
#include <thread>

#include <semaphore.h>
#include <ucontext.h>

namespace {

ucontext_t caller;
ucontext_t coroutine;
sem_t begun;
sem_t ended;

int depth = 0;

__attribute__((noinline)) void descend(int levels) {
  ++depth;
  if (levels == 0)
    swapcontext(&coroutine, &caller);
  else
    descend(levels - 1);
  --depth;
}

void begin() {
  descend(1000);
  setcontext(&caller);
}

__attribute__((noinline)) void enter(int levels) {
  ++depth;
  if (levels != 0) enter(levels - 1);
  ++depth;
}

} // namespace

int main() {
  sem_init(&begun, 0, 0);
  sem_init(&ended, 0, 0);
  std::thread first([] {
    alignas(16) static char stack[1 << 20];
    getcontext(&coroutine);
    coroutine.uc_stack.ss_sp = stack;
    coroutine.uc_stack.ss_size = sizeof stack;
    coroutine.uc_link = nullptr;
    makecontext(&coroutine, begin, 0);
    swapcontext(&caller, &coroutine);
    sem_post(&begun);
  });
  std::thread second([] {
    sem_wait(&begun);
    swapcontext(&caller, &coroutine);
    enter(999);
    sem_post(&ended);
  });
  std::thread third([] { sem_wait(&ended); });
  first.join();
  second.join();
  third.join();
  assert(depth == 2000);
}
