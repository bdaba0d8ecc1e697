// Cancellation: where a thread ends, and what runs then.
#include <atomic>
#include <cerrno>
#include <condition_variable>
#include <mutex>
#include <stdexcept>
#include <string>
#include <thread>

#include <fcntl.h>
#include <pthread.h>
#include <semaphore.h>
#include <unistd.h>

#include "scenario.h"

namespace {

std::string g_log; // one thread at a time writes it
pthread_mutex_t g_mutex = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t g_changed = PTHREAD_COND_INITIALIZER;
pthread_cond_t g_asleep = PTHREAD_COND_INITIALIZER;
sem_t g_semaphore;
bool g_ready = false;

void print_log() { std::printf("%s\n", g_log.c_str()); }
void note(void* text) { g_log += static_cast<const char*>(text); }
void* text(const char* of) { return const_cast<char*>(of); }

struct Guard {
  ~Guard() { g_log += 'd'; }
};

pthread_t start(void* (*function)(void*), void* argument = nullptr) {
  pthread_t thread;
  pthread_create(&thread, nullptr, function, argument);
  return thread;
}

void finish(pthread_t thread) {
  void* result = nullptr;
  pthread_join(thread, &result);
  g_log += result == PTHREAD_CANCELED ? " cancelled" : " ended";
  print_log();
}

void cancel_and_finish(pthread_t thread) {
  pthread_cancel(thread);
  finish(thread);
}

void in_condition() {
  const pthread_t thread = start([](void*) -> void* {
    const Guard guard;
    pthread_mutex_lock(&g_mutex);
    pthread_cleanup_push(
        [](void*) {
          g_log += pthread_mutex_trylock(&g_mutex) == EBUSY ? "held " : "open ";
          pthread_mutex_unlock(&g_mutex);
        },
        nullptr);
    while (!g_ready) pthread_cond_wait(&g_changed, &g_mutex);
    pthread_cleanup_pop(1);
    return nullptr;
  });
  cancel_and_finish(thread);
  g_log = pthread_mutex_trylock(&g_mutex) == 0 ? "free" : "lost";
  print_log();
}

// A notification that has woken the cancelled thread is not lost: one of the two waiters continues.
void keeps_the_notification() {
  static int waiting = 0;
  static int passed = 0;
  const auto wait = [](void*) -> void* {
    pthread_mutex_lock(&g_mutex);
    if (++waiting == 2) pthread_cond_signal(&g_asleep);
    pthread_cleanup_push([](void*) { pthread_mutex_unlock(&g_mutex); }, nullptr);
    pthread_cond_wait(&g_changed, &g_mutex);
    pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, nullptr);
    ++passed;
    pthread_cleanup_pop(1);
    return nullptr;
  };
  const pthread_t one = start(wait);
  const pthread_t two = start(wait);
  pthread_mutex_lock(&g_mutex);
  while (waiting < 2) pthread_cond_wait(&g_asleep, &g_mutex);
  pthread_mutex_unlock(&g_mutex);
  pthread_cond_signal(&g_changed);
  pthread_cancel(one);
  pthread_join(one, nullptr);
  pthread_cond_signal(&g_changed);
  pthread_join(two, nullptr);
  std::printf("%d\n", passed);
}

void in_semaphore() {
  sem_init(&g_semaphore, 0, 0);
  cancel_and_finish(start([](void*) -> void* {
    const Guard guard;
    sem_wait(&g_semaphore);
    return nullptr;
  }));
}

// A text of three bytes fits into the buffer of 128 bytes 42 times. Then libc writes.
void in_a_full_buffer() {
  static char buffer[128];
  static int printed = 0;
  std::FILE* const file = fdopen(open("/dev/null", O_WRONLY), "w");
  std::setvbuf(file, buffer, _IOFBF, sizeof buffer);
  pthread_mutex_lock(&g_mutex);
  const pthread_t thread = start(
      [](void* to) -> void* {
        pthread_mutex_lock(&g_mutex); // no cancellation point
        pthread_mutex_unlock(&g_mutex);
        for (; printed < 60; ++printed) std::fprintf(static_cast<std::FILE*>(to), "%s", "foo");
        return nullptr;
      },
      file);
  pthread_cancel(thread);
  pthread_mutex_unlock(&g_mutex);
  void* result = nullptr;
  pthread_join(thread, &result);
  std::printf("%d %s\n", printed, result == PTHREAD_CANCELED ? "cancelled" : "ended");
}

void in_join() {
  static const pthread_t sleeper = start([](void*) -> void* {
    sem_wait(&g_semaphore);
    return nullptr;
  });
  cancel_and_finish(start([](void*) -> void* {
    const Guard guard;
    pthread_join(sleeper, nullptr);
    return nullptr;
  }));
  sem_post(&g_semaphore);
  pthread_join(sleeper, nullptr);
}

