// One run of a command, without control: its process, the processes that compete with it, and what it prints.
//
// Invariants: all of them are in one process group, which the destructor kills; they also end with reex.
//
// Errors: the constructor throws std::system_error if the machine has no room for it, and UsageError if there
// is no such command.
#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <vector>

#include <sys/types.h>

#include "cli/native/perturbation.h"

namespace reex {

class NativeProcess {
public:
  using Time = std::chrono::steady_clock::time_point;

  NativeProcess(const std::vector<std::string>& command, const Perturbation& how);
  ~NativeProcess();
  NativeProcess(const NativeProcess&) = delete;
  NativeProcess& operator=(const NativeProcess&) = delete;

  // How the command ended, as wait() tells it; nullopt while it runs.
  std::optional<int> ended();
  // Readable when it has ended; -1 if the system has no such descriptor.
  int descriptor() const { return m_descriptor; }
  Time started() const { return m_started; }
  // Of the command and of those of its children for which it has waited; 0 while it runs.
  double processor_seconds() const { return m_processor_seconds; }
  // The end of what it has printed so far, on both streams: whole lines, as far as there are any.
  std::string tail() const;

private:
  void start_load(const Perturbation& how);

  Time m_started;
  pid_t m_command = -1;
  std::vector<pid_t> m_load;
  int m_output = -1;
  int m_descriptor = -1;
  std::optional<int> m_status;
  double m_processor_seconds = 0;
};

} // namespace reex
