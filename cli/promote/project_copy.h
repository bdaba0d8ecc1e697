// A copy of the project in which a test is tried out: a failed attempt leaves the user's files alone.
//
// What is copied: all files below the root but .git, .reex, and build folders of CMake (a folder with a
// CMakeCache.txt belongs to one place). So the build command must work in a fresh copy.
//
// Errors: CommandError: the copy is too large, the build fails, or it makes no test.
#pragma once

#include <filesystem>
#include <string>

namespace reex {

class ProjectCopy {
public:
  explicit ProjectCopy(const std::filesystem::path& root);
  ~ProjectCopy(); // removes it
  ProjectCopy(const ProjectCopy&) = delete;
  ProjectCopy& operator=(const ProjectCopy&) = delete;

  // Where a file of the project is in the copy. Throws UsageError if it is not below the root.
  std::filesystem::path at(const std::filesystem::path& original) const;
  bool holds(const std::filesystem::path& original) const;
  void write(const std::filesystem::path& original, const std::string& text) const;
  // Runs the command by sh in the copy's root. `said` gets the end of what it printed if it fails.
  bool build(const std::string& command, std::string& said) const;

private:
  std::filesystem::path m_root;
  std::filesystem::path m_copy;
};

} // namespace reex
