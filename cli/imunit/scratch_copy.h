// A copy of a project in a temporary folder, to build in. The user's files are only read.
#pragma once

#include <string>

namespace reex {

class ScratchCopy {
public:
  // Copies what is below `root`, without .git and .reex. Of the build folder of CMake that `binary` is in,
  // the cache alone is copied, so that it is configured anew. Throws UsageError if `binary` is not below
  // `root`.
  ScratchCopy(const std::string& root, const std::string& binary);
  ~ScratchCopy(); // removes it
  ScratchCopy(const ScratchCopy&) = delete;
  ScratchCopy& operator=(const ScratchCopy&) = delete;

  std::string of(const std::string& path) const; // of a file below the root
  // Writes a file of the copy.
  void write(const std::string& path, const std::string& text) const;
  // Runs the command in a shell in the copy's root. "" if it succeeds, else the end of what it printed.
  std::string run(const std::string& command) const;
  // Configures the build folder, if it is one of CMake, and runs the command.
  std::string build(const std::string& command);
  // The file that run() writes the output to.
  std::string output() const { return m_folder + "/output"; }
  const std::string& folder() const { return m_folder; }

private:
  std::string m_root;
  std::string m_folder;
  std::string m_cmake; // the build folder, relative; "" for none
};

} // namespace reex
