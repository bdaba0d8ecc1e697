// `reex imunit infer` and `reex imunit migrate`.
#include <filesystem>
#include <set>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "cli/commands/commands.h"
#include "cli/imunit/infer_test.h"
#include "cli/imunit/migrate.h"
#include "cli/imunit/verify.h"
#include "cli/subject/binary.h"
#include "cli/subject/test_entries.h"
#include "cli/subject/tests_of_binary.h"
#include "cli/terminal/command_error.h"
#include "cli/terminal/output.h"
#include "git/repository.h"
#include "git/unified_diff.h"
#include "imunit/print.h"
#include "imunit/rewrite.h"
#include "reex/process/environment.h"

namespace reex {
namespace {

namespace fs = std::filesystem;

class ImunitRun {
public:
  explicit ImunitRun(const Invocation& invocation)
      : m_invocation(invocation), m_options(invocation.settings.options),
        m_binary(require_binary(invocation.line.operands[1])), m_folder(fs::current_path().string()) {
    m_binary.path = fs::canonical(m_binary.path).string();
    unset_git_local_variables();
    m_tests = select_tests_of(m_binary, m_options.filter);
  }

  ExitStatus infer() {
    infer_all();
    inference::InferenceReport report(m_binary.path);
    for (const InferredTest& test : m_inferred) {
      const inference::Subject subject{title(test.name), m_binary.path, *test.source};
      const inference::Rewriting rewriting = inference::rewrite(test.inference, *test.source);
      const std::string diff = diff_of(test, rewriting);
      if (m_options.format.text) {
        print(inference_text(test.inference, subject, m_folder));
        if (m_options.verbose) print("Log:\n" + log_text(test.inference.log, test.source.get()));
        print(rewriting.refusal.empty() ? diff : fmt::format("Not rewritten: {}\n", rewriting.refusal));
      }
      report.add(test.inference, subject, diff);
    }
    for (const auto& [name, why] : m_refused) report.add_refusal(title(name), why);
    for (const ReportFile& file : m_options.format.files) write_report(file.path, report.text());
    return m_status;
  }

  ExitStatus migrate() {
    infer_all();
    Migration migration = migrate_inferred();
    for (const InferredTest& test : m_inferred) tell_what_stays(test);
    if (migration.files.empty())
      throw UsageError("no test can be migrated: reex imunit infer -v says what was seen");
    if (m_options.apply && !m_options.force)
      for (const MigratedFile& file : migration.files) require_clean(file.path);
    print(migration.diff);
    if (m_options.verify) verify(migration);
    if (!m_options.apply || migration.files.empty()) return m_status;
    for (const MigratedFile& file : migration.files) {
      replace_file(file.path, file.migrated);
      print(fmt::format("WRITTEN {}\n", file.path));
    }
    return m_status;
  }

private:
  std::string title(const std::string& name) const { return name.empty() ? m_binary.path : name; }

  Migration migrate_inferred() {
    std::vector<std::string> refusals;
    Migration migration = reex::migrate(m_inferred, m_not_inferred, m_folder, refusals);
    for (const std::string& refusal : refusals)
      if (m_said.insert(refusal).second) say(refusal + ": it stays as it is");
    return migration;
  }

  // A test that cannot be inferred is said; the others go on.
  void infer_all() {
    unsigned without = 0;
    for (const std::string& name : m_tests.names) {
      try {
        m_inferred.push_back(
            infer_test(m_binary, m_invocation.line.test_arguments, m_tests.framework, name, m_options));
      } catch (const NothingToInfer& error) {
        if (m_tests.names.size() == 1) throw;
        m_not_inferred.insert(name);
        m_refused.emplace_back(name, error.what());
        if (m_options.verbose) say(error.what());
        ++without;
      } catch (const CommandError& error) {
        if (m_tests.names.size() == 1) throw;
        m_not_inferred.insert(name);
        m_refused.emplace_back(name, error.what());
        say(error.what());
        if (m_status == ExitStatus::passed) m_status = error.status();
      }
    }
    if (without == m_tests.names.size())
      throw UsageError(fmt::format(
          "none of the {} tests creates a thread and sleeps: there is nothing to infer", without));
    if (without != 0)
      say(fmt::format("{} of {} tests create no thread, or never sleep: -v names them", without,
                      m_tests.names.size()));
  }

