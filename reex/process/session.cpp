#include "reex/process/session.h"

#include <algorithm>
#include <csignal>
#include <fstream>
#include <thread>

#include "reex/symbols/maps.h"

namespace reex {
namespace {

using Clock = std::chrono::steady_clock;
constexpr int k_tick_milliseconds = 100;
constexpr int k_wait_milliseconds = 20;
constexpr std::chrono::seconds k_grace{2}; // for the running execution, when the exploration is to end

std::uint64_t hash_of(std::uint64_t pc) { return pc * 0x9e3779b97f4a7c15 >> 48; }

constexpr unsigned k_last_tries = 5000;

// One that has ended and is still to be waited for is not.
bool is_alive(pid_t process) {
  std::ifstream status("/proc/" + std::to_string(process) + "/stat");
  std::string line;
  std::getline(status, line);
  const std::size_t name = line.rfind(") ");
  return name != std::string::npos && line[name + 2] != 'Z' && line[name + 2] != 'X';
}

// 0: the module is not there.
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
      m_frame_bits(std::move(frame_bits)), m_hang_after(hang_after), m_progress_time(Clock::now()) {}

// What stands there already came from another worker, or from the run that this one goes on from.
void Session::promote_places() {
  for (const CodeAddress& place : m_promoted) {
    Promoted& promoted = (*m_promoted_block)->promoted;
    const std::uint64_t pc = address_of(place, m_modules);
    const bool there =
        std::find(promoted.pc, promoted.pc + promoted.count, pc) != promoted.pc + promoted.count;
    if (pc == 0)
      ++m_not_promoted;
    else if (!there && promoted.count < k_max_promoted)
      promoted.pc[promoted.count++] = pc;
  }
}

void Session::learn_modules() {
  if (m_resolver != nullptr || !m_memory->status.ready) return;
  m_modules = read_maps(m_process->pid());
  const bool all_read = is_alive(m_process->pid());
  if (m_on_modules && all_read) m_on_modules(m_modules);
  m_resolver = std::make_unique<Resolver>(m_modules);
  m_reader = std::make_unique<TraceReader>(*m_resolver, m_frame_bits);
  promote_places();
  m_memory->status.modules_known.store(1);
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
  return *m_reader;
}

// What a return address means to the heuristics (semantics: "Program counters and code points").
void Session::answer_request() {
  PcTable& table = m_memory->pcs;
  const std::uint64_t pc = table.request.load();
  if (pc == 0) return;
  learn_modules();
  PcBits* entry = nullptr;
  for (std::uint64_t i = hash_of(pc); entry == nullptr; ++i)
    if (table.entry[i % k_pc_table_size].pc.load() == 0) entry = &table.entry[i % k_pc_table_size];
  for (const Frame& frame : m_resolver->frames(pc - 1)) {
    if (frame.system_header) continue;
    const std::uint8_t bits = m_frame_bits ? m_frame_bits(frame) : 0;
    if (!entry->has_user_frame) entry->user_bits = bits;
    entry->has_user_frame = true;
    entry->on_stack |= on_stack_bits(bits);
  }
  entry->pc.store(pc, std::memory_order_release);
  table.request.store(0);
  table.answered.fetch_add(1);
  futex_wake(table.answered);
}

void Session::watch_for_hang() {
  Status& status = m_memory->status;
  const std::uint64_t progress = status.points.load() + status.schedules.load();
  const auto now = Clock::now();
  if (progress != m_last_progress || status.worker_pid.load() == 0 || m_memory->own.waiting.load() != 0) {
    m_last_progress = progress;
    m_progress_time = now;
    m_asked_where = false;
    return;
  }
  if (now - m_progress_time < m_hang_after) return;
  if (!m_asked_where) { // it is ended at the next look
    m_asked_where = true;
    ::kill(status.worker_pid.load(), k_where_signal);
    return;
  }
  m_asked_where = false;
  m_progress_time = now;
  status.killed_hung.store(1);
  ::kill(status.worker_pid.load(), SIGKILL);
}

bool Session::step(const Events& events) {
  if (m_served) return false;
  answer_request();
  learn_modules();
  if (FailureSlot& slot = m_memory->failure; slot.state.load() == 1) {
    if (events.failure) events.failure(*this);
    slot.state.store(0);
    futex_wake(slot.state);
  }
  m_served = m_process->ended();
  if (m_served && events.ended) events.ended(*this);
  return !m_served;
}

// Its worker ends with it, but not at once.
void Session::clear_away() {
  m_process->kill();
  const pid_t worker = m_memory->status.worker_pid.load();
  for (unsigned tries = 0; worker > 0 && is_alive(worker) && tries < k_last_tries; ++tries)
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
}

void Session::start_again() {
  m_reader.reset();
  m_resolver.reset();
  m_not_promoted = 0;
  m_process = std::make_unique<TestProcess>(m_command);
  m_progress_time = Clock::now();
  m_served = false;
}

void Session::stop() {
  const auto now = Clock::now();
  if (!m_stop_asked) {
    m_stop_asked = true;
    m_stop_time = now;
    m_memory->status.stop.store(1);
  }
  if (now - m_stop_time > k_grace) m_process->kill();
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
      about_to_exit = about_to_exit || session->m_memory->status.finish != Finish::none;
    }
    if (!some_run) return;
    if (const auto now = Clock::now(); now >= next_tick) {
      next_tick = now + std::chrono::milliseconds(k_tick_milliseconds);
      for (Session* session : sessions)
        if (!session->m_served) session->watch_for_hang();
      if (events.tick) events.tick();
      stop = stop || (events.stop && events.stop());
      for (Session* session : sessions)
        if (stop && !session->m_served) session->stop();
    }
    first.wait(seen, about_to_exit ? 1 : k_wait_milliseconds);
  }
}

} // namespace reex
