// Attributes of threads, and the errors of join and detach, as glibc and the kernel give them. The names are
// those of the values that must come.
#define _GNU_SOURCE
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <sched.h>
#include <semaphore.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/sysinfo.h>
#include <unistd.h>

static int error_of(int result) { return result == 0 ? 0 : errno; }

static pthread_attr_t explicit_attributes(int policy, int priority) {
  pthread_attr_t attributes;
  struct sched_param parameters = {.sched_priority = priority};
  pthread_attr_init(&attributes);
  pthread_attr_setinheritsched(&attributes, PTHREAD_EXPLICIT_SCHED);
  pthread_attr_setschedpolicy(&attributes, policy);
  pthread_attr_setschedparam(&attributes, &parameters);
  return attributes;
}

static void* tell_scheduling(void* argument) {
  int policy = -1;
  struct sched_param parameters = {.sched_priority = -1};
  pthread_getschedparam(pthread_self(), &policy, &parameters);
  printf("%s%d/%d %d", (const char*)argument, policy, parameters.sched_priority, sched_getscheduler(0) == policy);
  return NULL;
}

static sem_t semaphore;

static void* tell_scheduling_when_told(void* argument) {
  sem_wait(&semaphore);
  return tell_scheduling(argument);
}

// A user without privileges may not ask for real time: then the creation fails, as it does natively.
static void explicit_scheduling(void) {
  pthread_attr_t attributes = explicit_attributes(SCHED_FIFO, 5);
  pthread_t thread;
  const int error = pthread_create(&thread, &attributes, tell_scheduling, "");
  if (error == 0) pthread_join(thread, NULL);
  puts(error == 0 ? "" : error == EPERM ? "1/5 1" : "wrong");
}

static void* create_heir(void* unused) {
  struct sched_param parameters = {.sched_priority = 0};
  pthread_setschedparam(pthread_self(), SCHED_BATCH, &parameters);
  pthread_t thread;
  pthread_create(&thread, NULL, tell_scheduling, "heir ");
  pthread_join(thread, NULL);
  return unused;
}

static void inherited(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, create_heir, NULL);
  pthread_join(thread, NULL);
  tell_scheduling(" main ");
  puts("");
}

static void wrong_scheduling(void) {
  pthread_attr_t attributes;
  pthread_attr_init(&attributes);
  pthread_attr_setinheritsched(&attributes, PTHREAD_EXPLICIT_SCHED);
  pthread_attr_setschedpolicy(&attributes, SCHED_FIFO);
  pthread_t thread;
  const struct sched_param high = {.sched_priority = 100};
  const struct sched_param one = {.sched_priority = 1};
  const int created = pthread_create(&thread, &attributes, tell_scheduling, "");
  sem_init(&semaphore, 0, 0);
  pthread_create(&thread, NULL, tell_scheduling_when_told, "");
  const int set = pthread_setschedparam(thread, SCHED_RR, &high);
  const int other = pthread_setschedparam(thread, SCHED_OTHER, &one);
  const int unknown = pthread_setschedparam(thread, 77, &one);
  const int priority = pthread_setschedprio(thread, 3);
  sem_post(&semaphore);
  pthread_join(thread, NULL);
  printf(" %d %d %d %d %d\n", created == EINVAL, set == EINVAL, other == EINVAL, unknown == EINVAL,
         priority == EINVAL);
}

static char own_stack[1 << 16] __attribute__((aligned(4096)));

static void* use_stack(void* frames) {
  char here = 0;
  pthread_attr_t attributes;
  void* low;
  size_t size;
  pthread_getattr_np(pthread_self(), &attributes);
  pthread_attr_getstack(&attributes, &low, &size);
  printf("%d %d %d", &here >= own_stack && &here < own_stack + sizeof own_stack, low == own_stack,
         size == sizeof own_stack);
  pthread_attr_destroy(&attributes);
  return frames;
}

static void given_stack(void) {
  pthread_attr_t attributes;
  pthread_t thread;
  pthread_attr_init(&attributes);
  pthread_attr_setstack(&attributes, own_stack, sizeof own_stack);
  for (int i = 0; i < 2; ++i) { // the second thread on the same stack
    const int error = pthread_create(&thread, &attributes, use_stack, NULL);
    pthread_join(thread, NULL);
    printf(" %d ", error);
  }
  puts("");
}

