#include "tests/model/emit_cpp.h"

#include <algorithm>
#include <sstream>

namespace reex::model {
namespace {

constexpr std::string_view k_prologue = R"(// Generated from tests/model.
#include <semaphore.h>
#include <time.h>

#include <atomic>
#include <cassert>
#include <chrono>
#include <condition_variable>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <mutex>
#include <shared_mutex>
#include <stdexcept>
#include <string>
#include <thread>

using std::chrono::milliseconds;

static timespec realtime_after(int ms) {
  timespec deadline;
  clock_gettime(CLOCK_REALTIME, &deadline);
  deadline.tv_nsec += ms * 1000000L;
  deadline.tv_sec += deadline.tv_nsec / 1000000000L;
  deadline.tv_nsec %= 1000000000L;
  return deadline;
}

static bool wait_for(std::condition_variable& condition, std::mutex& mutex, int ms) {
  std::unique_lock<std::mutex> lock(mutex, std::adopt_lock);
  const bool in_time = condition.wait_for(lock, milliseconds(ms)) == std::cv_status::no_timeout;
  lock.release();
  return in_time;
}

static void wait(std::condition_variable& condition, std::mutex& mutex) {
  std::unique_lock<std::mutex> lock(mutex, std::adopt_lock);
  condition.wait(lock);
  lock.release();
}

static bool wait_for(sem_t& semaphore, int ms) {
  const timespec deadline = realtime_after(ms);
  return sem_timedwait(&semaphore, &deadline) == 0;
}

template <class Atomic>
static bool swap(Atomic& object, int expected, int desired) {
  return object.compare_exchange_strong(expected, desired);
}
)";

constexpr std::string_view k_environment = R"(
class InEnvironment {
public:
  explicit InEnvironment(const char* name) : m_name(name) {}
  int load() const { return std::atoi(std::getenv(m_name)); }
  void store(int value) { setenv(m_name, std::to_string(value).c_str(), 1); }

private:
  const char* m_name;
};
)";

bool uses_only_loads_and_stores(const std::vector<Op>& body, int atomic) {
  return std::none_of(body.begin(), body.end(), [&](const Op& op) {
    return (op.code == OpCode::add || op.code == OpCode::xchg || op.code == OpCode::cas) &&
           op.args[0] == atomic;
  });
}

struct Variable {
  std::string_view header; // of the folder of the models; "": none
  std::string_view type;
};

Variable variable_of(Storage storage) {
  switch (storage) {
  case Storage::plain_code:
    return {"unseen.h", "reex::model::Unseen"};
  case Storage::assembly:
    return {"assembled.h", "stored::Assembled"};
  case Storage::exempted:
    return {"exempted.h", "stored::Exempted"};
  default:
    return {"", "std::atomic<int>"};
  }
}

class Emitter {
public:
  explicit Emitter(Storage storage) : m_storage(storage) {}

  std::string emit(const std::vector<NamedProgram>& programs) {
    m_out << k_prologue;
    if (m_storage == Storage::environment) m_out << k_environment;
    if (const std::string_view header = variable_of(m_storage).header; !header.empty())
      m_out << "#include \"tests/model/" << header << "\"\n";
    for (const NamedProgram& entry : programs) emit_program(entry);
    m_out << "\nint main(int argc, char** argv) {\n  if (argc != 2) return 2;\n";
    for (const NamedProgram& entry : programs)
      m_out << "  if (std::strcmp(argv[1], \"" << entry.name << "\") == 0) return program_" << entry.name
            << "::start();\n";
    m_out << "  return 2;\n}\n";
    return m_out.str();
  }

private:
  // Objects are made with new and never destroyed, because detached threads may outlive main.
  void emit_program(const NamedProgram& entry) {
    const Program& program = entry.program;
    m_program = &program;
    m_out << "\nnamespace program_" << entry.name << " {\n";
    const auto atomics = program.atomics.size();
    for (std::size_t i = 0; i < atomics; ++i)
      if (is_in_environment(i))
        m_out << "static InEnvironment x" << i << "(\"x" << i << "\");\n";
      else
        m_out << "static " << variable_of(m_storage).type << " x" << i << "{" << program.atomics[i] << "};\n";
    for (std::size_t i = 0; i < program.plains.size(); ++i)
      m_out << "static int p" << i << " = " << program.plains[i] << ";\n";
    for (std::size_t i = 0; i < program.mutexes.size(); ++i) {
      constexpr std::array<const char*, 3> types{"std::mutex", "std::recursive_mutex", "std::timed_mutex"};
      object(types[static_cast<std::size_t>(program.mutexes[i])], 'm', i);
    }
    for (int i = 0; i < program.conditions; ++i)
      object("std::condition_variable", 'c', static_cast<std::size_t>(i));
    for (int i = 0; i < program.rwlocks; ++i)
      object("std::shared_timed_mutex", 'w', static_cast<std::size_t>(i));
    for (std::size_t i = 0; i < program.semaphores.size(); ++i) m_out << "static sem_t s" << i << ";\n";
    m_out << "static std::thread* threads = new std::thread[" << program.threads.size() << "];\n"
          << "static int values[" << program.threads.size() << "][" << k_registers << "];\n\n";
    for (std::size_t i = 1; i < program.threads.size(); ++i) m_out << "static void thread_" << i << "();\n";
    for (std::size_t i = 0; i < program.destructors.size(); ++i) emit_destructor(i);
    for (std::size_t i = program.threads.size(); i-- > 1;) {
      m_out << "static void thread_" << i << "() {\n  [[maybe_unused]] int* const r = values[" << i << "];\n";
      emit_body(program.threads[i], static_cast<int>(i));
      m_out << "}\n\n";
    }
    m_out << "static int start() {\n  [[maybe_unused]] int* const r = values[0];\n";
    for (std::size_t i = 0; i < atomics; ++i)
      if (is_in_environment(i)) m_out << "  x" << i << ".store(" << program.atomics[i] << ");\n";
    for (std::size_t i = 0; i < program.semaphores.size(); ++i)
      m_out << "  sem_init(&s" << i << ", 0, " << program.semaphores[i] << ");\n";
    emit_body(program.threads[0], 0);
    m_out << "  return 0;\n}\n}\n";
  }