  std::string diff_of(const InferredTest& test, const inference::Rewriting& rewriting) const {
    const std::string& path = test.source->path();
    return unified_diff(path.starts_with(m_folder + '/') ? path.substr(m_folder.size() + 1) : path,
                        test.source->text(), applied(test.source->text(), rewriting.edits));
  }

  void tell_what_stays(const InferredTest& test) const {
    for (const inference::LeftOut& item : test.inference.left_out)
      if (item.what.find("sleep") != std::string::npos)
        say(fmt::format("{}:{}: {} stays: {}", test.source->path(), item.line, item.what, item.why));
  }

  // The project's root and the command that builds it.
  std::pair<std::string, std::string> project(const std::string& file) const {
    std::string root = root_of_repository(file);
    root = fs::canonical(root.empty() ? m_folder : root).string();
    if (!m_options.build.empty()) return {root, m_options.build};
    try {
      const ProjectTests project = require_project_tests(m_invocation.settings);
      if (!project.build.empty()) return {project.root, project.build};
    } catch (const UsageError&) { // there is no .reex.toml with tests
    }
    throw UsageError("--verify builds the migrated test: say how, as in --build 'cmake --build build'");
  }

  // Tests whose migration fails a check are left out of it, and the others are checked again; with --force
  // all stay.
  void verify(Migration& migration) {
    const auto [root, build] = project(migration.files.front().path);
    while (!migration.files.empty()) {
      const std::vector<Check> checks = verify_migration({.binary = m_binary,
                                                          .framework = m_tests.framework,
                                                          .root = root,
                                                          .build = build,
                                                          .tests = migration.tests,
                                                          .arguments = m_invocation.line.test_arguments,
                                                          .files = migration.files});
      std::set<std::string> failed;
      for (const Check& check : checks) {
        print(fmt::format("{} {}: {}\n", check.holds() ? "HOLDS" : "FAILS", check.name, check.text));
        if (!check.problem.empty()) print("  " + check.problem + '\n');
        for (const auto& [test, problem] : check.problems) {
          print(fmt::format("  {}: {}\n", title(test), problem));
          failed.insert(test);
        }
        if (!check.problem.empty()) failed.insert(migration.tests.begin(), migration.tests.end());
      }
      if (failed.empty()) return;
      m_status = ExitStatus::failed;
      if (m_options.force) return;
      std::erase_if(m_inferred, [&](const InferredTest& test) { return failed.count(test.name) != 0; });
      m_not_inferred.insert(failed.begin(), failed.end());
      migration = migrate_inferred();
      if (migration.files.empty()) return;
      print(fmt::format("Without {}:\n{}", fmt::join(failed, ", "), migration.diff));
    }
  }

  const Invocation& m_invocation;
  const Options& m_options;
  BinaryInfo m_binary;
  std::string m_folder;
  TestSelection m_tests;
  std::vector<InferredTest> m_inferred;
  std::vector<std::pair<std::string, std::string>> m_refused; // test, why
  std::set<std::string> m_said;                               // refusals
  std::set<std::string> m_not_inferred; // these, those without sleeps, and those that failed
  ExitStatus m_status = ExitStatus::passed;
};

} // namespace

ExitStatus imunit_command(const Invocation& invocation) {
  const auto& operands = invocation.line.operands;
  if (operands.size() != 2 || (operands[0] != "infer" && operands[0] != "migrate"))
    throw UsageError("imunit takes infer or migrate, and one test binary: reex imunit infer TEST_BINARY");
  const Options& options = invocation.settings.options;
  const bool migrates = operands[0] == "migrate";
  if (!migrates && (options.apply || options.verify || options.force))
    throw UsageError("--apply, --verify and --force are for a migration: reex imunit migrate TEST_BINARY");
  for (const ReportFile& file : options.format.files) {
    if (file.kind != ReportKind::json || migrates)
      throw UsageError("imunit infer reports as text and as json:PATH, migrate as text: give one of them");
    check_report_path(file.path);
  }
  ImunitRun run(invocation);
  return migrates ? run.migrate() : run.infer();
}

} // namespace reex
