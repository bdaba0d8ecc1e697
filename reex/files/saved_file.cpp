#include "reex/files/saved_file.h"

#include <cerrno>
#include <fcntl.h>
#include <unistd.h>

#include "reex/process/descriptor.h"

namespace reex {
namespace {

bool read_all(int descriptor, std::string& content) {
  content.clear();
  struct stat status {};
  if (fstat(descriptor, &status) == 0) content.reserve(static_cast<std::size_t>(status.st_size));
  char block[1 << 16];
  for (;;) {
    const ssize_t got = pread(descriptor, block, sizeof block, static_cast<off_t>(content.size()));
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) return got == 0;
    content.append(block, static_cast<std::size_t>(got));
  }
}

bool write_all(int descriptor, const std::string& content) {
  for (std::size_t at = 0; at < content.size();) {
    const ssize_t done = pwrite(descriptor, content.data() + at, content.size() - at, static_cast<off_t>(at));
    if (done < 0 && errno == EINTR) continue;
    if (done <= 0) return false;
    at += static_cast<std::size_t>(done);
  }
  return ftruncate(descriptor, static_cast<off_t>(content.size())) == 0;
}

bool same_time(const timespec& one, const timespec& other) {
  return one.tv_sec == other.tv_sec && one.tv_nsec == other.tv_nsec;
}

} // namespace

bool read_content(const std::string& path, std::string& content) {
  const Descriptor file(open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
  return file && read_all(*file, content);
}

bool put_back_content(const std::string& path, const SavedFile& file) {
  constexpr int k_flags = O_RDWR | O_CLOEXEC | O_NONBLOCK;
  int opened = open(path.c_str(), k_flags);
  if (opened < 0 && errno == EACCES && chmod(path.c_str(), S_IRUSR | S_IWUSR) == 0)
    opened = open(path.c_str(), k_flags);
  const Descriptor descriptor(opened);
  struct stat now {};
  if (!descriptor || fstat(*descriptor, &now) != 0) return false;
  if (id_of(now) != id_of(file.status)) {
    errno = ESTALE;
    return false;
  }
  std::string content;
  if (!read_all(*descriptor, content)) return false;
  if (content != file.content && !write_all(*descriptor, file.content)) return false;
  return put_back_status(path, file.status);
}

bool put_back_status(const std::string& path, const struct stat& status) {
  struct stat now {};
  // A descriptor's name below /proc is a link, and what it leads to is meant.
  const int follow = path.compare(0, 6, "/proc/") == 0 ? 0 : AT_SYMLINK_NOFOLLOW;
  if (fstatat(AT_FDCWD, path.c_str(), &now, follow) != 0) return false;
  if ((now.st_uid != status.st_uid || now.st_gid != status.st_gid) &&
      fchownat(AT_FDCWD, path.c_str(), status.st_uid, status.st_gid, follow) != 0)
    return false;
  if (now.st_mode != status.st_mode && !S_ISLNK(now.st_mode) &&
      chmod(path.c_str(), status.st_mode & 07777) != 0)
    return false;
  if (same_time(now.st_mtim, status.st_mtim)) return true;
  const timespec times[] = {status.st_atim, status.st_mtim};
  return utimensat(AT_FDCWD, path.c_str(), times, follow) == 0;
}

} // namespace reex
