// A copy of the project in which changed tests are built and run: a failed attempt leaves the user's files
// alone.
//
// What is copied: all files below the root but .git, .reex, and build folders of CMake (a folder with a
// CMakeCache.txt belongs to one place). Of the build folder that `binary` is in, the cache alone is there,
// with the copy's paths, so that build() configures it anew. Times of files are kept: make sees what was
// built.
//
// Errors: UsageError: the binary is not below the root, the copy is too large, or there is no room for it.
#pragma once

#include <filesystem>
#include <string>

namespace reex {

class ProjectCopy {
public:
  ProjectCopy(const std::filesystem::path& root, const std::filesystem::path& binary);
  ~ProjectCopy(); // removes it
  ProjectCopy(const ProjectCopy&) = delete;
  ProjectCopy& operator=(const ProjectCopy&) = delete;

  // Where a file of the project is in the copy. Throws UsageError if it is not below the root.
  std::filesystem::path at(const std::filesystem::path& original) const;
  void write(const std::filesystem::path& original, const std::string& text) const;
  // A folder beside the copy, for other files. It is removed with the copy.
  const std::filesystem::path& folder() const { return m_folder; }

  // Runs the command by sh in the copy's root. "" if it succeeds, else the end of what it printed.
  std::string run(const std::string& command) const;
  // Configures the build folder, if it is one of CMake, and runs the command.
  std::string build(const std::string& command) const;

private:
  void copy(const std::filesystem::path& binary) const;

  std::filesystem::path m_root;
  std::filesystem::path m_folder;
  std::filesystem::path m_copy;
  std::filesystem::path m_cmake; // the build folder of CMake, relative; "" for none
};

} // namespace reex
