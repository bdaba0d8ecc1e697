// What processes of a test do to files, so that it can be undone: each change with its inverse, in order.
// Undone in the reverse order, each inverse finds the files as they were right after its change, so paths
// name the same things again.
//
// A removed file or folder is moved away and moved back, so it is the same one afterwards: descriptors from
// before stay valid. Contents are copied before a file is opened for writing.
//
// Not kept: extended attributes, and the time of the last access.
//
// Thread safety: none. Cost: a few system calls for each change, and a copy of each file that is written.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "reex/files/place.h"
#include "reex/files/saved_file.h"
#include "reex/files/shelf.h"

namespace reex {

class FileJournal {
public:
  // Copies at most `room` bytes.
  FileJournal(FileShelf& shelf, std::uint64_t room) : m_shelf(shelf), m_room(room) {}

  // The kernel is about to do this, if it can.
  void will_open(const FilePlace& place, bool creates);    // for writing, or to cut it
  void will_create(const FilePlace& place, bool new_file); // false: a further name of a file
  void will_change_status(const FilePlace& place);

  // Does it in place of the kernel: 0 or an errno. Empty: the kernel shall do it; it fails, or nothing is
  // lost.
  std::optional<int> remove(const FilePlace& place, bool folder);
  std::optional<int> rename(const FilePlace& from, const FilePlace& to, unsigned flags);

  void leave_out(const FileId& file) { m_saved.insert(file); } // somebody else keeps its content
  bool empty() const { return m_changes.empty(); }
  void undo();

  // The first change that could not be kept or undone; "" if there was none.
  const std::string& problem() const { return m_problem; }

private:
  struct Change {
    enum class Kind { created, removed, renamed, exchanged, written, status };
    Kind kind = Kind::created;
    std::string path;
    std::string other;   // where it was moved to
    bool is_new = false; // what was moved did not exist at first, and may be gone
    std::unique_ptr<SavedFile> file;
  };

  void add(Change::Kind kind, const std::string& path, const std::string& other = "", bool is_new = false);
  void keep_status(const std::string& path);
  void touch_folder(const FilePlace& place) { keep_status(place.folder); }
  bool is_new(const struct stat& status);
  std::string take(const FilePlace& place, const struct stat& status);
  bool undo(const Change& change);
  void note(const std::string& path, const char* what, int error);

  FileShelf& m_shelf;
  std::uint64_t m_room;
  std::uint64_t m_copied = 0;
  std::vector<Change> m_changes;
  std::set<FileId> m_saved;             // contents
  std::set<FileId> m_status;            // mode, owner, times
  std::set<FileId> m_new;               // created since the journal was empty
  std::vector<std::string> m_to_appear; // created by the kernel by now, or not
  std::string m_problem;
};

} // namespace reex
