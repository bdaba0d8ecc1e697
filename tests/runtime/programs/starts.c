/* Programs that end before they create a thread, by themselves or only under control. */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

/* Virtual time begins in 2020. */
static int is_controlled(void) { return time(NULL) < 1600000000; }

static void* nothing(void* argument) { return argument; }

static int run_thread(void) {
  pthread_t thread;
  return pthread_create(&thread, NULL, nothing, NULL) != 0 || pthread_join(thread, NULL) != 0;
}

static int fork_and_wait(void) {
  int status = 0;
  const pid_t child = fork();
  if (child == 0) _exit(0);
  return waitpid(child, &status, 0) != child || status != 0;
}

int main(int count, char** arguments) {
  const char* what = count > 1 ? arguments[1] : "";
  if (strcmp(what, "fails") == 0) return 3;
  if (strcmp(what, "aborts") == 0) abort();
  if (strcmp(what, "needs_variable") == 0) return getenv("STARTS_VARIABLE") == NULL ? 3 : run_thread();
  if (strcmp(what, "fails_controlled") == 0) return is_controlled() ? 3 : run_thread();
  if (strcmp(what, "aborts_controlled") == 0 && is_controlled()) abort();
  if (strcmp(what, "refuses_controlled") == 0 && is_controlled()) {
    fputs("libreex_rt.so: some reason\n", stderr); // as the runtime does that does not begin
    return 70;
  }
  if (strcmp(what, "waits_for_ever") == 0)
    for (volatile int told = 0; told == 0;) {
    }
  if (strcmp(what, "forks") == 0) return fork_and_wait();
  if (strcmp(what, "forks_and_fails_controlled") == 0) return fork_and_wait() != 0 || is_controlled() ? 4 : 0;
  return run_thread();
}
