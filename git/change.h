// What a diff says, as plain values. Paths are relative to the repository's root, lines count from 1.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace reex {

enum class FileStatus : std::uint8_t { added, deleted, modified, renamed };
const char* to_string(FileStatus status);

// Lines that were replaced, without any context. As in a unified diff, an empty side starts at the line
// BEFORE the place: new_start 7, new_count 0 means that the old lines stood between the new lines 7 and 8.
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
  std::vector<Hunk> hunks; // in order of lines; empty if binary
  bool binary = false;
  std::string text; // unified diff with three lines of context, for reports
};

// The old line's number in the new version; 0 if the line is gone.
unsigned new_line_of(const std::vector<Hunk>& hunks, unsigned old_line);
// The new line's number in the old version; 0 if the line is new.
unsigned old_line_of(const std::vector<Hunk>& hunks, unsigned new_line);

// The old version of a file, made from its new version and the change. Needs hunks that fit `new_content`.
std::string old_content(const FileChange& change, const std::string& new_content);

} // namespace reex
