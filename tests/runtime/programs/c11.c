/* C11's threads, and cancellation in C code without exceptions. */
#include <errno.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <threads.h>
#include <time.h>
#include <unistd.h>

static mtx_t g_lock;
static cnd_t g_changed;
static tss_t g_key;
static once_flag g_once = ONCE_FLAG_INIT;
static char g_log[64];
static int g_ready;

static void note(void* text) { strcat(g_log, text); }

static int add(void* text) {
  mtx_lock(&g_lock);
  note(text);
  mtx_unlock(&g_lock);
  return -7;
}

static void threads(void) {
  mtx_init(&g_lock, mtx_plain);
  thrd_t one, two;
  thrd_create(&one, add, "1");
  thrd_create(&two, add, "2");
  int result = 0;
  thrd_join(one, &result);
  thrd_join(two, NULL);
  printf("%s %d %d\n", g_log, result, thrd_equal(one, two) != 0);
}

static int leave(void* unused) {
  (void)unused;
  if (thrd_equal(thrd_current(), thrd_current())) thrd_exit(3);
  return 4;
}

static void exits(void) {
  thrd_t thread;
  int result = 0;
  thrd_create(&thread, leave, NULL);
  thrd_join(thread, &result);
  printf("%d\n", result);
}

static int wait_until_ready(void* unused) {
  (void)unused;
  mtx_lock(&g_lock);
  while (!g_ready) cnd_wait(&g_changed, &g_lock);
  mtx_unlock(&g_lock);
  return 0;
}

static void condition(void) {
  mtx_init(&g_lock, mtx_timed | mtx_recursive);
  cnd_init(&g_changed);
  thrd_t thread;
  thrd_create(&thread, wait_until_ready, NULL);
  mtx_lock(&g_lock);
  mtx_lock(&g_lock);
  g_ready = 1;
  cnd_broadcast(&g_changed);
  mtx_unlock(&g_lock);
  mtx_unlock(&g_lock);
  thrd_join(thread, NULL);
  cnd_destroy(&g_changed);
  mtx_destroy(&g_lock);
  printf("ready\n");
}

static int try_them(void* unused) {
  (void)unused;
  const struct timespec past = {0, 0};
  const struct timespec soon = {1600000000, 0};
  printf("%d", mtx_trylock(&g_lock) == thrd_busy);
  printf("%d", mtx_timedlock(&g_lock, &past) == thrd_timedout);
  printf("%d", mtx_timedlock(&g_lock, &soon) == thrd_timedout);
  return 0;
}

static void results(void) {
  const struct timespec past = {0, 0};
  const struct timespec wrong = {0, -1};
  const struct timespec moment = {0, 1000};
  thrd_t thread;
  mtx_init(&g_lock, mtx_timed);
  cnd_init(&g_changed);
  mtx_lock(&g_lock);
  thrd_create(&thread, try_them, NULL);
  thrd_join(thread, NULL);
  printf(" %d", cnd_timedwait(&g_changed, &g_lock, &past) == thrd_timedout);
  printf("%d", cnd_signal(&g_changed) == thrd_success);
  printf("%d", thrd_sleep(&moment, NULL));
  printf("%d\n", thrd_sleep(&wrong, NULL) < 0);
}

static void first(void) { note("o"); }

static int call_it(void* text) {
  call_once(&g_once, first);
  tss_set(g_key, text);
  return tss_get(g_key) == text ? 0 : 1;
}

static void once_and_keys(void) {
  tss_create(&g_key, note);
  thrd_t one, two;
  thrd_create(&one, call_it, "1");
  thrd_create(&two, call_it, "2");
  thrd_join(one, NULL);
  thrd_join(two, NULL);
  tss_delete(g_key);
  printf("%s\n", g_log);
}

static void* sleeps(void* unused) {
  pthread_cleanup_push(note, "1");
  pthread_cleanup_push(note, "2");
  pthread_cleanup_push(note, "3");
  pthread_cleanup_pop(1);
  sleep(1);
  pthread_cleanup_pop(0);
  pthread_cleanup_pop(0);
  return unused;
}

static void finish(pthread_t thread) {
  void* result = NULL;
  pthread_join(thread, &result);
  printf("%s %s\n", g_log, result == PTHREAD_CANCELED ? "cancelled" : "ended");
}

static void cleanup(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, sleeps, NULL);
  pthread_cancel(thread);
  finish(thread);
}

static void* exits_within(void* unused) {
  pthread_cleanup_push(note, "h");
  pthread_exit(unused);
  pthread_cleanup_pop(0);
  return unused;
}

static void cleanup_at_exit(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, exits_within, NULL);
  finish(thread);
}

static pthread_mutex_t g_held = PTHREAD_MUTEX_INITIALIZER;

static void* locks(void* unused) {
  pthread_setcanceltype(PTHREAD_CANCEL_ASYNCHRONOUS, NULL);
  pthread_cleanup_push(note, "h");
  pthread_mutex_lock(&g_held); /* not a cancellation point */
  pthread_cleanup_pop(0);
  return unused;
}

static void cancel_at_once(void) {
  pthread_t thread;
  pthread_mutex_lock(&g_held);
  pthread_create(&thread, NULL, locks, NULL);
  pthread_cancel(thread);
  finish(thread);
}

static const struct {
  const char* name;
  void (*run)(void);
} k_scenarios[] = {
    {"threads", threads},
    {"exits", exits},
    {"condition", condition},
    {"results", results},
    {"cleanup", cleanup},
    {"once_and_keys", once_and_keys},
    {"cleanup_at_exit", cleanup_at_exit},
    {"cancel_at_once", cancel_at_once},
};

int main(int count, char** arguments) {
  for (unsigned i = 0; i < sizeof k_scenarios / sizeof *k_scenarios; ++i) {
    if (count < 2 || strcmp(arguments[1], k_scenarios[i].name) != 0) continue;
    k_scenarios[i].run();
    return 0;
  }
  return 99;
}
