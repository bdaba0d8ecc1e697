// A diff as plain values. Paths are relative to the repository's root; line numbers begin at 1.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace reex {

enum class FileStatus : std::uint8_t { added, deleted, modified, renamed };
const char* to_string(FileStatus status);

// Replaced lines, without context. As in a unified diff, the start of an empty side is the line BEFORE the
// place: with new_start 7 and new_count 0, the old lines were between the new lines 7 and 8.
struct Hunk {
  unsigned old_start = 0;
  unsigned old_count = 0;
  unsigned new_start = 0;
  unsigned new_count = 0;
  std::vector<std::string> removed; // the old lines, without their line ends
  std::vector<std::string> added;   // the new lines
};

struct FileChange {
  std::string old_path; // "" for an added file
  std::string new_path; // "" for a deleted file
  FileStatus status = FileStatus::modified;
  std::vector<Hunk> hunks; // in order of lines; empty for a binary file
  bool binary = false;
  std::string text; // unified diff with three lines of context, for reports
};

// The number of an old line in the new version; 0 if the line was removed.
unsigned new_line_of(const std::vector<Hunk>& hunks, unsigned old_line);
// The number of a new line in the old version; 0 if the line was added.
unsigned old_line_of(const std::vector<Hunk>& hunks, unsigned new_line);

// Computes the old version of a file from its new version and the change. The hunks must fit `new_content`.
std::string old_content(const FileChange& change, const std::string& new_content);

} // namespace reex
