#include "tests/model/generator.h"

#include <algorithm>

#include "tests/model/draw.h"
#include "tests/model/model.h"

namespace reex::model {
namespace {

// The main subject of a program. Each theme draws its operations from its own segments and the common ones.
enum class Theme { atomics, locks, conditions, semaphores, rwlocks, times, mixed };
constexpr std::uint64_t k_themes = 7; // the seeds use them in turn

class Builder {
public:
  Builder(std::uint64_t seed, Theme theme, int budget) : m_random(seed), m_budget(budget), m_theme(theme) {}

  Program build() {
    declare();
    const int children = m_random.between(2, 3);
    m_program.threads.resize(static_cast<std::size_t>(children) + 1);
    const bool nested = children == 3 ? m_random.chance(30) : m_random.chance(15);
    const int of_main = nested ? children - 1 : children;
    const int detached = m_random.chance(15) ? m_random.between(1, of_main) : 0;
    for (int thread = 1; thread <= children; ++thread) fill(thread, nested && thread == 1 ? children : 0);
    fill_main(of_main, detached);
    if (m_destructor_used) fill_destructor();
    for (auto& body : m_program.threads) resolve_jumps(body);
    for (auto& body : m_program.destructors) resolve_jumps(body);
    return std::move(m_program);
  }

private:
  void declare() {
    for (int i = m_random.chance(70) ? 1 : 2; i > 0; --i) m_program.atomics.push_back(m_random.below(2));
    for (int i = 2; i > 0; --i) m_program.plains.push_back(0);
    for (int i = 0; i < 2; ++i)
      m_program.mutexes.push_back(m_random.chance(15) ? MutexKind::recursive : MutexKind::plain);
    m_program.mutexes[0] = MutexKind::plain; // waits of conditions use this one
    m_program.mutexes.push_back(MutexKind::timed);
    m_program.conditions = m_random.chance(75) ? 1 : 2;
    m_program.semaphores = {m_random.below(2), m_random.below(3)};
    m_program.rwlocks = 1;
  }

  std::vector<Op>& body() { return *m_body; }
  void emit(const Op& op) { body().push_back(op); }
  void end() { emit(make(OpCode::end)); }

  int any_register() { return m_random.below(k_registers); }
  int atomic() { return m_random.below(static_cast<int>(m_program.atomics.size())); }
  int condition() { return m_random.below(m_program.conditions); }
  int mutex() { // the first mutex is the most likely one, so that threads meet there
    return m_random.chance(50) ? 0 : m_random.below(static_cast<int>(m_program.mutexes.size()));
  }

  // Distinct powers of two: different sets of them have different sums, so no two deadlines are equal.
  int milliseconds() { return 1 << (m_deadlines++ % 10); }

  void fill(int thread, int child) {
    m_body = &m_program.threads[static_cast<std::size_t>(thread)];
    const int create_at = child == 0 ? -1 : m_random.below(2);
    const int segments = m_random.between(1, 3);
    for (int i = 0; i < segments || i <= create_at; ++i) {
      if (i == create_at) emit(make(OpCode::create, {child}));
      segment();
    }
    if (child != 0) emit(make(OpCode::join, {child}));
  }

  void fill_main(int children, int detached) {
    m_body = &m_program.threads[0];
    for (int thread = 1; thread <= children; ++thread) {
      emit(make(OpCode::create, {thread}));
      if (thread == detached) emit(make(OpCode::detach, {thread}));
      if (thread < children && m_random.chance(20)) simple();
    }
    if (m_random.chance(35)) segment();
    std::vector<int> order;
    for (int thread = 1; thread <= children; ++thread)
      if (thread != detached) order.push_back(thread);
    if (order.size() > 1 && m_random.chance(30)) std::swap(order.front(), order.back());
    for (const int thread : order) emit(make(OpCode::join, {thread}));
    if (detached != 0) {
      emit(make(OpCode::load, {0, 0}));
      emit(make(OpCode::printr, {0}, {true}));
    } else {
      for (int i = 0; i < static_cast<int>(m_program.atomics.size()); ++i) emit(make(OpCode::load, {i, i}));
      if (m_random.chance(10)) {
        emit(make(OpCode::return_, {0}, {true}));
      } else {
        emit(make(OpCode::report));
      }
    }
  }

  void fill_destructor() {
    m_program.destructors.resize(1);
    m_body = &m_program.destructors[0];
    if (m_random.chance(50)) emit(make(OpCode::add, {atomic(), 10, 3}));
    Op print = make(OpCode::print);
    print.text = "~";
    emit(print);
  }

