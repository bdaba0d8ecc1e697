// One test process under control, from its start to its end: the parent's side of the protocol of
// reex/shared/control.h. Answers what the worker asks, watches for hangs, and hands out failures as they
// come.
#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "reex/process/control_memory.h"
#include "reex/process/test_process.h"
#include "reex/run/options.h"
#include "reex/trace/trace_reader.h"

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
    std::function<void(Session&)> failure; // the failure slot is full; it is emptied afterwards
    std::function<void(Session&)> ended;   // its test process
    std::function<bool()> stop;            // asked with each tick: end after the running execution
  };
  // Until the test processes of all have ended. The first one's control block rings for all of them.
  static void serve(const std::vector<Session*>& sessions, const Events& events);

  // Before serve(): plain accesses that are visible operations from the start, in the block that has them.
  void promote(std::vector<CodeAddress> places, ControlMemory& block) {
    m_promoted = std::move(places);
    m_promoted_block = &block;
  }
  std::size_t not_promoted() const { return m_not_promoted; } // whose code is not there
  // Before serve(): hears of the modules when they are known, and may throw.
  void on_modules(std::function<void(const std::vector<MappedModule>&)> hear) {
    m_on_modules = std::move(hear);
  }
  CodeAddress place_of(std::uint64_t return_address);

  TestProcess& process() { return *m_process; }
  // When the test process has ended: ends what is left of it; then, with the control block made ready,
  // starts it anew.
  void clear_away();
  void start_again();
  TraceReader& reader(); // once the first thread was created under control
  const std::vector<MappedModule>& modules() const { return m_modules; }
  bool stopped() const { return m_stop_asked; }
  ControlMemory& memory() { return m_memory; }

private:
  bool step(const Events& events); // false: the test process has ended
  void stop();
  void answer_request();
  void watch_for_hang();
  void learn_modules();
  void promote_places();

  ControlMemory& m_memory;
  TestCommand m_command;
  std::unique_ptr<TestProcess> m_process;
  FrameBits m_frame_bits;
  std::chrono::milliseconds m_hang_after;
  bool m_asked_where = false;
  std::vector<CodeAddress> m_promoted;
  ControlMemory* m_promoted_block = nullptr;
  std::size_t m_not_promoted = 0;
  std::function<void(const std::vector<MappedModule>&)> m_on_modules;
  std::vector<MappedModule> m_modules; // loaded when the first thread was created
  std::unique_ptr<Resolver> m_resolver;
  std::unique_ptr<TraceReader> m_reader;
  std::uint64_t m_last_progress = 0;
  std::chrono::steady_clock::time_point m_progress_time;
  std::chrono::steady_clock::time_point m_stop_time;
  bool m_stop_asked = false;
  bool m_served = false;
};

} // namespace reex
