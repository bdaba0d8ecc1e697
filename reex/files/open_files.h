// The files that a test process has open for writing as it creates its first thread. The kernel tells nobody
// what is written to them, so their contents are compared after each execution.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <sys/types.h>
#include <vector>

#include "reex/files/saved_file.h"
#include "reex/process/descriptor.h"

namespace reex {

class OpenFiles {
public:
  // `is_meant`: whether the test opened it. Copies at most `room` bytes.
  void remember(pid_t process, const std::function<bool(const FileId&)>& is_meant, std::uint64_t room);
  void put_back();

  const std::vector<SavedFile>& files() const { return m_files; }
  const std::string& problem() const { return m_problem; } // "": none

private:
  std::vector<SavedFile> m_files;
  std::vector<Descriptor> m_descriptors; // of each file: it may lose its name, and the process may end
  std::string m_problem;
};

// Of the process, now.
std::vector<FileId> open_files(pid_t process);

} // namespace reex
