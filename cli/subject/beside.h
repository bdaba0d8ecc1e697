// Makes a text in a process of its own, so that the caller need not wait for it, and a crash there ends
// nothing else.
//
// Callers: the parent process, on one thread, before any test runs (orphans.h).
//
// Invariants: the process ends with this object, and with the parent.
//
// Errors: std::system_error if there is no process or memory for it.
#pragma once

#include <chrono>
#include <functional>
#include <string>

#include <sys/types.h>

namespace reex {

class Beside {
public:
  // `make` runs in the new process. What it has made when it throws is lost.
  explicit Beside(const std::function<std::string()>& make);
  ~Beside();
  Beside(const Beside&) = delete;
  Beside& operator=(const Beside&) = delete;

  bool is_done();
  // False: it takes longer.
  bool wait_until(std::chrono::steady_clock::time_point time);
  // Waits for it. "" if it failed.
  std::string text();
  int ended_by_signal() const; // when it is done; 0: by none

private:
  void run(const std::function<std::string()>& make) const;

  int m_result = -1; // memory that the process writes the text to
  pid_t m_process = -1;
  bool m_ended = false;
  int m_status = 0;
};

} // namespace reex