// The joined thread has ended, and is what the cancellation has waited for.
void in_join_that_ends() {
  static pthread_t joiner, joined, canceller;
  static char joins[] = "0";
  const pthread_t started = start([](void*) -> void* {
    joiner = pthread_self();
    joined = start([](void*) -> void* {
      sem_post(&g_semaphore);
      return nullptr;
    });
    canceller = start([](void*) -> void* {
      sem_wait(&g_semaphore);
      pthread_cancel(joiner);
      return nullptr;
    });
    for (const pthread_t each : {joined, canceller}) {
      pthread_join(each, nullptr);
      ++joins[0];
    }
    return nullptr;
  });
  pthread_join(started, nullptr);
  std::printf("%s\n", joins);
}

void in_sleep() {
  cancel_and_finish(start([](void*) -> void* {
    const Guard guard;
    sleep(3600);
    return nullptr;
  }));
}

// The thread runs to pthread_testcancel and ends there.
void at_a_test() {
  cancel_and_finish(start([](void*) -> void* {
    for (;;) pthread_testcancel();
  }));
}

// With the asynchronous type from time to time: a loop that does nothing else must not run for ever.
void at_a_change_of_type() {
  cancel_and_finish(start([](void*) -> void* {
    const Guard guard;
    for (;;) {
      pthread_setcanceltype(PTHREAD_CANCEL_ASYNCHRONOUS, nullptr);
      pthread_setcanceltype(PTHREAD_CANCEL_DEFERRED, nullptr);
    }
  }));
}

void before_or_after() {
  cancel_and_finish(start([](void*) -> void* {
    pthread_testcancel();
    g_log += "on";
    return nullptr;
  }));
}

void disabled() {
  cancel_and_finish(start([](void*) -> void* {
    int before = -1;
    pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &before);
    g_log += before == PTHREAD_CANCEL_ENABLE ? 'e' : '?';
    usleep(10);
    pthread_testcancel();
    pthread_setcancelstate(PTHREAD_CANCEL_ENABLE, &before);
    g_log += before == PTHREAD_CANCEL_DISABLE ? 'd' : '?';
    return nullptr;
  }));
}

void handlers_in_order() {
  cancel_and_finish(start([](void*) -> void* {
    pthread_cleanup_push(note, text("1"));
    const Guard guard;
    pthread_cleanup_push(note, text("2"));
    pthread_cleanup_push(note, text("3"));
    pthread_cleanup_pop(0);
    sleep(1);
    pthread_cleanup_pop(0);
    pthread_cleanup_pop(0);
    return nullptr;
  }));
}

// A thread that is already ending is not cancelled again, and its handlers may wait.
void handler_waits() {
  cancel_and_finish(start([](void*) -> void* {
    pthread_cleanup_push(
        [](void*) {
          usleep(10);
          pthread_testcancel();
          g_log += "slept";
        },
        nullptr);
    pthread_exit(nullptr);
    pthread_cleanup_pop(0);
  }));
}

void itself() {
  finish(start([](void*) -> void* {
    pthread_cancel(pthread_self());
    g_log += "on";
    pthread_testcancel();
    return nullptr;
  }));
}

void caught() {
  cancel_and_finish(start([](void*) -> void* {
    try {
      sleep(1);
    } catch (...) {
      g_log += "caught";
      throw;
    }
    return nullptr;
  }));
}

void swallowed() {
  const pthread_t thread = start([](void*) -> void* {
    try {
      sleep(1);
    } catch (...) {
    }
    return nullptr;
  });
  cancel_and_finish(thread);
}

void ended_thread() {
  const pthread_t thread = start([](void*) -> void* { return nullptr; });
  sched_yield();
  std::printf("%d\n", pthread_cancel(thread));
  pthread_join(thread, nullptr);
}

constexpr Scenario k_scenarios[] = {
    {"in_condition", in_condition},
    {"keeps_the_notification", keeps_the_notification},
    {"in_semaphore", in_semaphore},
    {"in_a_full_buffer", in_a_full_buffer},
    {"in_join", in_join},
    {"in_join_that_ends", in_join_that_ends},
    {"in_sleep", in_sleep},
    {"at_a_test", at_a_test},
    {"at_a_change_of_type", at_a_change_of_type},
    {"before_or_after", before_or_after},
    {"disabled", disabled},
    {"handlers_in_order", handlers_in_order},
    {"handler_waits", handler_waits},
    {"itself", itself},
    {"caught", caught},
    {"swallowed", swallowed},
    {"ended_thread", ended_thread},
};

} // namespace

int main(int count, char** arguments) { return run_scenario(k_scenarios, count, arguments); }
