// Stacks are used again by later threads; a handler runs on a signal stack in a frame; a frame grows by
// alloca. Other threads use what lives there.
#include <alloca.h>
#include <cassert>
#include <csignal>
#include <semaphore.h>
#include <thread>

int* place = nullptr;
sem_t placed, answered; // all zero: a semaphore with the value 0

[[gnu::noinline]] void serve() {
  int local = 0;
  place = &local;
  sem_post(&placed);
  sem_wait(&answered);
  assert(local == 1);
}

void answer() {
  sem_wait(&placed);
  *place = 1;
  sem_post(&answered);
}

int main() {
  for (int i = 0; i < 2; ++i) {
    std::thread server(serve);
    answer();
    server.join();
  }
  char stack[32768];
  stack_t alternate{};
  alternate.ss_sp = stack;
  alternate.ss_size = sizeof stack;
  sigaltstack(&alternate, nullptr);
  struct sigaction action {};
  action.sa_handler = [](int) { serve(); };
  action.sa_flags = SA_ONSTACK;
  sigaction(SIGUSR1, &action, nullptr);
  auto* grown = static_cast<int*>(alloca(64 * sizeof(int)));
  grown[0] = 0;
  std::thread thread([grown] {
    answer();
    grown[0] = 1;
  });
  std::raise(SIGUSR1);
  thread.join();
  assert(grown[0] == 1);
  alternate.ss_flags = SS_DISABLE;
  sigaltstack(&alternate, nullptr);
}
