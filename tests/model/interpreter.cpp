// Runs a program (program.h) with real threads and locks: model_interpreter FILE. It reads and makes
// everything before the first thread. Afterwards, the only synchronization, atomics and stream calls are
// those of the program. Nothing is destroyed at exit. The state of a thread is on its stack and in memory
// that only this thread uses.
#include "tests/model/program.h"

#include <semaphore.h>
#include <time.h>

#include <atomic>
#include <cassert>
#include <chrono>
#include <condition_variable>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <mutex>
#include <shared_mutex>
#include <sstream>
#include <stdexcept>
#include <string>
#include <thread>

#include <reex/imunit.h>

namespace reex::model {
namespace {

constexpr std::size_t k_objects = 16;
constexpr std::size_t k_events = 16;

struct AnyMutex {
  std::mutex plain;
  std::recursive_mutex recursive;
  std::timed_mutex timed;
};

struct World {
  Program program;
  std::array<std::atomic<int>, k_objects> atomics;
  std::array<int, k_objects> plains{};
  std::array<AnyMutex, k_objects> mutexes;
  std::array<std::condition_variable, k_objects> conditions;
  std::array<sem_t, k_objects> semaphores;
  std::array<std::shared_timed_mutex, k_objects> rwlocks;
  std::array<std::thread, k_objects> threads;
  std::array<std::array<int, k_registers>, k_objects> registers{};
  std::array<bool, k_objects> reported{};
  std::array<std::string, k_events> events; // their names
};

World* g_world; // never destroyed, because detached threads may outlive main

void run(int thread, const std::vector<Op>& body);

// A thread_local object whose destructor runs a body of the program.
struct Local {
  int thread = -1;
  int destructor = -1;
  constexpr Local() = default;
  ~Local() {
    if (thread >= 0) run(thread, g_world->program.destructors[static_cast<std::size_t>(destructor)]);
  }
};

template <int Number>
void touch(int thread) {
  thread_local Local local;
  local.thread = thread;
  local.destructor = Number;
}

void touch(int destructor, int thread) {
  switch (destructor) {
  case 0:
    touch<0>(thread);
    break;
  case 1:
    touch<1>(thread);
    break;
  default:
    touch<2>(thread);
  }
}

timespec realtime_after(int milliseconds) {
  timespec deadline;
  clock_gettime(CLOCK_REALTIME, &deadline);
  deadline.tv_nsec += milliseconds * 1'000'000L;
  deadline.tv_sec += deadline.tv_nsec / 1'000'000'000L;
  deadline.tv_nsec %= 1'000'000'000L;
  return deadline;
}

std::string report_line() {
  std::string line;
  for (std::size_t thread = 0; thread < g_world->program.threads.size(); ++thread) {
    if (!g_world->reported[thread]) continue;
    for (const int value : g_world->registers[thread]) line += std::to_string(value) + ",";
    line += " ";
  }
  line += "|";
  for (std::size_t i = 0; i < g_world->program.plains.size(); ++i)
    line += std::to_string(g_world->plains[i]) + ",";
  return line + "\n";
}

int g_status = 0; // main's exit status; only main writes it

// A thread's registers are on its stack while it runs, so that a turn of a loop writes nothing else.
class Registers {
public:
  explicit Registers(int thread)
      : m_home(g_world->registers[static_cast<std::size_t>(thread)]), m_values(m_home) {}
  ~Registers() { publish(); }
  Registers(const Registers&) = delete;
  Registers& operator=(const Registers&) = delete;

