// Where a path of another process leads.
#pragma once

#include <optional>
#include <string>
#include <sys/types.h>

namespace reex {

// Whether a path means the same for that process as for this one, and its rights to files are the same. If
// not, nothing may be done in its place.
bool has_our_files(pid_t process);

// An entry of a folder, which may or may not be there.
struct FilePlace {
  std::string folder; // no part of it is a symbolic link
  std::string name;
  bool folder_wanted = false; // the path ends with a slash

  std::string path() const { return folder == "/" ? folder + name : folder + "/" + name; }
};

// `descriptor`: what a path that is not absolute starts at, or AT_FDCWD. `follow`: the entry is no symbolic
// link, but what one leads to. Empty if there is no such folder: then the kernel finds none either.
std::optional<FilePlace> place_of(pid_t process, int descriptor, const std::string& path, bool follow);

// What the descriptor was opened as. Empty if it has no place among files any more.
std::optional<FilePlace> place_of_descriptor(pid_t process, int descriptor);

} // namespace reex
