// Runs a program with signals (handlers.h).
#include <atomic>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include <pthread.h>
#include <sched.h>

#include "tests/model/handlers.h"

namespace {

using namespace reex::model;

constexpr int k_numbers[k_signals] = {SIGUSR1, SIGUSR2};
constexpr int k_most = 3;

HandlerProgram g_program;
std::atomic<int> g_atomic[k_most];
volatile int g_plain[k_most];
pthread_t g_thread[k_most];
char g_text[k_most][1 + k_signals][16];

void change_mask(int how, int signal) {
  sigset_t set;
  sigemptyset(&set);
  sigaddset(&set, k_numbers[signal]);
  pthread_sigmask(how, &set, nullptr);
}

void execute(const HandlerProgram::Op& op, char* text) {
  const bool is_atomic = g_program.kinds[static_cast<std::size_t>(op.first)] == 'a';
  switch (op.code) {
  case 'r':
    text[std::strlen(text)] =
        static_cast<char>('0' + (is_atomic ? g_atomic[op.first].load() : g_plain[op.first]));
    break;
  case 'w':
    if (is_atomic)
      g_atomic[op.first] = op.second;
    else
      g_plain[op.first] = op.second;
    break;
  case 'a':
    if (is_atomic)
      ++g_atomic[op.first];
    else
      g_plain[op.first] = g_plain[op.first] + 1;
    break;
  case 's':
    pthread_kill(g_thread[op.first], k_numbers[op.second]);
    break;
  case 'b':
  case 'u':
    change_mask(op.code == 'b' ? SIG_BLOCK : SIG_UNBLOCK, op.second);
    break;
  case 'y':
    sched_yield();
    break;
  default:
    std::abort();
  }
}

// By what does not change while handlers run.
int this_thread() {
  int i = 0;
  while (pthread_equal(g_thread[i], pthread_self()) == 0) ++i;
  return i;
}

void handle(int number) {
  const int signal = number == k_numbers[0] ? 0 : 1;
  char* const text = g_text[this_thread()][1 + signal];
  for (const HandlerProgram::Op& op : g_program.handlers[static_cast<std::size_t>(signal)]) execute(op, text);
}

void* work(void* argument) {
  const auto thread = static_cast<std::size_t>(reinterpret_cast<std::intptr_t>(argument));
  for (const HandlerProgram::Op& op : g_program.threads[thread]) execute(op, g_text[thread][0]);
  return nullptr;
}

} // namespace

int main(int count, char** arguments) {
  if (count != 2) return 2;
  g_program = parse_handlers(arguments[1]);
  const int threads = static_cast<int>(g_program.threads.size());
  g_thread[0] = pthread_self();
  for (const int number : k_numbers) {
    struct sigaction action {};
    action.sa_handler = handle;
    sigaction(number, &action, nullptr);
  }
  for (int i = 1; i < threads; ++i)
    pthread_create(&g_thread[i], nullptr, work, reinterpret_cast<void*>(static_cast<std::intptr_t>(i)));
  work(nullptr);
  for (int i = threads - 1; i > 0; --i) pthread_join(g_thread[i], nullptr);
  sched_yield(); // a signal that is on its way comes here
  for (std::size_t i = 0; i < g_program.kinds.size(); ++i)
    std::printf("%d", g_program.kinds[i] == 'a' ? g_atomic[i].load() : g_plain[i]);
  for (int i = 0; i < threads; ++i)
    for (const char* text : g_text[i]) std::printf(" %s", text);
  std::printf("\n");
}