  int& operator[](std::size_t i) { return m_values[i]; }
  void publish() { m_home = m_values; }

private:
  std::array<int, k_registers>& m_home;
  std::array<int, k_registers> m_values;
};

void run(int thread, const std::vector<Op>& body) {
  World& world = *g_world;
  int counters[k_loop_depth] = {};
  Registers registers(thread);
  const auto value = [&](const Op& op, std::size_t i) {
    return op.in_register[i] ? registers[static_cast<std::size_t>(op.args[i])] : op.args[i];
  };
  const auto result = [&](const Op& op, std::size_t i) -> int& {
    return registers[static_cast<std::size_t>(op.args[i])];
  };
  const int length = static_cast<int>(body.size());
  for (int pc = 0; pc < length; ++pc) {
    const Op& op = body[static_cast<std::size_t>(pc)];
    const auto object = static_cast<std::size_t>(op.args[0]);
    const auto milliseconds = std::chrono::milliseconds(op.args[1]);
    AnyMutex& mutex = world.mutexes[object % k_objects];
    switch (op.code) {
    case OpCode::create:
      world.threads[object] = std::thread(
          [child = op.args[0]] { run(child, g_world->program.threads[static_cast<std::size_t>(child)]); });
      break;
    case OpCode::join:
      world.threads[object].join();
      break;
    case OpCode::detach:
      world.threads[object].detach();
      break;
    case OpCode::set:
      registers[object] = value(op, 1);
      break;
    case OpCode::increase:
      registers[object] += value(op, 1);
      break;
    case OpCode::read:
      result(op, 1) = world.plains[object];
      break;
    case OpCode::write:
      world.plains[object] = value(op, 1);
      break;
    case OpCode::loop:
      counters[op.args[1]] = op.args[0];
      if (op.args[0] <= 0) pc = op.jump - 1;
      break;
    case OpCode::if_:
    case OpCode::while_:
      if (!compare(value(op, 0), op.args[1], value(op, 2))) pc = op.jump - 1;
      break;
    case OpCode::end: {
      const Op& opening = body[static_cast<std::size_t>(op.jump)];
      if (opening.code == OpCode::while_) {
        pc = op.jump - 1;
      } else if (opening.code == OpCode::loop && --counters[opening.args[1]] > 0) {
        pc = op.jump;
      }
      break;
    }
    case OpCode::tls:
      touch(op.args[0], thread);
      break;
    case OpCode::return_:
      if (thread == 0) g_status = value(op, 0);
      return;
    case OpCode::exit:
      std::exit(value(op, 0));
    case OpCode::lock:
      switch (world.program.mutexes[object]) {
      case MutexKind::plain:
        mutex.plain.lock();
        break;
      case MutexKind::recursive:
        mutex.recursive.lock();
        break;
      case MutexKind::timed:
        mutex.timed.lock();
        break;
      }
      break;
    case OpCode::unlock:
      switch (world.program.mutexes[object]) {
      case MutexKind::plain:
        mutex.plain.unlock();
        break;
      case MutexKind::recursive:
        mutex.recursive.unlock();
        break;
      case MutexKind::timed:
        mutex.timed.unlock();
        break;
      }
      break;
    case OpCode::trylock:
      switch (world.program.mutexes[object]) {
      case MutexKind::plain:
        result(op, 1) = mutex.plain.try_lock();
        break;
      case MutexKind::recursive:
        result(op, 1) = mutex.recursive.try_lock();
        break;
      case MutexKind::timed:
        result(op, 1) = mutex.timed.try_lock();
        break;
      }
      break;
    case OpCode::lockfor:
      result(op, 2) = mutex.timed.try_lock_for(milliseconds);
      break;
    case OpCode::wait: {
      std::unique_lock lock(world.mutexes[static_cast<std::size_t>(op.args[1])].plain, std::adopt_lock);
      world.conditions[object].wait(lock);
      lock.release();
      break;
    }
    case OpCode::waitfor: {
      std::unique_lock lock(world.mutexes[static_cast<std::size_t>(op.args[1])].plain, std::adopt_lock);
      const auto status = world.conditions[object].wait_for(lock, std::chrono::milliseconds(op.args[2]));
      result(op, 3) = status == std::cv_status::no_timeout;
      lock.release();
      break;
    }
    case OpCode::signal:
      world.conditions[object].notify_one();
      break;
    case OpCode::broadcast:
      world.conditions[object].notify_all();
      break;
    case OpCode::semwait:
      sem_wait(&world.semaphores[object]);
      break;
    case OpCode::sempost:
      sem_post(&world.semaphores[object]);
      break;
    case OpCode::semtry:
      result(op, 1) = sem_trywait(&world.semaphores[object]) == 0;
      break;
    case OpCode::semwaitfor: {
      const timespec deadline = realtime_after(op.args[1]);
      result(op, 2) = sem_timedwait(&world.semaphores[object], &deadline) == 0;
      break;
    }
    case OpCode::rdlock:
      world.rwlocks[object].lock_shared();
      break;
    case OpCode::wrlock:
      world.rwlocks[object].lock();
      break;
    case OpCode::rdunlock:
      world.rwlocks[object].unlock_shared();
      break;
    case OpCode::wrunlock:
      world.rwlocks[object].unlock();
      break;
    case OpCode::tryrd:
      result(op, 1) = world.rwlocks[object].try_lock_shared();
      break;
    case OpCode::trywr:
      result(op, 1) = world.rwlocks[object].try_lock();
      break;
    case OpCode::rdlockfor:
      result(op, 2) = world.rwlocks[object].try_lock_shared_for(milliseconds);
      break;
    case OpCode::wrlockfor:
      result(op, 2) = world.rwlocks[object].try_lock_for(milliseconds);
      break;
    case OpCode::load:
      result(op, 1) = world.atomics[object].load();
      break;
    case OpCode::store:
      world.atomics[object].store(value(op, 1));
      break;
    case OpCode::add:
      result(op, 2) = world.atomics[object].fetch_add(value(op, 1));
      break;
    case OpCode::xchg:
      result(op, 2) = world.atomics[object].exchange(value(op, 1));
      break;
    case OpCode::cas: {
      int expected = value(op, 1);
      result(op, 3) = world.atomics[object].compare_exchange_strong(expected, value(op, 2));
      break;
    }
    case OpCode::yield:
      std::this_thread::yield();
      break;
    case OpCode::sleep:
      std::this_thread::sleep_for(std::chrono::milliseconds(op.args[0]));
      break;
    case OpCode::print:
      std::fputs(op.text.c_str(), stdout);
      break;
    case OpCode::printr:
      std::printf("%d;", value(op, 0));
      break;
    case OpCode::report:
      registers.publish();
      std::fputs(report_line().c_str(), stdout);
      break;
    case OpCode::event:
      imunit::event(world.events[object].c_str(), __FILE__, __LINE__);
      break;
    case OpCode::abort:
      std::abort();
    case OpCode::assertion:
      assert(!"the program's assertion");
      break;
    case OpCode::throw_:
      throw std::runtime_error("the program's exception");
    }
  }
}

void make_world(Program program) {
  g_world = new World{};
  g_world->program = std::move(program);
  const Program& made = g_world->program;
  for (std::size_t i = 0; i < made.atomics.size(); ++i) g_world->atomics[i].store(made.atomics[i]);
  for (std::size_t i = 0; i < made.plains.size(); ++i) g_world->plains[i] = made.plains[i];
  for (std::size_t i = 0; i < made.semaphores.size(); ++i)
    sem_init(&g_world->semaphores[i], 0, static_cast<unsigned>(made.semaphores[i]));
  for (std::size_t i = 0; i < k_events; ++i) g_world->events[i] = "e" + std::to_string(i);
  for (std::size_t i = 0; i < made.threads.size(); ++i)
    g_world->reported[i] = !made.is_detached(static_cast<int>(i));
}

// The file is closed at the return, so the end of the process has nothing to do with it.
std::string content(const char* path) {
  std::ifstream file(path);
  std::ostringstream text;
  text << file.rdbuf();
  if (!file) throw SyntaxError("it cannot be read");
  return text.str();
}

} // namespace
} // namespace reex::model

int main(int argc, char** argv) {
  using namespace reex::model;
  if (argc != 2) {
    std::fputs("usage: model_interpreter PROGRAM\n", stderr);
    return 2;
  }
  try {
    make_world(parse(content(argv[1])));
  } catch (const SyntaxError& error) {
    std::fprintf(stderr, "%s: %s\n", argv[1], error.what());
    return 2;
  }
  const std::string schedule = schedule_of(g_world->program);
  // To the end of the process: there is no end of a scope, at which threads would have to be joined.
  if (!schedule.empty()) new reex::imunit::Schedule(reex::imunit::Plan(schedule.c_str()).vacuous_ok());
  run(0, g_world->program.threads[0]);
  return g_status;
}
