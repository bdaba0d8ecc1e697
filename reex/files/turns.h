// Which test processes may run and change files at the same time: none may see what an execution of another
// one has done to files. So a further worker (-j) starts when the first execution of the one before is over,
// and not before the end of one that has changed files: such a test has one worker.
//
// A test that changes files later only is told from it: its workers then change files by turns, and may have
// read each other's.
//
// Thread safety: all functions may be called from any thread of this process.
#pragma once

namespace reex {

class FileTurns {
public:
  // The test process comes behind those of the same group that exist.
  explicit FileTurns(int group);
  ~FileTurns();
  FileTurns(const FileTurns&) = delete;
  FileTurns& operator=(const FileTurns&) = delete;

  // Waits until the test process may run.
  void await_start();
  void first_execution_is_over();
  // It waits for executions of others. One that goes on from an earlier run may have begun some there.
  void let_others_start();

  // Waits until no other process has changes that are to be put back. False: another one runs.
  bool begin_change();
  void end_changes(); // they have been put back, or stay

  void stop();  // it waits no more
  void leave(); // it has ended, and its changes are undone

private:
  bool holds_up() const; // those behind it
  bool may_start() const;

  const int m_group;
  bool m_started = false;
  bool m_first_is_over = false;
  bool m_changes_files = false;
  bool m_lets_start = false;
  bool m_stopped = false;
};

} // namespace reex