static sem_t first, second;

static void* take_turns(void* unused) {
  volatile char frames[4096];
  for (unsigned i = 0; i < sizeof frames; ++i) frames[i] = (char)i;
  for (int i = 0; i < 3; ++i) {
    sem_wait(&first);
    sem_post(&second);
  }
  return frames[77] == 77 ? unused : NULL;
}

// A thread on a stack of the test's own is suspended there, and its values are kept.
static void given_stack_kept(void) {
  pthread_attr_t attributes;
  pthread_t thread;
  void* result;
  sem_init(&first, 0, 0);
  sem_init(&second, 0, 0);
  pthread_attr_init(&attributes);
  pthread_attr_setstack(&attributes, own_stack, sizeof own_stack);
  pthread_create(&thread, &attributes, take_turns, &first);
  for (int i = 0; i < 3; ++i) {
    sem_post(&first);
    sem_wait(&second);
  }
  pthread_join(thread, &result);
  puts(result == &first ? "kept" : "lost");
}

static void* tell_sizes(void* unused) {
  pthread_attr_t attributes;
  size_t stack = 0, guard = 0;
  int detached = -1, inherits = -1;
  void* low = NULL;
  char here;
  pthread_getattr_np(pthread_self(), &attributes);
  pthread_attr_getstack(&attributes, &low, &stack);
  pthread_attr_getguardsize(&attributes, &guard);
  pthread_attr_getdetachstate(&attributes, &detached);
  pthread_attr_getinheritsched(&attributes, &inherits);
  printf("%zu %zu %d %d %d\n", stack, guard, &here > (char*)low && &here < (char*)low + stack,
         detached == PTHREAD_CREATE_DETACHED, inherits == PTHREAD_EXPLICIT_SCHED);
  pthread_attr_destroy(&attributes);
  return unused;
}

static void sizes(void) {
  pthread_attr_t attributes = explicit_attributes(SCHED_OTHER, 0);
  pthread_t thread;
  pthread_attr_setstacksize(&attributes, 1 << 20);
  pthread_attr_setguardsize(&attributes, 5000);
  pthread_create(&thread, &attributes, tell_sizes, NULL);
  pthread_join(thread, NULL);
}

static void impossible_sizes(void) {
  pthread_attr_t attributes;
  pthread_t thread;
  pthread_attr_init(&attributes);
  pthread_attr_setguardsize(&attributes, SIZE_MAX);
  const int guard = pthread_create(&thread, &attributes, tell_sizes, NULL);
  pthread_attr_init(&attributes);
  pthread_attr_setstacksize(&attributes, SIZE_MAX / 2);
  const int stack = pthread_create(&thread, &attributes, tell_sizes, NULL);
  pthread_create(&thread, NULL, tell_scheduling, "");
  pthread_join(thread, NULL);
  printf(" %d %d\n", guard == EINVAL, stack == EAGAIN);
}

static void defaults(void) {
  pthread_attr_t attributes;
  pthread_t thread;
  pthread_attr_init(&attributes);
  pthread_attr_setstacksize(&attributes, 1 << 20);
  pthread_setattr_default_np(&attributes);
  pthread_create(&thread, NULL, tell_sizes, NULL);
  pthread_join(thread, NULL);
}

// Set by a thread, so that an execution that follows would see it if it stayed.
static void* set_default(void* unused) {
  pthread_attr_t attributes;
  pthread_getattr_default_np(&attributes);
  size_t before = 0;
  pthread_attr_getstacksize(&attributes, &before);
  pthread_attr_setstacksize(&attributes, before / 2);
  pthread_setattr_default_np(&attributes);
  printf("%d\n", before == (size_t)8 << 20);
  return unused;
}

static void defaults_come_back(void) {
  pthread_t thread;
  pthread_attr_t attributes;
  pthread_attr_init(&attributes);
  pthread_attr_setstacksize(&attributes, (size_t)8 << 20);
  pthread_setattr_default_np(&attributes);
  pthread_create(&thread, NULL, set_default, NULL);
  pthread_join(thread, NULL);
}

