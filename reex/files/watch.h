// Keeps the files as they were: for each execution, what it did to files is undone when it has ended, and
// what the test did before its first thread when the test process has ended. So all executions find the same
// files, and reex leaves those that it found.
//
// The kernel asks this process before a process of the test, or one that it has started, makes a call of
// shared/file_calls.h (seccomp_unotify(2)). It is answered by a thread of its own. Without it, as on a kernel
// before 5.5, everything stays as it is.
//
// Thread safety: the functions are called by the thread that has made the object.
//
// Cost: some ten microseconds for each such call, and what journal.h says.
#pragma once

#include <memory>
#include <string>
#include <sys/types.h>

#include "reex/process/descriptor.h"

namespace reex {

class FileWatch {
public:
  // `group`: of test processes that share a search, or -1. Throws std::system_error.
  explicit FileWatch(int group);
  ~FileWatch();
  FileWatch(const FileWatch&) = delete;
  FileWatch& operator=(const FileWatch&) = delete;

  // The socket through which the test process sends the descriptor of its filter.
  int socket() const;
  // The test process has been started.
  void begin();
  // It has ended, which this thread need not wait for: all is put back.
  void begin_end();
  // The same, and it is done. May be called again.
  void end();

  // What could not be kept or put back; "" if there was nothing. After end().
  const std::string& problem() const;

private:
  class Server;
  std::unique_ptr<Server> m_server;
};

} // namespace reex
