// A file's content and status, to be put back.
#pragma once

#include <cstdint>
#include <string>
#include <sys/stat.h>
#include <utility>

namespace reex {

using FileId = std::pair<dev_t, ino_t>;
inline FileId id_of(const struct stat& status) { return {status.st_dev, status.st_ino}; }

struct SavedFile {
  struct stat status {};
  std::string content; // of a regular file
};

// Reads all of it. False with errno.
bool read_content(const std::string& path, std::string& content);
// The content is as it was, and so is the status; what is the same is not touched. False with errno: ESTALE
// if another file is there.
bool put_back_content(const std::string& path, const SavedFile& file);
// Mode, owner and times. False with errno.
bool put_back_status(const std::string& path, const struct stat& status);

} // namespace reex
