// One test process under control, from its start to its end: the parent's side of the protocol in
// reex/shared. It answers what the worker asks, watches for hangs, and hands out reports as they come.
//
// Thread safety: one thread of the parent. The processes of the test write the control block meanwhile, and
// may write anything there. The session reads it through reex/records, which throws DamagedMemory.
//
// Invariants: a session signals only processes that the kernel names as children of its test process, and
// the process group that it has started itself.
#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "reex/process/control_memory.h"
#include "reex/process/hang_watch.h"
#include "reex/process/test_process.h"
#include "reex/run/options.h"
#include "reex/trace/trace_reader.h"
#include "reex/trace/unseen_code.h"

namespace reex {

// An instruction, named so that it is found again in another process.
struct CodeAddress {
  std::string module;       // path
  std::uint64_t offset = 0; // in the file, of the byte behind the instruction
};

class Session {
public:
  // The configuration is in `memory`. Throws std::system_error if the test cannot be started.
  Session(ControlMemory& memory, const TestCommand& command, FrameBits frame_bits,
          std::chrono::milliseconds hang_after);

  struct Events {
    std::function<void()> tick;            // about ten times a second
    std::function<void(Session&)> failure; // a report is to be read; the worker goes on afterwards
    std::function<void(Session&)> ended;   // the test process has ended
    std::function<bool()> stop;            // asked with each tick: end after the running execution
  };
  // Returns when the test processes of all sessions have ended. The first control block rings for all of
  // them. Throws DamagedMemory, and whatever the events throw; processes may still run then.
  static void serve(const std::vector<Session*>& sessions, const Events& events);

  // Before serve(): plain accesses that are visible operations from the start, and the block that has them.
  void promote(std::vector<CodeAddress> places, ControlMemory& block) {
    m_promoted = std::move(places);
    m_promoted_block = &block;
  }
  std::size_t not_promoted() const { return m_not_promoted; } // whose code is not there
  // Before serve(): is told the modules when they are known, and may throw.
  void on_modules(std::function<void(const std::vector<MappedModule>&)> hear) {
    m_on_modules = std::move(hear);
  }
  CodeAddress place_of(std::uint64_t return_address);

  TestProcess& process() { return *m_process; }
  std::optional<pid_t> worker() const;      // the kernel's answer
  bool is_stuck() const { return m_stuck; } // ended by reex, because neither it nor a worker made progress
  // After the test process has ended: clear_away() ends what is left of it. Once the control block is made
  // ready, start_again() starts it anew.
  void clear_away();
  void start_again();
  // The test process has ended before its first thread, and may have left a process behind that goes on as
  // the test. Gives that a moment.
  void await_left_behind();
  TraceReader& reader(); // throws DamagedMemory before the first thread was created under control
  const std::vector<MappedModule>& modules() const { return m_modules; }
  // What the reduction cannot rely on, without the libraries that nobody has entered.
  const UnseenCode& unseen_code();
  // The paths of libraries that nobody has entered, and of those that somebody has and of which this is
  // known.
  std::set<std::string> dormant_libraries() const;
  std::set<std::string> entered_libraries() const;
  bool stopped() const { return m_stop_asked; }
  // What the first worker did that made no progress, as "waits in the system call read"; "" if there was
  // none.
  const std::string& hang() const { return m_hang; }
  // After the test processes have ended: what of the test's changes of files could not be put back.
  std::string file_problem();
  ControlMemory& memory() { return m_memory; }

private:
  bool step(const Events& events); // false: the test process has ended
  void stop();
  bool asks_the_only_one(std::chrono::steady_clock::time_point now); // true: it has not answered yet
  void answer_request();
  bool is_waiting() const; // for what the other sessions' workers are at
  void watch_for_hang(bool others_work);
  void end_worker(pid_t worker);
  void note_hang(pid_t worker);
  void learn_modules();
  void learn_first_modules();
  void learn_more_modules();
  void let_sleep();
  void promote_places();

  ControlMemory& m_memory;
  TestCommand m_command;
  std::unique_ptr<TestProcess> m_process;
  FrameBits m_frame_bits;
  HangWatch m_watch;
  pid_t m_asked_where = 0; // the worker that was asked
  bool m_asked_at_end = false;
  std::string m_hang;
  std::string m_file_problem;    // of earlier test processes
  bool m_without_worker = false; // at the last look of the watch
  bool m_stuck = false;
  std::vector<CodeAddress> m_promoted;
  ControlMemory* m_promoted_block = nullptr;
  std::size_t m_not_promoted = 0;
  std::function<void(const std::vector<MappedModule>&)> m_on_modules;
  UnseenCode m_unseen_code;
  std::vector<std::string> m_dormant;  // paths, in the order of Status::dormant_code
  std::set<std::string> m_asleep;      // those that m_unseen_code leaves out
  std::vector<MappedModule> m_modules; // loaded when the first thread was created, and later
  std::uint32_t m_modules_known = 0;   // how often they were read
  std::unique_ptr<Resolver> m_resolver;
  std::unique_ptr<TraceReader> m_reader;
  std::chrono::steady_clock::time_point m_stop_time;
  bool m_stop_asked = false;
  bool m_served = false;
};

} // namespace reex
