#include "reex/process/session.h"

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <system_error>
#include <thread>
#include <utility>

#include "reex/process/orphans.h"
#include "reex/process/process_tree.h"
#include "reex/process/system_calls.h"
#include "reex/records/damaged_memory.h"
#include "reex/records/imunit.h"
#include "reex/records/match_table.h"
#include "reex/records/report.h"
#include "reex/records/schedules.h"
#include "reex/records/status.h"
#include "reex/symbols/function_name.h"
#include "reex/symbols/maps.h"
#include "reex/trace/unseen_code.h"

namespace reex {
namespace {

using Clock = std::chrono::steady_clock;
constexpr int k_tick_milliseconds = 100;
constexpr int k_wait_milliseconds = 20;
constexpr std::chrono::seconds k_grace{2}; // for the running execution, when the exploration is to end

constexpr unsigned k_last_tries = 5000; // milliseconds for processes that were killed

// The address of the place in this process; 0 if its module is not loaded.
std::uint64_t address_of(const CodeAddress& place, const std::vector<MappedModule>& modules) {
  for (const MappedModule& module : modules)
    if (module.path == place.module && place.offset > module.file_offset &&
        place.offset <= module.file_offset + (module.end - module.start))
      return place.offset - module.file_offset + module.start;
  return 0;
}

} // namespace

Session::Session(ControlMemory& memory, const TestCommand& command, FrameBits frame_bits,
                 std::chrono::milliseconds hang_after)
    : m_memory(memory), m_command(command), m_process(std::make_unique<TestProcess>(command)),
      m_frame_bits(std::move(frame_bits)), m_watch(hang_after) {}

// The block may hold some already, from another worker or from the run that this one continues.
void Session::promote_places() {
  m_not_promoted = 0;
  for (const CodeAddress& place : m_promoted) {
    const std::uint64_t pc = address_of(place, m_modules);
    if (pc == 0)
      ++m_not_promoted;
    else
      add_promoted((*m_promoted_block)->promoted, pc);
  }
}

void Session::learn_first_modules() {
  bool all_read = false;
  // A process that is being killed has no memory any more, a moment before it counts as dead.
  for (int left = 2000; left > 0; --left) {
    m_modules = read_maps(m_process->pid());
    all_read = is_alive(m_process->pid());
    if (!m_modules.empty() || !all_read) break;
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  if (m_modules.empty() && all_read)
    throw std::system_error(EIO, std::generic_category(), "cannot read the memory map of the test");
  if (m_on_modules && all_read) m_on_modules(m_modules);
  m_resolver = std::make_unique<Resolver>(m_modules);
  m_reader = std::make_unique<TraceReader>(*m_resolver, m_frame_bits);
}

// What a later execution loads at the place of others replaces those.
void Session::learn_more_modules() {
  const std::vector<MappedModule> now = read_maps(worker().value_or(m_process->pid()));
  std::erase_if(m_modules, [&](const MappedModule& known) {
    return std::any_of(now.begin(), now.end(), [&](const MappedModule& one) {
      return one.start < known.end && known.start < one.end;
    });
  });
  m_modules.insert(m_modules.end(), now.begin(), now.end());
  m_resolver->add_modules(now);
}

// Where all that is unseen is in libraries, the runtime sees who enters them (runtime/order/dormant_code.h).
void Session::let_sleep() {
  Status& status = m_memory->status;
  const std::uint32_t before = std::exchange(status.dormant_code_count, 0);
  m_dormant.clear();
  const UnseenCode all = reex::unseen_code(m_modules);
  if (!all.is_of_libraries()) return;
  std::vector<const MappedModule*> sleepers;
  for (const MappedModule& module : m_modules)
    if (all.libraries.contains(module.path)) sleepers.push_back(&module);
  if (sleepers.size() > k_dormant_code ||
      std::any_of(sleepers.begin(), sleepers.end(), [](const auto* module) { return module->writable; }))
    return;
  const bool goes_on = before == sleepers.size(); // an earlier process has told what was entered
  for (const MappedModule* module : sleepers) {
    DormantCode& code = status.dormant_code[m_dormant.size()];
    if (!goes_on) code = {};
    code.low = module->start;
    code.high = module->end;
    m_dormant.push_back(module->path);
  }
  status.dormant_code_count = static_cast<std::uint32_t>(m_dormant.size());
}

std::set<std::string> Session::entered_libraries() const {
  std::set<std::string> entered;
  for (std::size_t i = 0; i < m_dormant.size(); ++i)
    if (read_entered(m_memory->status, i)) entered.insert(m_dormant[i]);
  return entered;
}

std::set<std::string> Session::dormant_libraries() const {
  std::set<std::string> dormant(m_dormant.begin(), m_dormant.end());
  for (const std::string& path : entered_libraries()) dormant.erase(path);
  return dormant;
}

const UnseenCode& Session::unseen_code() {
  if (std::set<std::string> asleep = dormant_libraries(); asleep != m_asleep) {
    m_asleep = std::move(asleep);
    m_unseen_code = reex::unseen_code(m_modules, m_asleep);
  }
  return m_unseen_code;
}

// When the first thread is created, and whenever code has come since.
void Session::learn_modules() {
  if (!read_ready(m_memory->status)) return;
  const std::uint32_t wanted = m_memory->status.modules_wanted.load();
  if (m_resolver != nullptr && wanted == m_modules_known) return;
  if (m_resolver == nullptr) {
    learn_first_modules();
    let_sleep();
  } else {
    learn_more_modules();
  }
  promote_places();
  m_asleep = dormant_libraries();
  m_unseen_code = reex::unseen_code(m_modules, m_asleep);
  if (!m_unseen_code.empty()) m_memory->status.unseen_code = true;
  m_modules_known = wanted;
  m_memory->status.modules_known.store(wanted);
  futex_wake(m_memory->status.modules_known);
}

CodeAddress Session::place_of(std::uint64_t return_address) {
  learn_modules();
  for (const MappedModule& module : m_modules)
    if (return_address > module.start && return_address <= module.end)
      return {module.path, return_address - module.start + module.file_offset};
  return {};
}

TraceReader& Session::reader() {
  learn_modules();
  if (m_reader == nullptr) throw DamagedMemory("status", "there is a report, and no thread was created");
  m_reader->set_schedule(read_imunit_text(m_memory->imunit));
  return *m_reader;
}

std::optional<pid_t> Session::worker() const { return youngest_child(m_process->pid()); }

// Tells the worker which match bits a return address has.
void Session::answer_request() {
  PcTable& table = m_memory->pcs;
  const std::uint64_t pc = read_request(table);
  if (pc == 0) return;
  learn_modules();
  if (m_resolver == nullptr) throw DamagedMemory("match table", "it is asked before the first thread");
  MatchAnswer meaning;
  const std::vector<PlaceCopy> places = read_places(m_memory->imunit);
  meaning.places = static_cast<std::uint8_t>(places.size());
  for (const Frame& frame : m_resolver->frames(pc - 1)) {
    if (frame.system_header) continue;
    for (std::size_t i = 0; i < places.size(); ++i) {
      const auto bit = static_cast<std::uint16_t>(1U << i);
      if (!meaning.has_user_frame && is_function(frame.function, places[i].function)) meaning.in |= bit;
      if (is_function(frame.function, places[i].from)) meaning.from |= bit;
    }
    const std::uint8_t bits = m_frame_bits ? m_frame_bits(frame) : 0;
    if (!meaning.has_user_frame) meaning.user_bits = bits;
    meaning.has_user_frame = true;
    meaning.on_stack |= on_stack_bits(bits);
  }
  answer(table, pc, meaning);
  futex_wake(table.answered);
}

bool Session::is_waiting() const { return m_memory->own.waiting.load() != 0; }

// A worker that makes no progress is asked where it is, and ended. A test process that makes none between two
// workers is given the limit once more, and then ended as a whole.
void Session::watch_for_hang(bool others_work) {
  const StatusCounts counts = read_counts(m_memory->status);
  const bool waits = m_resolver == nullptr || (others_work && is_waiting());
  const auto activity = [this] { return activity_of(worker().value_or(m_process->pid())); };
  const bool still = m_watch.look(counts.points + counts.schedules + counts.followed, waits, activity);
  if (!m_watch.looks_hung()) m_without_worker = false;
  if (!still && m_asked_where == 0) return;
  if (const std::optional<pid_t> found = worker(); found) {
    end_worker(*found);
    m_without_worker = false;
  } else if (still && !m_without_worker) {
    m_without_worker = true;
  } else if (still) {
    m_stuck = true;
    m_process->kill();
  }
}

void Session::note_hang(pid_t worker) {
  if (!m_hang.empty()) return;
  const std::optional<long> call = system_call_of(worker);
  m_hang = call ? "waits in the system call " + system_call_name(*call)
                : "runs for long without a scheduling point";
}

// The answer to the question may take long on a busy machine. The worker goes no further once it is asked:
// the question may have ended a call of the test.
void Session::end_worker(pid_t worker) {
  constexpr std::chrono::seconds k_longest_answer{5};
  if (m_asked_where != worker) {
    if (!m_watch.looks_hung()) { // another worker than the one that was asked
      m_asked_where = 0;
      return;
    }
    m_asked_where = worker;
    note_hang(worker);
    signal_child(worker, m_process->pid(), k_where_signal);
    return;
  }
  if (!read_stuck(m_memory->status) && m_watch.hung_for() < k_longest_answer) return;
  m_asked_where = 0;
  m_watch.begin();
  m_memory->status.killed_hung.store(1);
  signal_child(worker, m_process->pid(), SIGKILL);
}

bool Session::step(const Events& events) {
  if (m_served) return false;
  answer_request();
  learn_modules();
  if (FailureSlot& slot = m_memory->failure; read_report_state(slot)) {
    if (events.failure) events.failure(*this);
    slot.state.store(0);
    futex_wake(slot.state);
  }
  m_served = m_process->ended();
  if (m_served && events.ended) events.ended(*this);
  return !m_served;
}

// The worker ends with the test process, but not at once.
void Session::clear_away() {
  m_process->kill();
  for (unsigned tries = 0; is_group_alive(m_process->pid()) && tries < k_last_tries; ++tries)
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
}

void Session::await_left_behind() {
  constexpr unsigned k_tries = 1000; // milliseconds
  for (unsigned tries = 0; tries < k_tries; ++tries) {
    const StatusCopy status = read_status(m_memory->status);
    if (status.refused || (!is_group_alive(m_process->pid()) && !has_orphans())) return;
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
}

void Session::start_again() {
  m_reader.reset();
  m_resolver.reset();
  m_file_problem = file_problem();
  m_process = std::make_unique<TestProcess>(m_command);
  m_watch.begin();
  m_served = false;
}

std::string Session::file_problem() {
  return m_file_problem.empty() ? m_process->file_problem() : m_file_problem;
}

void Session::stop() {
  const auto now = Clock::now();
  if (!m_stop_asked) {
    m_stop_asked = true;
    m_stop_time = now;
    m_memory->status.stop.store(1);
  }
  if (now - m_stop_time <= k_grace) return;
  if (asks_the_only_one(now)) return;
  m_process->kill();
}

// Where nothing else can be told, the execution under way is asked where it stands, before it is ended.
bool Session::asks_the_only_one(Clock::time_point now) {
  constexpr std::chrono::milliseconds k_longest_answer{500};
  const StatusCounts counts = read_counts(m_memory->status);
  const std::optional<pid_t> found = worker();
  if (counts.schedules != 0 || !found || m_asked_where == *found) return false;
  if (now - m_stop_time > k_grace + k_longest_answer || read_stuck(m_memory->status)) return false;
  if (!m_asked_at_end) signal_child(*found, m_process->pid(), k_where_signal);
  m_asked_at_end = true;
  return true;
}

void Session::serve(const std::vector<Session*>& sessions, const Events& events) {
  auto next_tick = Clock::now();
  const ControlMemory& first = sessions.front()->m_memory;
  bool stop = false;
  for (;;) {
    const std::uint32_t seen = first->status.doorbell.load();
    bool some_run = false;
    bool about_to_exit = false; // which rings no doorbell
    for (Session* session : sessions) {
      if (!session->step(events)) continue;
      some_run = true;
      about_to_exit = about_to_exit || read_finish(session->m_memory->status) != Finish::none;
    }
    if (!some_run) return;
    if (const auto now = Clock::now(); now >= next_tick) {
      next_tick = now + std::chrono::milliseconds(k_tick_milliseconds);
      const bool some_work = std::any_of(sessions.begin(), sessions.end(), [](const Session* session) {
        return !session->m_served && !session->is_waiting();
      });
      for (Session* session : sessions)
        if (!session->m_served) session->watch_for_hang(some_work);
      reap_orphans();
      if (events.tick) events.tick();
      stop = stop || (events.stop && events.stop());
      for (Session* session : sessions)
        if (stop && !session->m_served) session->stop();
    }
    first.wait(seen, about_to_exit ? 1 : k_wait_milliseconds);
  }
}

} // namespace reex
