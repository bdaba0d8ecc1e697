#include "reex/files/journal.h"

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <fcntl.h>
#include <filesystem>
#include <unistd.h>

namespace reex {
namespace {

constexpr std::size_t k_most_changes = 1 << 20;

bool look(const std::string& path, struct stat& status) { return lstat(path.c_str(), &status) == 0; }

bool is_empty_folder(const std::string& path) {
  std::error_code error;
  return std::filesystem::is_empty(path, error) && !error;
}

} // namespace

void FileJournal::note(const std::string& path, const char* what, int error) {
  if (!m_problem.empty()) return;
  m_problem = path + " " + what;
  if (error != 0) m_problem += std::string(": ") + std::strerror(error);
}

void FileJournal::add(Change::Kind kind, const std::string& path, const std::string& other, bool is_new) {
  if (m_changes.size() == k_most_changes) note(path, "was changed after too many other changes", 0);
  m_changes.push_back({.kind = kind, .path = path, .other = other, .is_new = is_new, .file = nullptr});
}

// Whether the file was created since the journal was empty.
bool FileJournal::is_new(const struct stat& status) {
  struct stat appeared {};
  std::erase_if(m_to_appear, [&](const std::string& path) {
    if (!look(path, appeared)) return false; // nobody has created it yet
    m_new.insert(id_of(appeared));
    return true;
  });
  return m_new.contains(id_of(status));
}

void FileJournal::keep_status(const std::string& path) {
  struct stat status {};
  if (!look(path, status) || is_new(status) || !m_status.insert(id_of(status)).second) return;
  add(Change::Kind::status, path);
  m_changes.back().file = std::make_unique<SavedFile>();
  m_changes.back().file->status = status;
}

void FileJournal::will_change_status(const FilePlace& place) { keep_status(place.path()); }

void FileJournal::will_create(const FilePlace& place, bool new_file) {
  struct stat status {};
  const std::string path = place.path();
  if (look(path, status)) return; // it fails
  is_new(status);                 // takes in what has appeared
  touch_folder(place);
  add(Change::Kind::created, path);
  if (new_file) m_to_appear.push_back(path);
}

void FileJournal::will_open(const FilePlace& place, bool creates) {
  struct stat status {};
  const std::string path = place.path();
  if (!look(path, status)) {
    if (creates) will_create(place, true);
    return;
  }
  if (!S_ISREG(status.st_mode) || is_new(status) || m_saved.contains(id_of(status))) return;
  if (m_copied + static_cast<std::uint64_t>(status.st_size) > m_room)
    return note(path, "is written, and more than 64 MB of content would have to be kept", 0);
  auto file = std::make_unique<SavedFile>();
  file->status = status;
  if (!read_content(path, file->content)) {
    if (access(path.c_str(), W_OK) == 0) note(path, "is written, and cannot be read", errno);
    return;
  }
  m_copied += file->content.size();
  m_saved.insert(id_of(status));
  add(Change::Kind::written, path);
  m_changes.back().file = std::move(file);
}

// Moves the entry away. "": what the test may not remove, nobody can move; anything else is told.
std::string FileJournal::take(const FilePlace& place, const struct stat& status) {
  std::string kept = m_shelf.take(place);
  if (kept.empty() && errno == EACCES && S_ISDIR(status.st_mode)) { // moving it changes its entry ".."
    keep_status(place.path());
    if (chmod(place.path().c_str(), status.st_mode | S_IRWXU) == 0) kept = m_shelf.take(place);
  }
  if (kept.empty() && errno != EACCES && errno != EPERM && errno != EBUSY && errno != EROFS)
    note(place.path(), "is removed, and cannot be kept", errno);
  return kept;
}

std::optional<int> FileJournal::remove(const FilePlace& place, bool folder) {
  struct stat status {};
  const std::string path = place.path();
  if (!look(path, status) || S_ISDIR(status.st_mode) != folder || (place.folder_wanted && !folder) ||
      (folder && !is_empty_folder(path)) || is_new(status))
    return {};
  touch_folder(place);
  const std::string kept = take(place, status);
  if (kept.empty()) return {};
  add(Change::Kind::removed, path, kept);
  return 0;
}

std::optional<int> FileJournal::rename(const FilePlace& from, const FilePlace& to, unsigned flags) {
  struct stat old {
  }, replaced{};
  const std::string path = from.path();
  const std::string target = to.path();
  if (!look(path, old) || (from.folder_wanted && !S_ISDIR(old.st_mode))) return {};
  const bool exists = look(target, replaced);
  if ((flags & RENAME_NOREPLACE) != 0 && exists) return {};
  if ((flags & ~static_cast<unsigned>(RENAME_NOREPLACE | RENAME_EXCHANGE)) != 0) {
    note(path, "is renamed in a way that cannot be undone", 0);
    return {};
  }
  const bool was_new = is_new(old);
  const auto move = [&](unsigned how) {
    return renameat2(AT_FDCWD, path.c_str(), AT_FDCWD, target.c_str(), how) == 0 ? 0 : errno;
  };
  if ((flags & RENAME_EXCHANGE) != 0) {
    if (!exists) return {};
    touch_folder(from);
    touch_folder(to);
    const int error = move(RENAME_EXCHANGE);
    if (error == 0) add(Change::Kind::exchanged, path, target);
    return error;
  }
  if (exists && id_of(old) == id_of(replaced)) return {};
  if (exists && S_ISDIR(old.st_mode) != S_ISDIR(replaced.st_mode)) return {};
  if (exists && S_ISDIR(replaced.st_mode) && !is_empty_folder(target)) return {};
  touch_folder(from);
  touch_folder(to);
  std::string kept;
  if (exists && !is_new(replaced)) {
    kept = take(to, replaced);
    if (kept.empty()) return {};
  }
  const int error = move(0);
  if (!kept.empty()) {
    if (error != 0) {
      if (!m_shelf.give_back(kept, target)) note(target, "cannot be put back", errno);
      return error;
    }
    add(Change::Kind::removed, target, kept);
  }
  if (error == 0) add(Change::Kind::renamed, path, target, was_new);
  return error;
}

bool FileJournal::undo(const Change& change) {
  struct stat status {};
  switch (change.kind) {
  case Change::Kind::created:
    if (!look(change.path, status)) return true;
    return (S_ISDIR(status.st_mode) ? rmdir(change.path.c_str()) : unlink(change.path.c_str())) == 0;
  case Change::Kind::removed:
    return m_shelf.give_back(change.other, change.path);
  case Change::Kind::renamed:
    return ::rename(change.other.c_str(), change.path.c_str()) == 0 || (errno == ENOENT && change.is_new);
  case Change::Kind::exchanged:
    return renameat2(AT_FDCWD, change.path.c_str(), AT_FDCWD, change.other.c_str(), RENAME_EXCHANGE) == 0;
  case Change::Kind::written:
    return put_back_content(change.path, *change.file);
  case Change::Kind::status:
    return put_back_status(change.path, change.file->status);
  }
  return false;
}

void FileJournal::undo() {
  while (!m_changes.empty()) {
    const Change& change = m_changes.back();
    if (!undo(change)) note(change.path, "cannot be put back", errno);
    m_changes.pop_back();
  }
  m_saved.clear();
  m_status.clear();
  m_new.clear();
  m_to_appear.clear();
  m_copied = 0;
}

} // namespace reex
