// A library without hooks, with atomics of its own, for met_races.cpp.
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdlib.h>

#define EXPORT __attribute__((visibility("default")))

typedef void Callback(void *);

struct Box {
  atomic_int owners;
  atomic_int is_full;
  void *data;
  Callback *drop; // may be null
};

EXPORT struct Box *box_make(void *data, Callback *drop) {
  struct Box *box = calloc(1, sizeof *box);
  if (box == NULL) abort();
  box->owners = 1;
  box->data = data;
  box->drop = drop;
  return box;
}

EXPORT void box_share(struct Box *box) { atomic_fetch_add(&box->owners, 1); }

EXPORT void box_drop(struct Box *box) {
  if (atomic_fetch_sub(&box->owners, 1) != 1) return;
  if (box->drop != NULL) box->drop(box->data);
  free(box);
}

EXPORT void box_fill(struct Box *box, Callback *fill) {
  fill(box->data);
  atomic_store(&box->is_full, 1);
}

EXPORT void box_await(struct Box *box) {
  while (!atomic_load(&box->is_full)) sched_yield();
}

struct Job {
  Callback *run;
  void *data;
  atomic_int *is_done;
};

static void *run(void *of) {
  struct Job *job = of;
  job->run(job->data);
  atomic_store(job->is_done, 1);
  return NULL;
}

EXPORT void box_start(struct Job *job) {
  pthread_t thread;
  if (pthread_create(&thread, NULL, run, job) != 0) abort();
  pthread_detach(thread);
}
