// The time stamp counter and the accounts of used time beside the virtual clocks.
#include <atomic>
#include <cassert>
#include <chrono>
#include <csetjmp>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <mutex>
#include <thread>

#include <sched.h>
#include <spawn.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/times.h>
#include <sys/wait.h>
#include <unistd.h>
#include <x86intrin.h>

#include "scenario.h"

namespace {

using namespace std::chrono_literals;

std::mutex g_mutex;

long long monotonic() {
  timespec time{};
  clock_gettime(CLOCK_MONOTONIC, &time);
  return time.tv_sec * 1000000000LL + time.tv_nsec;
}

long long cycles() { return static_cast<long long>(__rdtsc()); }

template <class Inside>
void in_two_threads(Inside inside) {
  std::thread other([&] {
    std::lock_guard lock(g_mutex);
    inside();
  });
  {
    std::lock_guard lock(g_mutex);
    inside();
  }
  other.join();
}

// A clock that counts cycles since the last reading of a real clock, as libraries do to save readings.
class Interpolated {
public:
  Interpolated() : m_base(monotonic()), m_cycles(cycles()) {}
  long long now() const { return m_base + (cycles() - m_cycles); }

private:
  long long m_base;
  long long m_cycles;
};

void interpolates() {
  in_two_threads([] {
    const Interpolated clock;
    for (int i = 0; i < 3; ++i) {
      const long long before = clock.now();
      std::this_thread::sleep_for(1s);
      const long long after = clock.now();
      assert(after - before >= 1000000000LL && after - before < 1100000000LL);
      const long long off = monotonic() - after;
      assert(off >= 0 && off < 100000000LL);
    }
  });
}

void never_goes_back() {
  in_two_threads([] {
    long long last = 0;
    for (int i = 0; i < 50; ++i) {
      unsigned processor = 1;
      const long long now = static_cast<long long>(i % 2 == 0 ? __rdtsc() : __rdtscp(&processor));
      assert(now >= last && (i % 2 == 0 || static_cast<int>(processor) == sched_getcpu()));
      last = now;
    }
    std::printf("%lld\n", last);
  });
}

sigjmp_buf g_back;
int g_faults = 0;

void on_fault(int) {
  ++g_faults;
  static volatile long long s_seen = cycles(); // the handler may read the counter too
  siglongjmp(g_back, s_seen != 0);
}

void has_a_handler_for_faults() {
  in_two_threads([] {
    std::signal(SIGSEGV, on_fault);
    const int before = g_faults;
    assert(cycles() > 0 && g_faults == before);
    if (sigsetjmp(g_back, 1) == 0) *static_cast<volatile int*>(nullptr) = 1;
    assert(g_faults == before + 1 && cycles() > 0);
  });
}

void faults() {
  in_two_threads([] {
    if (cycles() > 0) *static_cast<volatile int*>(nullptr) = 1;
  });
}

bool ended_well(int status) { return WIFEXITED(status) && WEXITSTATUS(status) == 0; }

int end_of(pid_t child) {
  int status = -1;
  return waitpid(child, &status, 0) == child ? status : -1;
}

template <class Make>
int end_of_child(Make make) {
  const pid_t child = make();
  if (child == 0) {
    const long long first = cycles();
    _exit(cycles() > first ? 0 : 1);
  }
  return end_of(child);
}

// Programs that a process executes read the counter when they are loaded.
void makes_processes() {
  std::thread([] {
    char program[] = "/bin/true";
    char* arguments[] = {program, nullptr};
    char* environment[] = {nullptr};
    pid_t child = 0;
    assert(posix_spawn(&child, program, nullptr, nullptr, arguments, environment) == 0 &&
           ended_well(end_of(child)));
    assert(posix_spawnp(&child, "true", nullptr, nullptr, arguments, environment) == 0 &&
           ended_well(end_of(child)));
    assert(ended_well(std::system("true")));
    char text[8] = "";
    FILE* const from = popen("echo here", "r");
    assert(from != nullptr && std::fgets(text, sizeof text, from) != nullptr &&
           std::strcmp(text, "here\n") == 0 && ended_well(pclose(from)));
    assert(ended_well(end_of_child([] { return fork(); })));
    assert(ended_well(end_of_child([] { return static_cast<pid_t>(syscall(SYS_fork)); })));
    child = fork();
    if (child == 0) execv(program, arguments);
    assert(ended_well(end_of(child)));
    const long long first = cycles();
    std::this_thread::sleep_for(1s);
    assert(cycles() - first >= 1000000000LL && cycles() - first < 1100000000LL);
  }).join();
}

void used_time() {
  in_two_threads([] {
    tms first{};
    tms last{};
    rusage used[2] = {};
    const clock_t clocks = std::clock();
    const clock_t ticks = times(&first);
    getrusage(RUSAGE_SELF, &used[0]);
    std::this_thread::sleep_for(1s);
    const clock_t more = times(&last) - ticks;
    assert(more >= 100 && more < 110 && last.tms_utime - first.tms_utime < 10);
    getrusage(RUSAGE_SELF, &used[1]);
    assert(used[1].ru_utime.tv_sec == used[0].ru_utime.tv_sec && used[1].ru_stime.tv_sec == 0);
    assert(std::clock() - clocks < CLOCKS_PER_SEC / 10);
    std::printf("%ld %ld.%06ld\n", static_cast<long>(last.tms_utime), used[1].ru_utime.tv_sec,
                used[1].ru_utime.tv_usec);
  });
}

// How many cycles pass in each nanosecond, as programs measure it: by a loop that reads both clocks.
double measured_rate() {
  const long long begin = monotonic();
  const long long begin_cycles = cycles();
  long long passed = 0;
  long long passed_cycles = 0;
  do {
    passed = monotonic() - begin;
    passed_cycles = cycles() - begin_cycles;
  } while (passed < 10000000);
  return static_cast<double>(passed_cycles) / static_cast<double>(passed);
}

void calibrates() {
  in_two_threads([] {
    const long long begin = monotonic();
    const long long begin_cycles = cycles();
    std::this_thread::sleep_for(1s);
    const auto passed_cycles = static_cast<double>(cycles() - begin_cycles);
    const double rate = passed_cycles / static_cast<double>(monotonic() - begin);
    for (int i = 0; i < 3; ++i) assert(std::abs(measured_rate() / rate - 1) < 0.01);
  });
}

volatile long long g_sum = 0;

void work() {
  for (int i = 0; i < 3000; ++i) g_sum = g_sum + i;
}

// Main has measured time before it works and joins, or only the thread has.
void joins(bool main_measures) {
  if (main_measures) monotonic();
  std::atomic<int> one{0};
  std::atomic<int> two{0};
  std::thread other([&] {
    monotonic();
    one = 1;
  });
  two = 1;
  work();
  other.join();
  std::printf("%lld\n", monotonic());
}

const Scenario k_scenarios[] = {
    {"measures_and_joins", [] { joins(true); }},
    {"joins_who_measures", [] { joins(false); }},
    {"calibrates", calibrates},
    {"interpolates", interpolates},
    {"never_goes_back", never_goes_back},
    {"has_a_handler_for_faults", has_a_handler_for_faults},
    {"faults", faults},
    {"makes_processes", makes_processes},
    {"used_time", used_time},
};

} // namespace

int main(int count, char** arguments) { return run_scenario(k_scenarios, count, arguments); }
