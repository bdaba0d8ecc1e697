#include "tests/model/draw.h"
#include "tests/model/generator.h"
#include "tests/model/model.h"

namespace reex::model {
namespace {

constexpr std::size_t k_most_states = 1500;

class Spins {
public:
  explicit Spins(std::uint64_t seed) : m_random(seed) {}

  Program build() {
    m_program.atomics = {0, 0};
    m_program.plains = {0, 0};
    m_program.mutexes = {MutexKind::plain, MutexKind::plain};
    m_program.semaphores = {0};
    const int children = m_random.chance(75) ? 2 : 3;
    m_program.threads.resize(static_cast<std::size_t>(children) + 1);
    for (int thread = 1; thread <= children; ++thread) {
      m_body = &m_program.threads[static_cast<std::size_t>(thread)];
      for (int i = children == 2 ? 2 : 1; i > 0; --i) segment();
      if (m_random.chance(40)) print();
    }
    m_body = &m_program.threads[0];
    for (int thread = 1; thread <= children; ++thread) emit(make(OpCode::create, {thread}));
    tell();
    for (int thread = 1; thread <= children; ++thread) emit(make(OpCode::join, {thread}));
    emit(make(OpCode::report));
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

  // `turn` is made until the register has not this value any more.
  template <typename Turn>
  void repeat(int target, int comparison, int value, const Turn& turn) {
    const bool yields = m_random.chance(50);
    turn();
    emit(make(OpCode::while_, {target, comparison, value}, {true}));
    if (yields) emit(make(OpCode::yield));
    turn();
    emit(make(OpCode::end));
  }

  void segment() {
    if (m_random.chance(55))
      wait();
    else
      tell();
  }

  void wait() {
    const int object = m_random.below(2);
    const int target = m_random.below(k_registers);
    switch (m_random.below(6)) {
    case 0: { // for a value, or for any other value
      const int comparison = m_random.below(2);
      repeat(target, comparison, comparison, [&] { emit(make(OpCode::load, {object, target})); });
      break;
    }
    case 1:
    case 2:
      repeat(target, 0, 0, [&] {
        emit(make(OpCode::lock, {object}));
        emit(make(OpCode::read, {object, target}));
        emit(make(OpCode::unlock, {object}));
      });
      break;
    case 3:
      repeat(target, 0, 0, [&] { emit(make(OpCode::trylock, {object, target})); });
      emit(make(OpCode::read, {object, target}));
      emit(make(OpCode::unlock, {object}));
      break;
    case 4: // a lock that is made of an exchange
      repeat(target, 1, 0, [&] { emit(make(OpCode::xchg, {object, 1, target})); });
      emit(make(OpCode::store, {object, 0}));
      break;
    default:
      repeat(target, 0, 0, [&] { emit(make(OpCode::semtry, {0, target})); });
    }
  }

  // What others wait for, and what sees others wait.
  void tell() {
    const int object = m_random.below(2);
    const int target = m_random.below(k_registers);
    switch (m_random.below(6)) {
    case 0:
      emit(make(OpCode::store, {object, m_random.between(1, 2)}));
      break;
    case 1:
    case 2:
      emit(make(OpCode::lock, {object}));
      emit(make(OpCode::write, {object, 1}));
      emit(make(OpCode::unlock, {object}));
      break;
    case 3:
      emit(make(OpCode::sempost, {0}));
      break;
    case 4: // fails while another thread looks
      emit(make(OpCode::trylock, {object, target}));
      emit(make(OpCode::if_, {target, 0, 1}, {true}));
      emit(make(OpCode::write, {object, 1}));
      emit(make(OpCode::unlock, {object}));
      emit(make(OpCode::end));
      break;
    default:
      emit(make(OpCode::add, {object, 1, target}));
    }
  }

  Random m_random;
  Program m_program;
  std::vector<Op>* m_body = nullptr;
  int m_letters = 0;
};

} // namespace

Program generate_spins(std::uint64_t seed) {
  Random random(seed);
  for (int patience = 300;; --patience) {
    Program program = Spins(random.next()).build();
    try {
      const Outcomes outcomes = explore(program, {}, k_most_states);
      const bool only_stuck = outcomes.size() == 1 && outcomes.contains(k_livelock);
      if (patience <= 0 || (outcomes.size() > 1 && !only_stuck)) return program;
    } catch (const TooLarge&) {
    }
  }
}

} // namespace reex::model
