// Starts the test binary under control: it preloads the runtime, makes the standard input empty, captures
// standard output and standard error in memory files, gives the test its own process group, and switches off
// address randomization if the system allows it. If the parent dies, the kernel kills the test process.
#pragma once

#include <csignal>
#include <string>
#include <sys/types.h>
#include <vector>

#include "reex/files/watch.h"
#include "reex/process/descriptor.h"
#include "reex/process/preload_path.h"
#include "reex/run/options.h"

namespace reex {

struct TestCommand {
  std::string binary;
  std::vector<std::string> arguments;
  RuntimeFiles runtime;
  std::string working_directory; // "": the parent's
  int control_descriptor = -1;
  int shared_descriptor = -1; // the control block of the first worker; -1: its own block
  int table_descriptor = -1;  // ControlMemory::table_descriptor of the block that has the search
  bool has_others = false;    // of several workers that share a search: all get the same addresses
  int log_descriptor = -1;
};

class TestProcess {
public:
  explicit TestProcess(const TestCommand& command); // throws std::system_error, MachineError
  ~TestProcess();                                   // kills the processes that still run, including workers
  TestProcess(const TestProcess&) = delete;
  TestProcess& operator=(const TestProcess&) = delete;

  pid_t pid() const { return m_pid; }
  bool ended(); // does not wait
  int wait_status() const { return m_wait_status; }
  void kill(); // with its process group; returns when it has ended

  // What of the test's changes of files could not be put back; "" if all was. Ends the process.
  std::string file_problem();

  // All that the process itself has written so far, for a test that ended before it was under control.
  std::string standard_output() const;
  std::string standard_error() const;

private:
  int start(const TestCommand& command, char* const* arguments, char* const* environment);
  [[noreturn]] void execute(const TestCommand& command, char* const* arguments, char* const* environment,
                            pid_t parent, const sigset_t& signals, volatile int& error) const;

  PreloadPath m_preload;
  FileWatch m_files;
  pid_t m_pid = -1;
  bool m_ended = false;
  bool m_reaped = false;
  int m_wait_status = 0;
  Descriptor m_output;
  Descriptor m_error;
};

} // namespace reex
