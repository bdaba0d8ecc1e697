#include "tests/model/machine.h"

#include <algorithm>
#include <stdexcept>

namespace reex::model {
namespace {

bool is_failure(OpCode code) {
  return code == OpCode::abort || code == OpCode::assertion || code == OpCode::throw_;
}

} // namespace

std::string Outcome::status() const {
  return failure.empty() || failure == "exit" ? std::to_string(exit) : failure;
}

Machine::Machine(const Program& program, Reading reading)
    : m_program(&program), m_reading(reading), m_threads(program.threads.size()), m_atomics(program.atomics),
      m_plains(program.plains), m_semaphores(program.semaphores), m_mutexes(program.mutexes.size()),
      m_rwlocks(static_cast<std::size_t>(program.rwlocks)) {
  begin_slice(reading.slice);
  m_threads[0].stand = Stand::ready;
  advance(0);
  settle();
}

const std::vector<Op>& Machine::body(int thread) const {
  const int destructor = m_threads[static_cast<std::size_t>(thread)].body;
  return destructor < 0 ? m_program->threads[static_cast<std::size_t>(thread)]
                        : m_program->destructors[static_cast<std::size_t>(destructor)];
}

const Op& Machine::pending(int thread) const {
  return body(thread)[static_cast<std::size_t>(m_threads[static_cast<std::size_t>(thread)].pc)];
}

int Machine::value(int thread, const Op& op, std::size_t argument) const {
  const int raw = op.args[argument];
  if (!op.in_register[argument]) return raw;
  return m_threads[static_cast<std::size_t>(thread)].registers[static_cast<std::size_t>(raw)];
}

bool Machine::mutex_is_free_for(int mutex, int thread) const {
  const auto index = static_cast<std::size_t>(mutex);
  if (m_mutexes[index].owner < 0) return true;
  return m_program->mutexes[index] == MutexKind::recursive && m_mutexes[index].owner == thread;
}

bool Machine::is_enabled(int thread) const {
  const Thread& self = m_threads[static_cast<std::size_t>(thread)];
  switch (self.stand) {
  case Stand::absent:
  case Stand::waiting:
  case Stand::sleeping:
  case Stand::finished:
    return false;
  case Stand::starting:
  case Stand::awake:
  case Stand::ending:
    return true;
  case Stand::reacquiring:
    return mutex_is_free_for(pending(thread).args[1], thread);
  case Stand::ready:
    break;
  }
  if (self.timed_out) return true;
  const Op& op = pending(thread);
  const auto object = static_cast<std::size_t>(op.args[0]);
  switch (op.code) {
  case OpCode::lock:
  case OpCode::lockfor:
    return mutex_is_free_for(op.args[0], thread);
  case OpCode::semwait:
  case OpCode::semwaitfor:
    return m_semaphores[object] > 0;
  case OpCode::rdlock:
  case OpCode::rdlockfor:
    return m_rwlocks[object].writer < 0;
  case OpCode::wrlock:
  case OpCode::wrlockfor:
    return m_rwlocks[object].writer < 0 && m_rwlocks[object].readers == 0;
  case OpCode::join:
    return m_threads[object].stand == Stand::finished;
  case OpCode::event:
    return may_occur(op.args[0]);
  default:
    return true;
  }
}

bool Machine::is_named(int event) const {
  const auto names = [&](const Atom& atom) { return atom.event == event; };
  for (const Ordering& ordering : m_program->orderings) {
    if (ordering.event == event) return true;
    for (const std::vector<Atom>& all : ordering.alternatives)
      if (std::any_of(all.begin(), all.end(), names)) return true;
  }
  return false;
}

bool Machine::may_occur(int event) const {
  const auto holds = [&](const Atom& atom) {
    const auto found = m_occurred.find(atom.event);
    return found != m_occurred.end() && (!atom.blocks || is_blocked(found->second));
  };
  for (const Ordering& ordering : m_program->orderings) {
    if (ordering.event != event) continue;
    bool some = false;
    for (const std::vector<Atom>& all : ordering.alternatives)
      some = some || std::all_of(all.begin(), all.end(), holds);
    if (!some) return false;
  }
  return true;
}

// It cannot go on, and that is up to somebody else: neither time alone nor the schedule.
bool Machine::is_blocked(int thread) const {
  const Thread& self = m_threads[static_cast<std::size_t>(thread)];
  if (self.stand == Stand::waiting) return true;
  if (self.stand == Stand::ready && pending(thread).code == OpCode::event) return false;
  return (self.stand == Stand::ready || self.stand == Stand::reacquiring) && !is_enabled(thread);
}

// Who must act before the thread can; -1: nobody in particular.
int Machine::holder_of(int thread) const {
  const Thread& self = m_threads[static_cast<std::size_t>(thread)];
  if (self.stand == Stand::finished || self.stand == Stand::absent) return -1;
  const Op& op = pending(thread);
  const auto object = static_cast<std::size_t>(op.args[0]);
  switch (op.code) {
  case OpCode::lock:
  case OpCode::lockfor:
    return m_mutexes[object].owner;
  case OpCode::wait:
  case OpCode::waitfor:
    return m_mutexes[static_cast<std::size_t>(op.args[1])].owner;
  case OpCode::rdlock:
  case OpCode::wrlock:
  case OpCode::rdlockfor:
  case OpCode::wrlockfor:
    return m_rwlocks[object].writer;
  case OpCode::join:
    return op.args[0];
  default:
    return -1;
  }
}

// Nobody can run. Somebody is held at an event, and no others wait for each other in a circle.
bool Machine::is_stuck() const {
  bool held = false;
  for (int first = 0; first < static_cast<int>(m_threads.size()); ++first) {
    const Thread& self = m_threads[static_cast<std::size_t>(first)];
    held = held || (self.stand == Stand::ready && pending(first).code == OpCode::event);
    int next = first;
    for (std::size_t i = 0; i < m_threads.size() && next >= 0; ++i) {
      next = holder_of(next);
      if (next == first) return false;
    }
  }
  return held;
}

bool Machine::obeys_schedule() const {
  return std::all_of(m_program->orderings.begin(), m_program->orderings.end(),
                     [&](const Ordering& ordering) { return m_occurred.contains(ordering.event); });
}

std::vector<int> Machine::enabled() const {
  std::vector<int> result;
  for (int thread = 0; thread < static_cast<int>(m_threads.size()); ++thread)
    if (is_enabled(thread)) result.push_back(thread);
  return result;
}

bool Machine::leaving_is_free(int thread) const {
  if (m_slice_over) return false;
  const Thread& self = m_threads[static_cast<std::size_t>(thread)];
  if (self.stand == Stand::awake) return true;
  if (self.stand != Stand::ready) return false;
  const OpCode code = pending(thread).code;
  return code == OpCode::yield || code == OpCode::sleep;
}

std::vector<int> Machine::waiters(int condition) const {
  std::vector<int> result;
  for (int thread = 0; thread < static_cast<int>(m_threads.size()); ++thread)
    if (m_threads[static_cast<std::size_t>(thread)].stand == Stand::waiting &&
        pending(thread).args[0] == condition)
      result.push_back(thread);
  return result;
}

int Machine::alternatives(int thread) const {
  if (m_threads[static_cast<std::size_t>(thread)].stand != Stand::ready) return 1;
  const Op& op = pending(thread);
  if (op.code != OpCode::signal) return 1;
  return std::max(1, static_cast<int>(waiters(op.args[0]).size()));
}

void Machine::step(int thread, int alternative) {
  Thread& self = m_threads[static_cast<std::size_t>(thread)];
  self.slices = 0;
  self.came = false;
  --m_left;
  ++self.in_lap;
  ++m_in_lap;
  m_slice_over = false;
  bool completed = true;
  switch (self.stand) {
  case Stand::starting:
    self.stand = Stand::ready;
    if (self.pc < static_cast<int>(body(thread).size()) && is_failure(pending(thread).code)) {
      fail(pending(thread).code);
      return;
    }
    completed = false;
    advance(thread);
    break;
  case Stand::awake:
    self.stand = Stand::ready;
    break;
  case Stand::ending:
    end_process(thread);
    return;
  case Stand::reacquiring: {
    const Op& op = pending(thread);
    m_mutexes[static_cast<std::size_t>(op.args[1])] = {thread, 1};
    if (op.code == OpCode::waitfor)
      self.registers[static_cast<std::size_t>(op.args[3])] = self.remaining > 0 ? 1 : 0;
    self.stand = Stand::ready;
    break;
  }
  default:
    completed = execute(thread, pending(thread), alternative);
  }
  if (m_ended) return;
  if (completed) {
    self.remaining = -1;
    self.timed_out = false;
    ++self.pc;
    advance(thread);
  }
  if (!m_ended) settle();
}

// Runs a thread to its next pending operation or its end.
void Machine::advance(int thread) {
  while (!m_ended) {
    Thread& self = m_threads[static_cast<std::size_t>(thread)];
    if (self.pc >= static_cast<int>(body(thread).size())) {
      if (end_of_body(thread)) continue;
      return;
    }
    const Op& op = pending(thread);
    if (!run_invisible(thread, op)) {
      arrive(thread, op);
      return;
    }
  }
}

bool Machine::end_of_body(int thread) {
  Thread& self = m_threads[static_cast<std::size_t>(thread)];
  if (thread == 0) self.leaves_process = true;
  if (!self.touched.empty()) {
    self.body = self.touched.back();
    self.touched.pop_back();
    self.pc = 0;
    return true;
  }
  self.stand = self.leaves_process ? Stand::ending : Stand::finished;
  return false;
}

bool Machine::run_invisible(int thread, const Op& op) {
  Thread& self = m_threads[static_cast<std::size_t>(thread)];
  const auto leave_body = [&] { self.pc = static_cast<int>(body(thread).size()); };
  const auto object = static_cast<std::size_t>(op.args[0]);
  switch (op.code) {
  case OpCode::create:
    ++self.pc;
    start(op.args[0]);
    return true;
  case OpCode::detach:
    ++self.pc;
    return true;
  case OpCode::join:
    if (m_threads[object].stand != Stand::finished) return false;
    ++self.pc;
    return true;
  case OpCode::set:
    self.registers[object] = value(thread, op, 1);
    break;
  case OpCode::increase:
    self.registers[object] += value(thread, op, 1);
    break;
  case OpCode::read:
    self.registers[static_cast<std::size_t>(op.args[1])] = m_plains[object];
    break;
  case OpCode::write:
    m_plains[object] = value(thread, op, 1);
    break;
  case OpCode::loop:
    self.counters[static_cast<std::size_t>(op.args[1])] = op.args[0];
    if (op.args[0] <= 0) {
      self.pc = op.jump;
      return true;
    }
    break;
  case OpCode::if_:
  case OpCode::while_:
    if (!compare(value(thread, op, 0), op.args[1], value(thread, op, 2))) {
      self.pc = op.jump;
      return true;
    }
    break;
  case OpCode::end: {
    const Op& opening = body(thread)[static_cast<std::size_t>(op.jump)];
    if (opening.code == OpCode::while_) {
      self.pc = op.jump;
      return true;
    }
    if (opening.code == OpCode::loop && --self.counters[static_cast<std::size_t>(opening.args[1])] > 0) {
      self.pc = op.jump + 1;
      return true;
    }
    break;
  }
  case OpCode::event: // one that the schedule does not name is nothing
    if (is_named(op.args[0])) return false;
    break;
  case OpCode::tls:
    if (std::find(self.touched.begin(), self.touched.end(), op.args[0]) == self.touched.end())
      self.touched.push_back(op.args[0]);
    break;
  case OpCode::return_:
    if (thread == 0) self.status = value(thread, op, 0);
    leave_body();
    return true;
  case OpCode::exit:
    self.status = value(thread, op, 0);
    self.leaves_process = true;
    leave_body();
    return true;
  case OpCode::abort:
  case OpCode::assertion:
  case OpCode::throw_:
    if (m_reading.abort_is_a_point) return false;
    fail(op.code);
    return true;
  default:
    return false;
  }
  ++self.pc;
  return true;
}

void Machine::start(int thread) {
  Thread& child = m_threads[static_cast<std::size_t>(thread)];
  if (child.stand != Stand::absent) throw std::logic_error("a thread is created twice");
  child.number = ++m_created;
  const auto& operations = m_program->threads[static_cast<std::size_t>(thread)];
  const bool fails_first = !operations.empty() && is_failure(operations[0].code);
  child.stand = m_reading.late_start || fails_first ? Stand::starting : Stand::ready;
  if (child.stand == Stand::ready) advance(thread);
}

void Machine::arrive(int thread, const Op& op) {
  Thread& self = m_threads[static_cast<std::size_t>(thread)];
  if (op.code == OpCode::lockfor || op.code == OpCode::semwaitfor || op.code == OpCode::rdlockfor ||
      op.code == OpCode::wrlockfor)
    self.remaining = op.args[1];
  if (op.code == OpCode::sleep && !m_reading.choice_at_sleeps) {
    self.stand = Stand::sleeping;
    self.remaining = op.args[0];
  }
}

// Executes a visible operation. A timed one is executed when it can complete or when its time has passed.
bool Machine::execute(int thread, const Op& op, int alternative) {
  Thread& self = m_threads[static_cast<std::size_t>(thread)];
  const auto object = static_cast<std::size_t>(op.args[0]);
  const auto assign = [&](std::size_t argument, int result) {
    self.registers[static_cast<std::size_t>(op.args[argument])] = result;
  };
  const auto take_mutex = [&] {
    m_mutexes[object].owner = thread;
    ++m_mutexes[object].depth;
  };
  switch (op.code) {
  case OpCode::lock:
    take_mutex();
    return true;
  case OpCode::unlock:
    if (m_mutexes[object].owner != thread) throw std::logic_error("a mutex is unlocked by a stranger");
    if (--m_mutexes[object].depth == 0) m_mutexes[object].owner = -1;
    return true;
  case OpCode::trylock:
  case OpCode::lockfor: {
    const bool free = mutex_is_free_for(op.args[0], thread) && !self.timed_out;
    if (free) take_mutex();
    assign(op.code == OpCode::trylock ? 1 : 2, free ? 1 : 0);
    return true;
  }
  case OpCode::wait:
  case OpCode::waitfor: {
    Mutex& mutex = m_mutexes[static_cast<std::size_t>(op.args[1])];
    if (mutex.owner != thread || mutex.depth != 1) throw std::logic_error("a wait without its mutex");
    mutex = {};
    self.stand = Stand::waiting;
    self.remaining = op.code == OpCode::waitfor ? op.args[2] : -1;
    return false;
  }
  case OpCode::signal:
    wake(op.args[0], alternative);
    return true;
  case OpCode::broadcast:
    while (!waiters(op.args[0]).empty()) wake(op.args[0], 0);
    return true;
  case OpCode::semwait:
    --m_semaphores[object];
    return true;
  case OpCode::sempost:
    ++m_semaphores[object];
    return true;
  case OpCode::semtry:
  case OpCode::semwaitfor: {
    const bool free = m_semaphores[object] > 0 && !self.timed_out;
    if (free) --m_semaphores[object];
    assign(op.code == OpCode::semtry ? 1 : 2, free ? 1 : 0);
    return true;
  }
  case OpCode::rdlock:
    ++m_rwlocks[object].readers;
    return true;
  case OpCode::wrlock:
    m_rwlocks[object].writer = thread;
    return true;
  case OpCode::rdunlock:
    --m_rwlocks[object].readers;
    return true;
  case OpCode::wrunlock:
    m_rwlocks[object].writer = -1;
    return true;
  case OpCode::tryrd:
  case OpCode::rdlockfor: {
    const bool free = m_rwlocks[object].writer < 0 && !self.timed_out;
    if (free) ++m_rwlocks[object].readers;
    assign(op.code == OpCode::tryrd ? 1 : 2, free ? 1 : 0);
    return true;
  }
  case OpCode::trywr:
  case OpCode::wrlockfor: {
    const bool free = m_rwlocks[object].writer < 0 && m_rwlocks[object].readers == 0 && !self.timed_out;
    if (free) m_rwlocks[object].writer = thread;
    assign(op.code == OpCode::trywr ? 1 : 2, free ? 1 : 0);
    return true;
  }
  case OpCode::load:
    assign(1, m_atomics[object]);
    return true;
  case OpCode::store:
    m_atomics[object] = value(thread, op, 1);
    return true;
  case OpCode::add:
  case OpCode::xchg: {
    const int old = m_atomics[object];
    const int operand = value(thread, op, 1);
    m_atomics[object] = op.code == OpCode::add ? old + operand : operand;
    assign(2, old);
    return true;
  }
  case OpCode::cas: {
    const bool equal = m_atomics[object] == value(thread, op, 1);
    if (equal) m_atomics[object] = value(thread, op, 2);
    assign(3, equal ? 1 : 0);
    return true;
  }
  case OpCode::join:
  case OpCode::yield:
    return true;
  case OpCode::event:
    m_occurred[op.args[0]] = thread;
    return true;
  case OpCode::sleep:
    self.stand = Stand::sleeping;
    self.remaining = op.args[0];
    return false;
  case OpCode::print:
    m_outcome.output += op.text;
    return true;
  case OpCode::printr:
    m_outcome.output += std::to_string(value(thread, op, 0)) + ";";
    return true;
  case OpCode::report:
    print_report();
    return true;
  case OpCode::abort:
  case OpCode::assertion:
  case OpCode::throw_:
    fail(op.code);
    return false;
  default:
    throw std::logic_error("an invisible operation is pending");
  }
}

void Machine::print_report() {
  for (std::size_t thread = 0; thread < m_threads.size(); ++thread) {
    if (m_program->is_detached(static_cast<int>(thread))) continue;
    for (const int value : m_threads[thread].registers) m_outcome.output += std::to_string(value) + ",";
    m_outcome.output += " ";
  }
  m_outcome.output += "|";
  for (const int value : m_plains) m_outcome.output += std::to_string(value) + ",";
  m_outcome.output += "\n";
}

void Machine::wake(int condition, int alternative) {
  const std::vector<int> asleep = waiters(condition);
  if (asleep.empty()) return;
  m_threads[static_cast<std::size_t>(asleep[static_cast<std::size_t>(alternative)])].stand =
      Stand::reacquiring;
}

void Machine::fail(OpCode code) {
  m_ended = true;
  m_outcome.failure = code == OpCode::abort ? "abort" : code == OpCode::assertion ? "assertion" : "exception";
}

void Machine::end_process(int thread) {
  m_ended = true;
  m_outcome.exit = m_threads[static_cast<std::size_t>(thread)].status & 0xff;
  if (m_outcome.exit != 0) m_outcome.failure = "exit";
}

// The threads that wait for time: they sleep, or are in a timed operation that cannot complete yet.
std::vector<int> Machine::sleepers() const {
  std::vector<int> result;
  for (int thread = 0; thread < static_cast<int>(m_threads.size()); ++thread) {
    const Thread& self = m_threads[static_cast<std::size_t>(thread)];
    const bool parked =
        self.stand == Stand::sleeping || self.stand == Stand::waiting || self.stand == Stand::ready;
    if (parked && self.remaining >= 0) result.push_back(thread);
  }
  return result;
}

void Machine::complete_joins() {
  for (int thread = 0; thread < static_cast<int>(m_threads.size()); ++thread) {
    Thread& self = m_threads[static_cast<std::size_t>(thread)];
    if (self.stand != Stand::ready || pending(thread).code != OpCode::join || !is_enabled(thread)) continue;
    ++self.pc;
    advance(thread);
    thread = -1; // its end may complete another thread's join
  }
}

void Machine::begin_slice(int length) { m_slice = m_left = length; }

namespace {

constexpr int k_most_overtaken = 8;
constexpr int k_naps_on_time = 4000;
constexpr int k_naps_until_doubled = 1000;

// Two slices for less than a millisecond, and one more for each digit of the milliseconds.
int slices_for(int milliseconds) {
  int slices = 2;
  for (; milliseconds >= 1; milliseconds /= 10) ++slices;
  return slices;
}

} // namespace

void Machine::begin_lap() {
  m_lapping = true;
  m_in_lap = 0;
  for (Thread& thread : m_threads) thread.in_lap = 0;
}

// Until each thread that can run has had half a slice of operations, or for 4,000 operations of all, or three
// slices for each of them.
bool Machine::end_lap() {
  const std::vector<int> running = enabled();
  const bool begins = !m_lapping;
  const auto had_its_part = [&](int index) {
    return m_threads[static_cast<std::size_t>(index)].in_lap >= m_slice / 2;
  };
  const int longest = std::max(4000, static_cast<int>(running.size()) * 3 * m_slice);
  if (!begins && !std::all_of(running.begin(), running.end(), had_its_part) && m_in_lap < longest)
    return false;
  begin_lap();
  return !begins || running.size() < 2;
}

void Machine::end_slice() {
  m_slice_over = true;
  const auto waits = [&](int index) { return m_threads[static_cast<std::size_t>(index)].remaining != 0; };
  const std::vector<int> asleep = sleepers();
  if (m_stood < m_reading.patience && std::any_of(asleep.begin(), asleep.end(), waits)) {
    ++m_stood;
    return begin_slice(m_slice);
  }
  int first = -1;
  for (const int index : asleep) {
    const int remaining = m_threads[static_cast<std::size_t>(index)].remaining;
    if (remaining != 0 && (first < 0 || remaining < first)) first = remaining;
  }
  const auto is_overdue = [&](const Thread& thread) {
    return thread.remaining > first && thread.slices >= slices_for(thread.remaining) + k_most_overtaken;
  };
  const bool any_overdue = std::any_of(asleep.begin(), asleep.end(), [&](int index) {
    return waits(index) && is_overdue(m_threads[static_cast<std::size_t>(index)]);
  });
  if (first < 0) {
    m_lapping = false;
  } else if (!end_lap() && !any_overdue) {
    return begin_slice(m_slice);
  }
  bool first_is_due = false;
  int overdue = -1;
  int naps = 0;
  for (const int index : asleep) {
    Thread& thread = m_threads[static_cast<std::size_t>(index)];
    if (thread.remaining == 0) continue;
    ++thread.slices;
    const int enough = slices_for(thread.remaining);
    if (thread.remaining == first && thread.slices >= enough) first_is_due = true;
    if (!is_overdue(thread)) continue;
    overdue = overdue < 0 ? thread.remaining : std::min(overdue, thread.remaining);
    naps = std::max(naps, thread.slices - enough - k_most_overtaken);
  }
  int due = first_is_due ? first : -1;
  if (overdue >= 0) {
    due = first;
    for (int n = k_naps_on_time; n <= naps && due < overdue; n += k_naps_until_doubled) due *= 2;
    due = std::min(due, overdue);
  }
  if (due < 0) return begin_slice(m_slice);
  std::vector<int> expired = sleepers();
  std::erase_if(expired, [&](int index) {
    const Thread& thread = m_threads[static_cast<std::size_t>(index)];
    return thread.remaining == 0 || thread.remaining > due;
  });
  for (const int index : expired) {
    m_threads[static_cast<std::size_t>(index)].slices = 0;
    m_threads[static_cast<std::size_t>(index)].came = true;
  }
  expire(expired, due);
  begin_slice(std::max({m_slice / 2, m_reading.slice / 16, 1}));
}

int Machine::in_turn(int last) const {
  if (!m_slice_over || !is_enabled(last)) return last;
  const int own = m_threads[static_cast<std::size_t>(last)].number;
  int best = last;
  int fewest_before = 0;
  for (const int index : enabled()) {
    const Thread& thread = m_threads[static_cast<std::size_t>(index)];
    if (index == last) continue;
    const int count = static_cast<int>(m_threads.size());
    const int before = (thread.number - own + count) % count + (thread.came ? 0 : count);
    if (best != last && before >= fewest_before) continue;
    best = index;
    fewest_before = before;
  }
  return best;
}

void Machine::settle() {
  m_time_alternatives = 1;
  if (!m_reading.choice_at_joins) complete_joins();
  if (m_ended) return;
  if (m_reading.slice != 0 && m_left <= 0) end_slice();
  if (!enabled().empty()) return;
  std::vector<int> asleep = sleepers();
  if (asleep.empty()) {
    m_ended = true;
    m_outcome.failure = "deadlock";
    if (is_stuck()) m_outcome = k_stuck;
    return;
  }
  const auto remaining = [&](int thread) { return m_threads[static_cast<std::size_t>(thread)].remaining; };
  const int earliest = remaining(*std::min_element(
      asleep.begin(), asleep.end(), [&](int left, int right) { return remaining(left) < remaining(right); }));
  std::erase_if(asleep, [&](int thread) { return remaining(thread) != earliest; });
  if (m_reading.wake_one_of_a_deadline && asleep.size() > 1) {
    m_time_alternatives = static_cast<int>(asleep.size());
    return;
  }
  if (!may_wake_spuriously().empty()) return; // somebody may wake up before time passes
  pass_time(asleep, earliest);
}

void Machine::pass_time(const std::vector<int>& asleep, int earliest) {
  expire(asleep, earliest);
  for (Thread& thread : m_threads) thread.slices = 0;
  m_lapping = false;
  begin_slice(m_reading.slice);
  settle();
}

std::vector<int> Machine::may_wake_spuriously() const {
  std::vector<int> result;
  if (!m_reading.spurious || m_ended) return result;
  for (int thread = 0; thread < static_cast<int>(m_threads.size()); ++thread)
    if (m_threads[static_cast<std::size_t>(thread)].stand == Stand::waiting &&
        mutex_is_free_for(pending(thread).args[1], thread))
      result.push_back(thread);
  return result;
}

void Machine::wake_spuriously(int thread) {
  m_threads[static_cast<std::size_t>(thread)].stand = Stand::reacquiring;
  step(thread, 0);
}

void Machine::choose_time(int alternative) {
  std::vector<int> asleep = sleepers();
  const auto remaining = [&](int thread) { return m_threads[static_cast<std::size_t>(thread)].remaining; };
  const int earliest = remaining(*std::min_element(
      asleep.begin(), asleep.end(), [&](int left, int right) { return remaining(left) < remaining(right); }));
  std::erase_if(asleep, [&](int thread) { return remaining(thread) != earliest; });
  if (m_time_alternatives > 1) asleep = {asleep[static_cast<std::size_t>(alternative)]};
  pass_time(asleep, earliest);
}

void Machine::expire(const std::vector<int>& threads, int passed) {
  for (Thread& thread : m_threads)
    if (thread.remaining >= 0) thread.remaining = std::max(0, thread.remaining - passed);
  for (const int index : threads) {
    Thread& thread = m_threads[static_cast<std::size_t>(index)];
    if (thread.stand == Stand::sleeping) {
      thread.stand = Stand::awake;
    } else if (thread.stand == Stand::waiting) {
      thread.stand = Stand::reacquiring;
    } else {
      thread.timed_out = true;
    }
  }
}

std::string Machine::key() const {
  std::string result;
  const auto put = [&](int number) { result.append(reinterpret_cast<const char*>(&number), sizeof number); };
  for (const Thread& thread : m_threads) {
    put(static_cast<int>(thread.stand) | (thread.timed_out ? 0x100 : 0) |
        (thread.leaves_process ? 0x200 : 0));
    put(thread.body);
    put(thread.pc);
    put(thread.remaining);
    if (m_reading.slice != 0) put(thread.number);
    put(thread.slices * 2 + (thread.came ? 1 : 0));
    put(thread.status);
    for (const int counter : thread.counters) put(counter);
    for (const int value : thread.registers) put(value);
    put(static_cast<int>(thread.touched.size()));
    for (const int destructor : thread.touched) put(destructor);
  }
  for (const int value : m_atomics) put(value);
  for (const int value : m_plains) put(value);
  for (const int value : m_semaphores) put(value);
  for (const Mutex& mutex : m_mutexes) put(mutex.owner), put(mutex.depth);
  for (const RwLock& rwlock : m_rwlocks) put(rwlock.writer), put(rwlock.readers);
  for (const auto& [event, thread] : m_occurred) put(event), put(thread);
  put(static_cast<int>(m_occurred.size()));
  if (m_reading.slice != 0) put(m_stood), put(m_slice), put(m_left), put(m_slice_over ? 1 : 0);
  if (m_lapping) {
    put(m_in_lap);
    for (const Thread& thread : m_threads) put(thread.in_lap);
  }
  put(m_ended ? 1 : 0);
  return result + m_outcome.output + '\0' + m_outcome.failure;
}

} // namespace reex::model