  bool is_in_environment(std::size_t atomic) const {
    return m_storage == Storage::environment && can_be_in_environment(*m_program, static_cast<int>(atomic));
  }

  void object(const std::string& type, char letter, std::size_t i) {
    m_out << "static auto& " << letter << i << " = *new " << type << ";\n";
  }

  void emit_destructor(std::size_t number) {
    m_out << "struct Local" << number << " {\n  int* r = nullptr;\n  ~Local" << number
          << "() {\n    if (r == nullptr) return;\n";
    emit_body(m_program->destructors[number], -1);
    m_out << "  }\n};\nstatic void touch" << number << "(int* r) {\n  thread_local Local" << number
          << " local;\n  local.r = r;\n}\n\n";
  }

  void emit_body(const std::vector<Op>& body, int thread) {
    int depth = 1;
    for (const Op& op : body) {
      if (op.code == OpCode::end) --depth;
      m_out << std::string(static_cast<std::size_t>(2 * depth), ' ') << statement(op, thread) << '\n';
      if (op.code == OpCode::loop || op.code == OpCode::if_ || op.code == OpCode::while_) ++depth;
    }
  }

  static std::string number(const Op& op, std::size_t i) { return std::to_string(op.args[i]); }
  static std::string value(const Op& op, std::size_t i) {
    return op.in_register[i] ? "r[" + number(op, i) + "]" : number(op, i);
  }
  static std::string assign(const Op& op, std::size_t i, const std::string& expression) {
    return "r[" + number(op, i) + "] = " + expression + ";";
  }
  static std::string condition(const Op& op) {
    return "(" + value(op, 0) + " " + std::string(comparison_name(op.args[1])) + " " + value(op, 2) + ") {";
  }

  std::string report() const {
    std::string format;
    std::string arguments;
    for (std::size_t thread = 0; thread < m_program->threads.size(); ++thread) {
      if (m_program->is_detached(static_cast<int>(thread))) continue;
      for (int i = 0; i < k_registers; ++i) {
        format += "%d,";
        arguments += ", values[" + std::to_string(thread) + "][" + std::to_string(i) + "]";
      }
      format += " ";
    }
    format += "|";
    for (std::size_t i = 0; i < m_program->plains.size(); ++i) {
      format += "%d,";
      arguments += ", p" + std::to_string(i);
    }
    return "std::printf(\"" + format + "\\n\"" + arguments + ");";
  }

