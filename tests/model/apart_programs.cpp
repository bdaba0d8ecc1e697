#include "tests/model/draw.h"
#include "tests/model/generator.h"
#include "tests/model/model.h"

namespace reex::model {
namespace {

constexpr std::size_t k_most_states = 20000;

// Threads in groups. Each group has an atomic, a mutex with the variable that it guards, and a semaphore.
class Apart {
public:
  explicit Apart(std::uint64_t seed) : m_random(seed) {}

  Program build() {
    m_groups = m_random.between(2, 3);
    for (int i = 0; i < m_groups; ++i) {
      m_program.atomics.push_back(0);
      m_program.plains.push_back(0);
      m_program.mutexes.push_back(MutexKind::plain);
      m_program.semaphores.push_back(m_random.below(2));
    }
    const int children = m_random.between(m_groups, 4);
    const bool nested = m_random.chance(15);
    m_program.threads.resize(static_cast<std::size_t>(children) + 1);
    m_body = &m_program.threads[0];
    if (m_random.chance(30)) emit(make(OpCode::store, {m_random.below(m_groups), 3}));
    for (int thread = 1; thread <= children - (nested ? 1 : 0); ++thread) {
      emit(make(OpCode::create, {thread}));
      if (m_random.chance(10)) use(m_random.below(m_groups));
    }
    for (int thread = 1; thread <= children - (nested ? 1 : 0); ++thread) {
      emit(make(OpCode::join, {thread}));
      if (m_random.chance(30)) use(m_random.below(m_groups));
    }
    emit(make(OpCode::report));
    for (int thread = 1; thread <= children; ++thread) {
      m_body = &m_program.threads[static_cast<std::size_t>(thread)];
      const bool parent = nested && thread == 1;
      if (parent) emit(make(OpCode::create, {children}));
      for (int i = m_random.between(1, 3); i > 0; --i) use((thread - 1) % m_groups);
      if (m_random.chance(15)) meet((thread - 1) % m_groups);
      if (m_random.chance(8)) print();
      if (m_random.chance(8)) fail();
      if (parent) emit(make(OpCode::join, {children}));
    }
    for (auto& body : m_program.threads) resolve_jumps(body);
    return std::move(m_program);
  }

private:
  void emit(const Op& op) { m_body->push_back(op); }

  void print() {
    Op op = make(OpCode::print);
    op.text = std::string(1, static_cast<char>('a' + m_letters++ % 26));
    emit(op);
  }

  void use(int group) {
    const int target = m_random.below(k_registers);
    switch (m_random.below(6)) {
    case 0:
      emit(make(OpCode::load, {group, target}));
      break;
    case 1:
      emit(make(OpCode::store, {group, m_random.between(1, 4)}));
      break;
    case 2:
      emit(make(OpCode::add, {group, 1, target}));
      break;
    case 3:
      emit(make(OpCode::lock, {group}));
      emit(make(OpCode::read, {group, target}));
      emit(make(OpCode::write, {group, m_random.between(1, 4)}));
      emit(make(OpCode::unlock, {group}));
      break;
    case 4:
      emit(make(OpCode::semtry, {group, target}));
      break;
    default:
      emit(make(OpCode::sempost, {group}));
    }
  }

  // Uses another group's objects, and only if the own group's atomic has some value: most executions do not
  // show it.
  void meet(int group) {
    const int target = m_random.below(k_registers);
    emit(make(OpCode::load, {group, target}));
    emit(make(OpCode::if_, {target, 0, m_random.between(0, 3)}, {true}));
    use((group + 1) % m_groups);
    emit(make(OpCode::end));
  }

  void fail() {
    const int target = m_random.below(k_registers);
    emit(make(OpCode::if_, {target, 0, m_random.between(1, 3)}, {true}));
    emit(make(OpCode::abort));
    emit(make(OpCode::end));
  }

  Random m_random;
  Program m_program;
  std::vector<Op>* m_body = nullptr;
  int m_groups = 0;
  int m_letters = 0;
};

} // namespace

Program generate_apart(std::uint64_t seed) {
  Random random(seed);
  for (;;) {
    Program program = Apart(random.next()).build();
    try {
      Reading abort_point; // an outcome that depends on this reading would prove nothing
      abort_point.abort_is_a_point = true;
      const Outcomes outcomes = explore(program, {}, k_most_states);
      if (outcomes.size() > 1 && outcomes == explore(program, abort_point, k_most_states)) return program;
    } catch (const TooLarge&) {
    }
  }
}

} // namespace reex::model