  void segment() {
    if (m_budget <= 0) {
      simple();
      return;
    }
    if (m_random.chance(10)) {
      failure();
      return;
    }
    Theme theme = m_theme;
    if (theme == Theme::mixed || m_random.chance(20))
      theme = static_cast<Theme>(m_random.below(static_cast<int>(k_themes) - 1));
    switch (theme) {
    case Theme::atomics:
      atomics();
      break;
    case Theme::locks:
      locks();
      break;
    case Theme::conditions:
      conditions();
      break;
    case Theme::semaphores:
      semaphores();
      break;
    case Theme::rwlocks:
      rwlocks();
      break;
    default:
      times();
    }
  }

  // One visible operation that cannot block.
  void simple() {
    --m_budget;
    switch (m_random.below(9)) {
    case 0:
      emit(make(OpCode::store, {atomic(), m_random.between(1, 3)}));
      break;
    case 1:
      emit(make(OpCode::add, {atomic(), 1, any_register()}));
      break;
    case 2:
      emit(make(OpCode::xchg, {atomic(), m_random.below(4), any_register()}));
      break;
    case 3:
      emit(make(OpCode::cas, {atomic(), m_random.below(2), m_random.between(1, 3), any_register()}));
      break;
    case 4:
      emit(make(OpCode::yield));
      break;
    case 5:
      print();
      break;
    case 6:
      if (m_body != &m_program.threads[0]) {
        m_destructor_used = true;
        emit(make(OpCode::tls, {0}));
      }
      [[fallthrough]];
    default:
      emit(make(OpCode::load, {atomic(), any_register()}));
    }
  }

  void print() {
    if (m_random.chance(40)) {
      emit(make(OpCode::printr, {any_register()}, {true}));
      return;
    }
    Op op = make(OpCode::print);
    op.text = std::string(1, static_cast<char>('a' + m_letters++ % 26));
    emit(op);
  }

  void atomics() {
    const int object = atomic();
    const int target = m_random.below(k_registers - 1);
    switch (m_random.below(5)) {
    case 0: // an increment that can be lost
      emit(make(OpCode::load, {object, target}));
      emit(make(OpCode::increase, {target, 1}));
      emit(make(OpCode::store, {object, target}, {false, true}));
      m_budget -= 2;
      break;
    case 1: // a = x.load(); b = x.load();
      emit(make(OpCode::load, {object, target}));
      emit(make(OpCode::load, {object, target + 1}));
      m_budget -= 2;
      break;
    case 2: { // a counted loop of loads
      const int rounds = m_random.between(2, 5);
      emit(make(OpCode::loop, {rounds}));
      emit(make(OpCode::load, {object, target}));
      end();
      m_budget -= rounds;
      break;
    }
    case 3: // a bounded compare-and-swap loop
      emit(make(OpCode::set, {target, 0}));
      emit(make(OpCode::loop, {2}));
      emit(make(OpCode::if_, {target, 0, 0}, {true}));
      emit(make(OpCode::cas, {object, m_random.below(2), m_random.between(1, 2), target}));
      end();
      end();
      m_budget -= 2;
      break;
    default:
      simple();
      simple();
    }
  }

  int mutex_besides(int held) {
    int mutex = m_random.below(static_cast<int>(m_program.mutexes.size()));
    if (mutex == held && m_program.mutexes[static_cast<std::size_t>(mutex)] != MutexKind::recursive)
      mutex = (mutex + 1) % static_cast<int>(m_program.mutexes.size());
    return mutex;
  }

  // What a thread does while it holds a mutex. Mutexes 0 and 1 guard one plain variable each.
  void guarded(int mutex) {
    if (mutex < 2 && m_random.chance(60)) {
      const int target = any_register();
      emit(make(OpCode::read, {mutex, target}));
      emit(make(OpCode::increase, {target, 1}));
      emit(make(OpCode::write, {mutex, target}, {false, true}));
    } else if (m_random.chance(60)) {
      simple();
    }
  }

  void locks() {
    const int mutex = this->mutex();
    const int target = any_register();
    m_budget -= 2;
    switch (m_random.below(6)) {
    case 0:
    case 1:
      emit(make(OpCode::lock, {mutex}));
      guarded(mutex);
      emit(make(OpCode::unlock, {mutex}));
      break;
    case 2: { // nested, in any order
      const int inner = mutex_besides(mutex);
      emit(make(OpCode::lock, {mutex}));
      emit(make(OpCode::lock, {inner}));
      if (inner != mutex) guarded(inner);
      emit(make(OpCode::unlock, {inner}));
      emit(make(OpCode::unlock, {mutex}));
      m_budget -= 2;
      break;
    }
    case 3: // released in the order of acquisition
      emit(make(OpCode::lock, {0}));
      emit(make(OpCode::lock, {1}));
      emit(make(OpCode::unlock, {0}));
      guarded(1);
      emit(make(OpCode::unlock, {1}));
      m_budget -= 2;
      break;
    case 4:
      emit(make(OpCode::trylock, {mutex, target}));
      if_taken(target, mutex);
      break;
    default:
      emit(make(OpCode::lockfor, {2, milliseconds(), target}));
      if_taken(target, 2);
    }
  }

