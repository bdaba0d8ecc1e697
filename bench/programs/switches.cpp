// Two threads execute the same semaphore operations in one of two orders. Arguments: the kind, the number of
// rounds.
//   forced   the threads wait for each other: two switches in each round
//   few      one thread runs after the other: no switches
// At each point only one thread can run, so nothing else differs.
#include <cstdlib>
#include <cstring>
#include <semaphore.h>
#include <thread>

int main(int count, char** arguments) {
  if (count != 3) return 2;
  const bool forced = std::strcmp(arguments[1], "forced") == 0;
  const int rounds = std::atoi(arguments[2]);
  sem_t first, second, gate;
  sem_init(&first, 0, 0);
  sem_init(&second, 0, 0);
  sem_init(&gate, 0, 0);
  std::thread a([&] {
    for (int i = 0; i < rounds; ++i) {
      sem_post(&second);
      sem_wait(forced ? &first : &second);
    }
    sem_post(&gate);
  });
  std::thread b([&] {
    if (!forced) sem_wait(&gate);
    for (int i = 0; i < rounds; ++i) {
      if (!forced) sem_post(&first);
      sem_wait(forced ? &second : &first);
      if (forced) sem_post(&first);
    }
    if (forced) sem_wait(&gate);
  });
  a.join();
  b.join();
}