  std::string statement(const Op& op, int thread) const {
    const std::string n = number(op, 0);
    const std::string in_ms = "(milliseconds(" + number(op, 1) + "))";
    switch (op.code) {
    case OpCode::create:
      return "threads[" + n + "] = std::thread(thread_" + n + ");";
    case OpCode::join:
      return "threads[" + n + "].join();";
    case OpCode::detach:
      return "threads[" + n + "].detach();";
    case OpCode::set:
      return assign(op, 0, value(op, 1));
    case OpCode::increase:
      return "r[" + n + "] += " + value(op, 1) + ";";
    case OpCode::read:
      return assign(op, 1, "p" + n);
    case OpCode::write:
      return "p" + n + " = " + value(op, 1) + ";";
    case OpCode::loop: {
      const std::string counter = "i" + number(op, 1);
      return "for (int " + counter + " = 0; " + counter + " < " + n + "; ++" + counter + ") {";
    }
    case OpCode::if_:
      return "if " + condition(op);
    case OpCode::while_:
      return "while " + condition(op);
    case OpCode::end:
      return "}";
    case OpCode::tls:
      return "touch" + n + "(r);";
    case OpCode::return_:
      return thread == 0 ? "return " + value(op, 0) + ";" : "return;";
    case OpCode::exit:
      return "std::exit(" + value(op, 0) + ");";
    case OpCode::lock:
      return "m" + n + ".lock();";
    case OpCode::unlock:
      return "m" + n + ".unlock();";
    case OpCode::trylock:
      return assign(op, 1, "m" + n + ".try_lock()");
    case OpCode::lockfor:
      return assign(op, 2, "m" + n + ".try_lock_for" + in_ms);
    case OpCode::wait:
      return "wait(c" + n + ", m" + number(op, 1) + ");";
    case OpCode::waitfor:
      return assign(op, 3, "wait_for(c" + n + ", m" + number(op, 1) + ", " + number(op, 2) + ")");
    case OpCode::signal:
      return "c" + n + ".notify_one();";
    case OpCode::broadcast:
      return "c" + n + ".notify_all();";
    case OpCode::semwait:
      return "sem_wait(&s" + n + ");";
    case OpCode::sempost:
      return "sem_post(&s" + n + ");";
    case OpCode::semtry:
      return assign(op, 1, "sem_trywait(&s" + n + ") == 0");
    case OpCode::semwaitfor:
      return assign(op, 2, "wait_for(s" + n + ", " + number(op, 1) + ")");
    case OpCode::rdlock:
      return "w" + n + ".lock_shared();";
    case OpCode::wrlock:
      return "w" + n + ".lock();";
    case OpCode::rdunlock:
      return "w" + n + ".unlock_shared();";
    case OpCode::wrunlock:
      return "w" + n + ".unlock();";
    case OpCode::tryrd:
      return assign(op, 1, "w" + n + ".try_lock_shared()");
    case OpCode::trywr:
      return assign(op, 1, "w" + n + ".try_lock()");
    case OpCode::rdlockfor:
      return assign(op, 2, "w" + n + ".try_lock_shared_for" + in_ms);
    case OpCode::wrlockfor:
      return assign(op, 2, "w" + n + ".try_lock_for" + in_ms);
    case OpCode::load:
      return assign(op, 1, "x" + n + ".load()");
    case OpCode::store:
      return "x" + n + ".store(" + value(op, 1) + ");";
    case OpCode::add:
      return assign(op, 2, "x" + n + ".fetch_add(" + value(op, 1) + ")");
    case OpCode::xchg:
      return assign(op, 2, "x" + n + ".exchange(" + value(op, 1) + ")");
    case OpCode::cas:
      return assign(op, 3, "swap(x" + n + ", " + value(op, 1) + ", " + value(op, 2) + ")");
    case OpCode::yield:
      return "std::this_thread::yield();";
    case OpCode::sleep:
      return "std::this_thread::sleep_for(milliseconds(" + n + "));";
    case OpCode::print:
      return "std::printf(\"" + escape_literal(op.text) + "\");";
    case OpCode::printr:
      return "std::printf(\"%d;\", " + value(op, 0) + ");";
    case OpCode::report:
      return report();
    case OpCode::event:
      return "REEX_EVENT(e" + n + ");";
    case OpCode::abort:
      return "std::abort();";
    case OpCode::assertion:
      return "assert(!\"the program's assertion\");";
    case OpCode::throw_:
      return "throw std::runtime_error(\"the program's exception\");";
    }
    return "";
  }

  static std::string escape_literal(const std::string& text) {
    std::string result;
    for (const char c : text) {
      if (c == '\n') {
        result += "\\n";
      } else if (c == '%') {
        result += "%%";
      } else {
        if (c == '"' || c == '\\') result += '\\';
        result += c;
      }
    }
    return result;
  }

  std::ostringstream m_out;
  Storage m_storage;
  const Program* m_program = nullptr;
};

} // namespace

bool can_be_in_environment(const Program& program, int atomic) {
  const auto fits = [&](const std::vector<Op>& body) { return uses_only_loads_and_stores(body, atomic); };
  return std::all_of(program.threads.begin(), program.threads.end(), fits) &&
         std::all_of(program.destructors.begin(), program.destructors.end(), fits);
}

std::string emit_cpp(const std::vector<NamedProgram>& programs, Storage storage) {
  return Emitter(storage).emit(programs);
}

} // namespace reex::model