  // Nothing inside the section may write the register.
  void if_taken(int target, int mutex) {
    emit(make(OpCode::if_, {target, 0, 1}, {true}));
    if (m_random.chance(40)) {
      Op op = make(OpCode::print);
      op.text = std::string(1, static_cast<char>('A' + m_letters++ % 26));
      emit(op);
      --m_budget;
    }
    emit(make(OpCode::unlock, {mutex}));
    end();
  }

  void conditions() {
    const int target = any_register();
    const int variable = condition();
    m_budget -= 3;
    switch (m_random.below(7)) {
    case 0:
    case 1: // waits for the flag, with `while` or, wrongly, with `if`
      emit(make(OpCode::lock, {0}));
      emit(make(OpCode::read, {0, target}));
      emit(make(m_random.chance(60) ? OpCode::while_ : OpCode::if_, {target, 0, 0}, {true}));
      emit(make(OpCode::wait, {variable, 0}));
      emit(make(OpCode::read, {0, target}));
      end();
      if (m_random.chance(40)) emit(make(OpCode::write, {0, 0}));
      emit(make(OpCode::unlock, {0}));
      break;
    case 2: // a wait without a condition
      emit(make(OpCode::lock, {0}));
      emit(make(OpCode::wait, {variable, 0}));
      if (m_random.chance(50)) print();
      emit(make(OpCode::unlock, {0}));
      break;
    case 3: // a timed wait
      emit(make(OpCode::lock, {0}));
      emit(make(OpCode::waitfor, {variable, 0, milliseconds(), target}));
      emit(make(OpCode::unlock, {0}));
      break;
    case 4: // notifies inside the locked section
      emit(make(OpCode::lock, {0}));
      emit(make(OpCode::write, {0, 1}));
      emit(make(m_random.chance(65) ? OpCode::signal : OpCode::broadcast, {variable}));
      emit(make(OpCode::unlock, {0}));
      break;
    default: // notifies outside of it, sometimes without setting the flag
      if (m_random.chance(70)) {
        emit(make(OpCode::lock, {0}));
        emit(make(OpCode::write, {0, 1}));
        emit(make(OpCode::unlock, {0}));
      }
      emit(make(m_random.chance(65) ? OpCode::signal : OpCode::broadcast, {variable}));
    }
  }

  void semaphores() {
    const int semaphore = m_random.below(2);
    const int target = any_register();
    m_budget -= 2;
    switch (m_random.below(6)) {
    case 0:
      emit(make(OpCode::semtry, {semaphore, target}));
      break;
    case 1:
      emit(make(OpCode::semwaitfor, {semaphore, milliseconds(), target}));
      break;
    case 2:
      emit(make(OpCode::semwait, {semaphore}));
      simple();
      emit(make(OpCode::sempost, {semaphore}));
      break;
    case 3:
      emit(make(OpCode::semwait, {semaphore}));
      break;
    default:
      simple();
      emit(make(OpCode::sempost, {semaphore}));
    }
  }

  void rwlocks() {
    const int target = m_random.below(k_registers - 1);
    m_budget -= 2;
    switch (m_random.below(6)) {
    case 0:
    case 1:
      emit(make(OpCode::rdlock, {0}));
      simple();
      emit(make(OpCode::rdunlock, {0}));
      break;
    case 2:
    case 3:
      emit(make(OpCode::wrlock, {0}));
      simple();
      emit(make(OpCode::wrunlock, {0}));
      break;
    case 4:
      taken_rwlock(OpCode::tryrd, OpCode::trywr, {0, target}, target);
      break;
    default:
      taken_rwlock(OpCode::rdlockfor, OpCode::wrlockfor, {0, milliseconds(), target}, target);
    }
  }

  void taken_rwlock(OpCode to_read, OpCode to_write, std::array<int, 4> args, int target) {
    const bool writes = m_random.chance(50);
    emit(make(writes ? to_write : to_read, args));
    emit(make(OpCode::if_, {target, 0, 1}, {true}));
    emit(make(OpCode::load, {atomic(), target + 1}));
    emit(make(writes ? OpCode::wrunlock : OpCode::rdunlock, {0}));
    end();
  }