static void* tell_processors(void* unused) {
  cpu_set_t of_thread, of_kernel_call;
  CPU_ZERO(&of_thread);
  pthread_getaffinity_np(pthread_self(), sizeof of_thread, &of_thread);
  sched_getaffinity(0, sizeof of_kernel_call, &of_kernel_call);
  printf("%d %d %d", CPU_COUNT(&of_thread), CPU_ISSET(0, &of_thread), CPU_EQUAL(&of_thread, &of_kernel_call));
  return unused;
}

static void processors(void) {
  cpu_set_t zero, none, all, main_has;
  CPU_ZERO(&zero);
  CPU_SET(0, &zero);
  CPU_ZERO(&none);
  memset(&all, 0xff, sizeof all);
  pthread_attr_t attributes;
  pthread_t thread;
  sched_getaffinity(0, sizeof main_has, &main_has);
  pthread_attr_init(&attributes);
  pthread_attr_setaffinity_np(&attributes, sizeof zero, &zero);
  pthread_create(&thread, &attributes, tell_processors, NULL);
  pthread_join(thread, NULL);
  const int empty = pthread_setaffinity_np(pthread_self(), sizeof none, &none);
  const int short_set = pthread_getaffinity_np(pthread_self(), 1, &none);
  const int by_kernel = error_of(sched_setaffinity(0, sizeof none, &none));
  cpu_set_t now;
  pthread_getaffinity_np(pthread_self(), sizeof now, &now);
  printf(" %d %d %d %d", empty == EINVAL, short_set == EINVAL, by_kernel == EINVAL, CPU_EQUAL(&now, &main_has));
  printf(" %d", pthread_setaffinity_np(pthread_self(), sizeof all, &all));
  const int enough = (get_nprocs_conf() + 63) / 64 * 8; // of the kernel's set, which may have more
  printf(" %d\n", pthread_getaffinity_np(pthread_self(), enough, &now));
}

// struct sched_attr, which <sched.h> has in newer versions of glibc only
struct kernel_attributes {
  uint32_t size, policy;
  uint64_t flags;
  int32_t nice;
  uint32_t priority;
  uint64_t runtime, deadline, period;
};

// As GLib does for the threads of its pools.
static void* take_over(void* settings) {
  const long number = syscall(SYS_gettid);
  const long set = syscall(SYS_sched_setattr, number, settings, 0);
  struct kernel_attributes now = {0};
  syscall(SYS_sched_getattr, number, &now, sizeof now, 0);
  cpu_set_t has;
  const long size = syscall(SYS_sched_getaffinity, number, sizeof has, &has);
  printf("%ld %u %d %d", set, now.policy, now.nice, size > 0);
  return NULL;
}

static void settings_by_system_calls(void) {
  struct kernel_attributes settings = {0};
  pthread_t thread;
  const long got = syscall(SYS_sched_getattr, syscall(SYS_gettid), &settings, sizeof settings, 0);
  const int own = settings.nice;
  settings.policy = SCHED_BATCH;
  settings.nice = 19;
  pthread_create(&thread, NULL, take_over, &settings);
  pthread_join(thread, NULL);
  const int kept = getpriority(PRIO_PROCESS, 0) == own;
  const int set = setpriority(PRIO_PROCESS, (id_t)gettid(), 19);
  printf(" %ld %d %d %d", got, kept, set, getpriority(PRIO_PROCESS, 0));
  settings.size = 4;
  const int short_settings = error_of((int)syscall(SYS_sched_setattr, 0, &settings, 0));
  printf(" %d\n", short_settings == E2BIG);
}

static void* read_name(void* unused) {
  char path[64], text[64] = "";
  pthread_setname_np(pthread_self(), "hello");
  snprintf(path, sizeof path, "/proc/self/task/%d/comm", gettid());
  FILE* file = fopen(path, "r");
  if (file == NULL || fgets(text, sizeof text, file) == NULL) perror(path);
  if (file != NULL) fclose(file);
  printf("%s", text);
  return unused;
}

