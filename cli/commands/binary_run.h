// Explores one binary: checks the options, finds the change and the tests, explores these, and prints what
// comes of them.
//
// Errors: CommandError for what the user has to mend before anything is explored.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "cli/commands/explored.h"
#include "cli/receipts/receipt_keeper.h"
#include "cli/run/explore_tests.h"
#include "cli/subject/binary.h"
#include "cli/subject/change.h"
#include "cli/verdict/suppress.h"
#include "report/terminal.h"
#include "report/text/source_lines.h"

namespace reex {

class BinaryRun {
public:
  // The changes of binaries that other tests of the project have run, by their paths: analysed, or on the
  // way.
  using Changes = std::map<std::string, std::optional<Change>>;

  // What other tests of the project leave to the next.
  struct Common {
    Changes changes;
    ToldLines races; // the lines of those that were told
  };

  // Of a [[test]], `entry` is what the project says; its folder and environment are in force. `common` may
  // be null. The arguments must outlive the object.
  BinaryRun(const Invocation& invocation, const TerminalOptions& terminal, const TestEntry* entry,
            const ProjectRun& how, RunOutput& output, Common* common = nullptr);

  Explored execute();
  // What says that the same has passed before.
  std::optional<Receipt> receipt();

private:
  void prepare();
  void analyse();
  void read_suppressions(std::vector<std::string>& notes);
  void check_options() const;
  Analysis analysis() const;
  void leave_out_of_reach(std::vector<std::string>& notes);
  void take_notes(const std::vector<std::string>& notes);
  void refuse_misspelled_verb(const std::string& word) const;
  ReceiptKeeper receipt_keeper() const;
  ExploreTests job(const std::string& failures_folder);
  bool base_has_shown(const Finding& finding);
  std::vector<TestRun> explore_all();
  std::string part() const;
  std::optional<std::string> root() const;
  std::string output_folder() const;
  std::string section(const TestRun& run);
  std::vector<std::string> finished_states(std::vector<TestRun>& runs) const;
  std::string resume_command() const;
  std::string closing(const std::vector<TestRun>& runs) const;
  ExitStatus status(const std::vector<TestRun>& runs) const;

  const Invocation& m_invocation;
  const Options& m_options;
  const TerminalOptions& m_terminal;
  const TestEntry* m_entry;
  const ProjectRun& m_how;
  RunOutput& m_output;
  Common* m_common;
  DiskSourceLines m_sources;
  BinaryInfo m_binary;
  std::optional<Change> m_change;
  mutable std::optional<std::optional<std::string>> m_discovered; // the root, if there is no change
  std::optional<ReceiptKeeper> m_receipts;
  std::optional<std::vector<KnownRace>> m_races_of_base; // read when there is one in question
  TestSelection m_tests;
  std::vector<std::string> m_notes;
  std::vector<std::string> m_skipped; // titles of tests
  std::string m_why_all;              // Explored::why_all
  ToldLines m_told;
  std::optional<RunFile> m_races;
  Suppressions m_suppressions;
};

} // namespace reex