  void times() {
    switch (m_random.below(4)) {
    case 0:
      emit(make(OpCode::sleep, {milliseconds()}));
      simple();
      break;
    case 1: { // sleeps while it holds the lock
      emit(make(OpCode::lock, {2}));
      emit(make(OpCode::sleep, {milliseconds()}));
      emit(make(OpCode::unlock, {2}));
      m_budget -= 2;
      break;
    }
    case 2:
      locks();
      break;
    default:
      conditions();
    }
  }

  void failure() {
    const int target = any_register();
    emit(make(OpCode::load, {atomic(), target}));
    emit(make(OpCode::if_, {target, m_random.chance(50) ? 0 : 3, m_random.between(1, 2)}, {true}));
    switch (m_random.below(4)) {
    case 0:
      emit(make(OpCode::abort));
      break;
    case 1:
      emit(make(OpCode::assertion));
      break;
    case 2:
      emit(make(OpCode::throw_));
      break;
    default:
      // std::exit would run the destructors of the thread's thread_local objects, so it is not combined with
      // them.
      emit(make(m_destructor_used ? OpCode::assertion : OpCode::exit, {m_random.below(3)}));
    }
    end();
  }

  Random m_random;
  int m_budget; // roughly the number of visible operations that may still be added
  Theme m_theme;
  Program m_program;
  std::vector<Op>* m_body = nullptr;
  int m_letters = 0;
  int m_deadlines = 0;
  bool m_destructor_used = false;
};

// The minimum that a program must have. It is drawn for each seed, because most random programs have the same
// outcome under all schedules and would find little.
struct Interest {
  std::size_t outcomes;
  unsigned preemptions; // of the outcome that needs the most
  bool failure;         // there must be an outcome that is a failure
};

Interest draw_interest(Random& random) {
  if (random.chance(10)) return {1, 0, false};
  return {static_cast<std::size_t>(random.between(2, 8)), static_cast<unsigned>(random.below(4)),
          random.chance(35)};
}

bool is_interesting(const Outcomes& outcomes, const Interest& interest) {
  const auto some = [&](const auto& condition) {
    return std::any_of(outcomes.begin(), outcomes.end(), condition);
  };
  return outcomes.size() >= interest.outcomes &&
         some([&](const auto& entry) { return entry.second >= interest.preemptions; }) &&
         (!interest.failure || some([](const auto& entry) { return !entry.first.failure.empty(); }));
}

bool fits(const Program& program, const GeneratorLimits& limits, const Interest& interest) {
  try {
    std::uint64_t schedules = 0;
    for (const std::uint64_t count : count_schedules(program, {}, 60'000)) {
      schedules += count;
      if (schedules > limits.max_schedules || count > limits.max_schedules) return false;
    }
    if (schedules < limits.min_schedules) return false;
    const Outcomes outcomes = explore(program);
    if (!is_interesting(outcomes, interest)) return false;
    if (!limits.only_unambiguous) return true;
    Reading abort_point;
    abort_point.abort_is_a_point = true;
    Reading one_deadline;
    one_deadline.wake_one_of_a_deadline = true;
    return outcomes == explore(program, abort_point) && outcomes == explore(program, one_deadline);
  } catch (const TooLarge&) {
    return false;
  }
}

} // namespace

Program generate(std::uint64_t seed, const GeneratorLimits& limits) {
  constexpr int k_largest_budget = 14;
  constexpr int k_smallest_budget = 4;
  constexpr int k_patience = 100; // after this many attempts, the generator asks for less
  Random random(seed);
  Interest interest = draw_interest(random);
  for (int attempt = 1;; ++attempt) {
    const int budget = random.between(k_smallest_budget, k_largest_budget);
    Program program = Builder(random.next(), static_cast<Theme>(seed % k_themes), budget).build();
    if (fits(program, limits, interest)) return program;
    if (attempt % k_patience != 0) continue;
    interest.outcomes = std::max<std::size_t>(1, interest.outcomes / 2);
    interest.preemptions /= 2;
  }
}

Program generate_waits(std::uint64_t seed) {
  constexpr std::uint64_t k_stride = 1'000'003;
  const auto waits = [](const Op& op) { return op.code == OpCode::wait || op.code == OpCode::waitfor; };
  for (;; seed += k_stride) {
    Program program = generate(seed, {.max_schedules = 2'000});
    for (const auto& body : program.threads)
      if (std::any_of(body.begin(), body.end(), waits)) return program;
  }
}

} // namespace reex::model