// Real time on one processor. False: the user may not ask for it.
static int confine_main(void) {
  const struct sched_param lowest = {.sched_priority = 1};
  cpu_set_t has, one;
  sched_getaffinity(0, sizeof has, &has);
  CPU_ZERO(&one);
  for (int i = 0; i < CPU_SETSIZE && CPU_COUNT(&one) == 0; ++i)
    if (CPU_ISSET(i, &has)) CPU_SET(i, &one);
  sched_setaffinity(0, sizeof one, &one);
  return pthread_setschedparam(pthread_self(), SCHED_FIFO, &lowest) == 0;
}

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void* lock_and_tell(void* priority) {
  pthread_mutex_lock(&lock);
  printf("%d", (int)(intptr_t)priority);
  pthread_mutex_unlock(&lock);
  return NULL;
}

static pthread_t with_priority(int priority, void* (*function)(void*)) {
  pthread_attr_t attributes = explicit_attributes(SCHED_FIFO, priority);
  pthread_t thread;
  pthread_create(&thread, &attributes, function, (void*)(intptr_t)priority);
  return thread;
}

static void the_higher_rank_first(void) {
  if (confine_main()) {
    pthread_mutex_lock(&lock);
    const pthread_t low = with_priority(10, lock_and_tell);
    const pthread_t high = with_priority(20, lock_and_tell);
    pthread_mutex_unlock(&lock);
    pthread_join(low, NULL);
    pthread_join(high, NULL);
    puts("");
  } else {
    puts("2010");
  }
}

// On several processors, both may come first.
static void unconfined_ranks(void) {
  pthread_t low, high;
  const struct sched_param lowest = {.sched_priority = 1};
  const int permitted = pthread_setschedparam(pthread_self(), SCHED_FIFO, &lowest) == 0;
  pthread_mutex_lock(&lock);
  if (permitted) {
    low = with_priority(10, lock_and_tell);
    high = with_priority(20, lock_and_tell);
  } else {
    pthread_create(&low, NULL, lock_and_tell, (void*)10);
    pthread_create(&high, NULL, lock_and_tell, (void*)20);
  }
  pthread_mutex_unlock(&lock);
  pthread_join(low, NULL);
  pthread_join(high, NULL);
  puts("");
}

static int came;

static void* come(void* unused) {
  came = 1;
  return unused;
}

static void a_higher_rank_comes_at_once(void) {
  if (!confine_main()) {
    puts("1");
    return;
  }
  const pthread_t thread = with_priority(10, come);
  const int seen = came;
  pthread_join(thread, NULL);
  printf("%d\n", seen);
}

static volatile int woken;

static void* wait_and_tell(void* unused) {
  sem_wait(&semaphore);
  woken = 1;
  return unused;
}

static void* poll_until_woken(void* unused) {
  struct timespec begin, now;
  clock_gettime(CLOCK_MONOTONIC, &begin);
  do
    clock_gettime(CLOCK_MONOTONIC, &now);
  while (!woken && now.tv_sec < begin.tv_sec + 5);
  printf("%d\n", woken);
  return unused;
}

// The polling thread comes to no operation of its own.
static void a_higher_rank_interrupts_a_poll(void) {
  if (!confine_main()) {
    puts("1");
    return;
  }
  sem_init(&semaphore, 0, 0);
  const struct sched_param highest = {.sched_priority = 30};
  pthread_setschedparam(pthread_self(), SCHED_FIFO, &highest);
  const pthread_t high = with_priority(20, wait_and_tell);
  const pthread_t low = with_priority(10, poll_until_woken);
  sleep(1);
  sem_post(&semaphore);
  pthread_join(low, NULL);
  pthread_join(high, NULL);
}

static void* wait_only(void* unused) {
  sem_wait(&semaphore);
  return unused;
}

static int count_tasks(void) {
  DIR* folder = opendir("/proc/self/task");
  int count = 0, found = 0;
  for (struct dirent* entry; (entry = readdir(folder)) != NULL;) {
    if (entry->d_name[0] == '.') continue;
    ++count;
    found += atoi(entry->d_name) == gettid();
  }
  rewinddir(folder);
  const int begin = strcmp(readdir(folder)->d_name, ".");
  closedir(folder);
  return found == 1 && begin == 0 ? count : -1;
}

