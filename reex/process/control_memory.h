// Makes and maps the control block (reex/shared/control.h): a sparse file that the test inherits. In memory
// it ends with the last process. In a folder (.reex/runs) it outlives all processes, and a later run can
// continue from it.
//
// Thread safety: one thread of the parent; the processes of the test write to the block at any moment. What
// is read from it goes through reex/records.
//
// The table of seen steps is looked up at random. Where the block is a file on a disk, the table is in memory
// of its own all the same (reex/search/table_memory.h), and comes into the file with this object's end. A run
// that is killed leaves none: who continues it learns anew what was seen, and executes some schedules more.
//
// When its run has ended, pack_file() (packed_file.h) may take its holes out; left_at() reads both forms.
//
// Invariants: the file is locked as long as its object lives. Its name comes from the caller, never from the
// block.
#pragma once

#include <stdexcept>
#include <string>

#include "reex/shared/control.h"

namespace reex {

// A run cannot continue an earlier one: why, in one line.
struct ResumeError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

class ControlMemory {
public:
  ControlMemory(); // in memory; throws std::system_error
  // In a file that is a state from publish() on, and then takes the place of an earlier one; makes the
  // folders, too. If another run uses that file, or its file system has no room for it, the block is in
  // memory.
  static ControlMemory at(const std::string& path);
  // What an earlier run left in the file. Waits up to five seconds for its last processes. Throws
  // ResumeError.
  static ControlMemory left_at(const std::string& path);
  ~ControlMemory();
  ControlMemory(ControlMemory&& other) noexcept;
  ControlMemory(const ControlMemory&) = delete;
  ControlMemory& operator=(const ControlMemory&) = delete;

  ControlBlock& operator*() const { return *m_control; }
  ControlBlock* operator->() const { return m_control; }
  int descriptor() const { return m_descriptor; }
  int table_descriptor() const { return m_table; } // -1: the table is in the block

  // Waits until the test has something to say, at most `milliseconds`.
  void wait(std::uint32_t seen, int milliseconds) const;

  const std::string& path() const { return m_path; } // "": in memory
  // The file is a state, and takes the place of an earlier one. A run that is killed before this leaves
  // nothing to continue.
  void publish();

private:
  ControlMemory(int descriptor, std::string path);
  void unpack();
  void map();
  void map_table();
  void load_table();
  void store_table();
  void initialize();

  int m_descriptor = -1;
  int m_table = -1;
  int m_replaced = -1;   // the file whose place it takes; locked
  bool m_is_new = false; // there was no such file; no state until it has its magic number
  std::string m_path;
  ControlBlock* m_control = nullptr;
};

// Wakes the process that waits for the word to change.
void futex_wake(std::atomic<std::uint32_t>& word);

} // namespace reex
