// Does work in a process of its own, so that the caller need not wait for it, and a fault in it, as a crash
// of libclang, does not end this process.
//
// Callers: the parent process, on any thread; beside a run, before its first test starts (orphans.h).
//
// Invariants: the process ends with this object, and with its parent. The work sees all memory as it is at
// the start, and changes nothing here.
//
// Cost: a fork and its end, a few milliseconds; the work is done on another core.
//
// Errors: std::system_error if there is no process, or no memory for the result.
#pragma once

#include <chrono>
#include <functional>
#include <string>

#include <sys/types.h>

namespace reex {

class ForkedWork {
public:
  struct Result {
    std::string bytes;   // what the work has returned
    std::string problem; // "" if it has returned, else how it ended: "signal 11 (Segmentation fault)"
  };

  // The work may use no lock that another thread of this process can hold now.
  explicit ForkedWork(const std::function<std::string()>& work);
  ~ForkedWork();
  ForkedWork(const ForkedWork&) = delete;
  ForkedWork& operator=(const ForkedWork&) = delete;

  bool is_done();
  // False: it takes longer.
  bool wait_until(std::chrono::steady_clock::time_point time);
  // Waits for it.
  Result result();

private:
  void take_end(int options);

  int m_file = -1; // memory that the process writes the result to
  pid_t m_process = -1;
  bool m_ended = false;
  int m_status = 0;
};

} // namespace reex