// The letter of the state in a file "stat", or behind "State:" in a file "status"; '-': there is no such file.
static char state_in(const char* format, int thread) {
  char path[64], text[512] = "";
  snprintf(path, sizeof path, format, thread);
  const int file = open(path, O_RDONLY);
  if (file < 0 || read(file, text, sizeof text - 1) <= 0) return '-';
  close(file);
  const char* at = strstr(text, "State:\t");
  char state = '-';
  if (at != NULL) return at[strlen("State:\t")];
  return sscanf(text, "%*d %*s %c", &state) == 1 ? state : '-';
}

static int waiting_thread;

static void* tell_number_and_wait(void* unused) {
  __atomic_store_n(&waiting_thread, gettid(), __ATOMIC_SEQ_CST);
  sem_wait(&semaphore);
  return unused;
}

// As pools do that begin another thread when too few of theirs can run.
static void state_files(void) {
  pthread_t thread;
  sem_init(&semaphore, 0, 0);
  pthread_create(&thread, NULL, tell_number_and_wait, NULL);
  while (__atomic_load_n(&waiting_thread, __ATOMIC_SEQ_CST) == 0) usleep(1000);
  while (state_in("/proc/%d/stat", waiting_thread) == 'R') usleep(1000);
  printf("%c%c%c", state_in("/proc/%d/stat", waiting_thread), state_in("/proc/self/task/%d/stat", waiting_thread),
         state_in("/proc/%d/status", waiting_thread));
  printf(" %c%c", state_in("/proc/thread-self/stat", 0), state_in("/proc/self/task/%d/status", gettid()));
  sem_post(&semaphore);
  pthread_join(thread, NULL);
  printf(" %c\n", state_in("/proc/%d/stat", waiting_thread));
}

// Threads that have ended are not listed any more, and cannot be asked, although nobody has joined them.
static void task_folder(void) {
  pthread_t threads[2];
  struct sched_param parameters = {.sched_priority = 0};
  int policy;
  sem_init(&semaphore, 0, 0);
  for (int i = 0; i < 2; ++i) pthread_create(&threads[i], NULL, wait_only, NULL);
  printf("%d", count_tasks());
  for (int i = 0; i < 2; ++i) sem_post(&semaphore);
  while (count_tasks() > 1) usleep(1000);
  printf(" %d %d %d\n", pthread_getschedparam(threads[0], &policy, &parameters) == ESRCH,
         pthread_setschedparam(threads[0], SCHED_OTHER, &parameters) == ESRCH,
         pthread_setschedprio(threads[1], 0) == ESRCH);
  for (int i = 0; i < 2; ++i) pthread_join(threads[i], NULL);
}

static void name_file(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, read_name, NULL);
  pthread_join(thread, NULL);
}

static void* end(void* argument) { return argument; }

static void* wait_at_semaphore(void* argument) {
  sem_wait(&first);
  return argument;
}

static void join_errors(void) {
  pthread_t thread;
  pthread_attr_t detached;
  sem_init(&first, 0, 0);
  pthread_attr_init(&detached);
  pthread_attr_setdetachstate(&detached, PTHREAD_CREATE_DETACHED);
  const int self = pthread_join(pthread_self(), NULL);
  pthread_create(&thread, &detached, wait_at_semaphore, NULL);
  const int alive = pthread_join(thread, NULL);
  const int twice = pthread_detach(thread);
  sem_post(&first);
  pthread_create(&thread, &detached, end, NULL);
  const int ended = pthread_join(thread, NULL);
  const int detach_ended = pthread_detach(thread);
  pthread_create(&thread, NULL, end, NULL);
  pthread_join(thread, NULL);
  const int joined = pthread_join(thread, NULL);
  printf("%d %d %d %d %d %d\n", self == EDEADLK, alive == EINVAL, twice == EINVAL, ended == EINVAL,
         detach_ended == EINVAL, joined == ESRCH);
}

static void* join_it(void* thread) { return (void*)(intptr_t)pthread_join(*(pthread_t*)thread, NULL); }

