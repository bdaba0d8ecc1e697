// Tells somebody at a terminal what reex is busy with, if it takes more than a second: one line on standard
// error, which is overprinted, and gone in the end. Elsewhere nothing is written.
//
// Thread safety: one object at a time. Nothing else may be written to the terminal while it lives.
#pragma once

#include <condition_variable>
#include <mutex>
#include <string>
#include <thread>

namespace reex {

class Waiting {
public:
  // `what` is as "analysing the change". Nothing is shown if `quiet` is set.
  Waiting(std::string what, bool quiet);
  ~Waiting();
  Waiting(const Waiting&) = delete;
  Waiting& operator=(const Waiting&) = delete;

private:
  void show(const std::string& what);

  std::mutex m_mutex;
  std::condition_variable m_over;
  bool m_is_over = false;
  std::thread m_thread;
};

} // namespace reex
