// A thread runs on a context whose stack is an array in its own frame. The frame lies on both sides of the
// array, and another thread uses it meanwhile.
#include <cassert>
#include <semaphore.h>
#include <thread>
#include <ucontext.h>

sem_t within, used; // all zero: a semaphore with the value 0
ucontext_t outside, inside;

void run_inside() {
  sem_post(&within);
  sem_wait(&used);
  swapcontext(&inside, &outside);
}

[[gnu::noinline]] int use(char* stack, std::size_t size) {
  int below = 0; // lower than the array
  std::thread thread([&below] {
    sem_wait(&within);
    below = 1;
    sem_post(&used);
  });
  getcontext(&inside);
  inside.uc_stack.ss_sp = stack;
  inside.uc_stack.ss_size = size;
  inside.uc_link = &outside;
  makecontext(&inside, run_inside, 0);
  swapcontext(&outside, &inside);
  thread.join();
  return below;
}

int main() {
  char array[32768];
  assert(use(array, sizeof array) == 1);
  int in_thread = 0;
  std::thread thread([&in_thread] {
    char own[32768];
    in_thread = use(own, sizeof own);
  });
  thread.join();
  assert(in_thread == 1);
}
