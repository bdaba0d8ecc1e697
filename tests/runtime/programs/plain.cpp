// Compiled without instrumentation: reex sees only calls of the libraries.
#include <string>

#include <pthread.h>
#include <semaphore.h>

#include "scenario.h"

namespace {

std::string g_log;
pthread_mutex_t g_mutex = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t g_changed = PTHREAD_COND_INITIALIZER;
bool g_ready = false;

template <class First, class Second>
void both(First first, Second second) {
  pthread_t one;
  pthread_t two;
  pthread_create(&one, nullptr, first, nullptr);
  pthread_create(&two, nullptr, second, nullptr);
  pthread_join(one, nullptr);
  pthread_join(two, nullptr);
}

void note(char id) {
  pthread_mutex_lock(&g_mutex);
  g_log += id;
  pthread_mutex_unlock(&g_mutex);
}

void in_turn() {
  both([](void*) -> void* { return note('1'), nullptr; }, [](void*) -> void* { return note('2'), nullptr; });
  std::printf("%s\n", g_log.c_str());
}

void condition() {
  both(
      [](void*) -> void* {
        pthread_mutex_lock(&g_mutex);
        if (!g_ready) pthread_cond_wait(&g_changed, &g_mutex);
        pthread_mutex_unlock(&g_mutex);
        return nullptr;
      },
      [](void*) -> void* {
        pthread_cond_signal(&g_changed);
        pthread_mutex_lock(&g_mutex);
        g_ready = true;
        pthread_mutex_unlock(&g_mutex);
        return nullptr;
      });
  std::printf("passed\n");
}

volatile bool g_never = false;

// No call and no hook, so the runtime sees nothing.
void busy() {
  both(
      [](void*) -> void* {
        while (!g_never) {
        }
        return nullptr;
      },
      [](void*) -> void* { return note('2'), nullptr; });
}

constexpr Scenario k_scenarios[] = {{"in_turn", in_turn}, {"condition", condition}, {"busy", busy}};

} // namespace

int main(int count, char** arguments) { return run_scenario(k_scenarios, count, arguments); }