// One of two that join a thread is too late, or comes while the other waits.
static void two_joiners(void) {
  static pthread_t target;
  pthread_t one, two;
  void *of_one, *of_two;
  sem_init(&first, 0, 0);
  pthread_create(&target, NULL, wait_at_semaphore, NULL);
  pthread_create(&one, NULL, join_it, &target);
  pthread_create(&two, NULL, join_it, &target);
  sem_post(&first);
  pthread_join(one, &of_one);
  pthread_join(two, &of_two);
  const intptr_t late = (intptr_t)of_one + (intptr_t)of_two;
  printf("%d\n", (of_one == NULL || of_two == NULL) && (late == EINVAL || late == ESRCH));
}

static pthread_t main_thread;

static void* join_main(void* mutual) {
  if (mutual != NULL) {
    if (pthread_join(main_thread, NULL) == EDEADLK) puts("thread");
    return NULL;
  }
  void* result = NULL;
  const int error = pthread_join(main_thread, &result);
  printf("%d %d\n", error, result == &main_thread);
  exit(0);
}

// The one that comes second is told.
static void each_joins_the_other(void) {
  pthread_t thread;
  main_thread = pthread_self();
  pthread_create(&thread, NULL, join_main, &main_thread);
  if (pthread_join(thread, NULL) == EDEADLK) puts("main");
}

static void main_is_joined(void) {
  pthread_t thread;
  main_thread = pthread_self();
  pthread_create(&thread, NULL, join_main, NULL);
  pthread_exit(&main_thread);
}

static void* detach_main(void* unused) {
  printf("%d ", pthread_detach(main_thread));
  printf("%d\n", pthread_detach(main_thread) == EINVAL);
  return unused;
}

// All that a thread does to main must be gone in the next execution.
static void main_comes_back(void) {
  pthread_t thread;
  main_thread = pthread_self();
  cpu_set_t zero;
  CPU_ZERO(&zero);
  CPU_SET(0, &zero);
  char name[16];
  int policy, state;
  struct sched_param parameters;
  pthread_getname_np(pthread_self(), name, sizeof name);
  pthread_getschedparam(pthread_self(), &policy, &parameters);
  pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &state);
  pthread_create(&thread, NULL, detach_main, NULL);
  pthread_join(thread, NULL);
  printf("%s %d %d\n", strcmp(name, "changed") == 0 ? "stayed" : "fresh", policy, state);
  pthread_setname_np(pthread_self(), "changed");
  parameters.sched_priority = 0;
  pthread_setschedparam(pthread_self(), SCHED_IDLE, &parameters);
  pthread_setaffinity_np(pthread_self(), sizeof zero, &zero);
}

static const struct {
  const char* name;
  void (*run)(void);
} scenarios[] = {
    {"explicit_scheduling", explicit_scheduling},
    {"inherited", inherited},
    {"wrong_scheduling", wrong_scheduling},
    {"given_stack", given_stack},
    {"given_stack_kept", given_stack_kept},
    {"sizes", sizes},
    {"impossible_sizes", impossible_sizes},
    {"defaults", defaults},
    {"defaults_come_back", defaults_come_back},
    {"processors", processors},
    {"settings_by_system_calls", settings_by_system_calls},
    {"the_higher_rank_first", the_higher_rank_first},
    {"unconfined_ranks", unconfined_ranks},
    {"a_higher_rank_comes_at_once", a_higher_rank_comes_at_once},
    {"a_higher_rank_interrupts_a_poll", a_higher_rank_interrupts_a_poll},
    {"state_files", state_files},
    {"task_folder", task_folder},
    {"name_file", name_file},
    {"join_errors", join_errors},
    {"two_joiners", two_joiners},
    {"each_joins_the_other", each_joins_the_other},
    {"main_is_joined", main_is_joined},
    {"main_comes_back", main_comes_back},
};

int main(int count, char** arguments) {
  for (unsigned i = 0; i < sizeof scenarios / sizeof *scenarios; ++i)
    if (count > 1 && strcmp(arguments[1], scenarios[i].name) == 0) {
      scenarios[i].run();
      return 0;
    }
  return 99;
}
