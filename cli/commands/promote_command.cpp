// reex promote: a test with a schedule of IMUnit from a failing schedule (docs/imunit.md). The work is done
// in a copy of the project, in this order:
//
//   1. the failure is executed once more, and made smaller
//   2. its switches become orderings; all events that they may need are put into the copy, which is built
//   3. orderings are left out and moved outwards as long as the test fails as it did
//   4. the test is written with what is left, built, explored, and run natively
//
// Only then the difference is shown, and with --apply the user's files are written.
#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <set>

#include <fmt/format.h>

#include "cli/commands/commands.h"
#include "cli/project/project_copy.h"
#include "cli/promote/promotion_judge.h"
#include "cli/promote/read_sources.h"
#include "cli/subject/binary.h"
#include "cli/terminal/command_error.h"
#include "cli/terminal/output.h"
#include "git/unified_diff.h"
#include "promotion/reduce.h"
#include "reex/frameworks/table.h"
#include "reex/process/environment.h"
#include "reex/replay/minimize.h"
#include "reex/replay/replay.h"
#include "report/text/text_layout.h"

namespace reex {
namespace {

namespace fs = std::filesystem;
using promotion::Quality;

constexpr std::uint64_t k_search = 10000; // schedules for a smaller failure
constexpr std::chrono::seconds k_time{60};
constexpr unsigned k_native_runs = 10;
constexpr unsigned k_replays = 3;

// The repository around the current folder, or that folder.
fs::path project_root() {
  const fs::path here = fs::canonical(fs::current_path());
  for (fs::path folder = here;; folder = folder.parent_path()) {
    if (fs::exists(folder / ".git")) return folder;
    if (folder == folder.parent_path()) return here;
  }
}

[[noreturn]] void refuse(const std::string& path, const std::string& why) {
  throw UsageError(fmt::format("{} cannot be promoted: {}", path, why));
}

ScheduleFile read_failure(const std::string& path) {
  try {
    return read_schedule_file(path);
  } catch (const ScheduleFileError& error) {
    throw UsageError(error.what());
  }
}

// The check that failed: without its place, which an event moves, and without values.
std::string check_of(const Failure& failure) {
  const std::size_t mark = failure.message.find(": ");
  std::string text = mark == std::string::npos ? failure.message : failure.message.substr(mark);
  for (const char* const values : {"Which is", "with expansion", "\n  values:"})
    text = text.substr(0, text.find(values));
  return text;
}

// Whether a schedule, and not the test itself, has failed: then the test would fail once it is mended, too.
bool complains(const Failure& failure) {
  const auto has = [](const std::string& text) { return text.find("the schedule \"") != std::string::npos; };
  return has(failure.message) || has(failure.stdout_text) || has(failure.stderr_text);
}

// What a failure is, apart from lines: its kind, its check, and the functions of the threads concerned.
std::string shape_of(const Failure& failure) {
  std::multiset<std::string> threads;
  const bool all = failure.kind == "deadlock";
  for (const ThreadPosition& position : failure.where) {
    if (position.state == "finished") continue;
    std::string functions;
    for (const Frame& frame : position.stack)
      if (!frame.system_header) functions += frame.function + ';';
    threads.insert(functions);
    if (!all) break;
  }
  std::string shape = failure.kind;
  if (framework_of_kind(failure.kind) != Framework::none) shape += '|' + check_of(failure);
  for (const std::string& functions : threads) shape += '|' + functions;
  return shape;
}

std::string with_case_name(std::string shape, const std::string& from, const std::string& to) {
  if (from.empty()) return shape;
  for (std::size_t at = shape.find(from); at != std::string::npos; at = shape.find(from, at + to.size()))
    shape.replace(at, from.size(), to);
  return shape;
}

// Names that a framework makes from a line or a number.
std::string without_numbers(const std::string& text) {
  std::string made;
  for (const char c : text)
    if (std::isdigit(static_cast<unsigned char>(c)) == 0) made += c;
  return made;
}

std::string class_name(std::string test_name) {
  std::replace(test_name.begin(), test_name.end(), '.', '_');
  return test_name + "_Test";
}

class Promotion {
public:
  Promotion(const Invocation& invocation, const std::string& path)
      : m_options(invocation.settings.options), m_path(path), m_file(read_failure(path)),
        m_root(project_root()) {
    m_build = m_options.build;
    if (m_build.empty() && invocation.settings.file) m_build = invocation.settings.file->build;
  }

  ExitStatus run() {
    check_request();
    reproduce();
    read_the_sources();
    const ProjectCopy copy(m_root, m_binary.path);
    find_schedule(copy);
    write_test(copy);
    verify(copy);
    tell();
    return ExitStatus::passed;
  }

private:
  void check_request() {
    if (m_file.failure_kind.empty()) refuse(m_path, "it is no failure: there is nothing to keep");
    Failure known;
    known.kind = m_file.failure_kind;
    if (const std::string why = promotion::inexpressible(known, m_file.decisions); !why.empty())
      refuse(m_path, why);
    if (m_build.empty())
      throw UsageError(
          "promote builds the test: give the command, as --build 'make test', or set build in .reex.toml");
    if (m_file.framework_of_case() == Framework::none && m_options.promote_to.empty())
      throw UsageError(
          "a program without a test framework is promoted to a program of its own: give --to FILE");
    if (!m_options.promote_to.empty() && fs::exists(m_options.promote_to))
      throw UsageError(fmt::format("{} is there already: give --to another file", m_options.promote_to));
    m_binary = require_binary(m_file.binary);
    if (!m_file.build_id.empty() && m_binary.build_id != m_file.build_id)
      refuse(m_path, "its test was rebuilt since: explore the test again, and promote that failure");
  }

  // A failure that comes and goes under one schedule would make a test that comes and goes.
  void require_repeatable(const RuntimeFiles& runtime) const {
    unsigned failed = 0;
    for (unsigned i = 0; i < k_replays; ++i)
      failed += replay(m_file, runtime).verdict == ReplayResult::Verdict::failed;
    if (failed != 0 && failed != k_replays)
      refuse(m_path,
             fmt::format("it is flaky under reex: of {} replays {} fail, so the test reads what reex does "
                         "not control",
                         k_replays, failed));
  }

  void reproduce() {
    const RuntimeFiles runtime = require_runtime(m_binary);
    require_repeatable(runtime);
    MinimizeResult result = minimize(
        m_file, {.runtime = runtime, .frame_bits = {}, .executions = 0, .time = k_time, .search = k_search});
    if (result.error)
      throw CommandError(status_of(result.error.kind), fmt::format("{}: {}", m_path, result.error.text));
    m_failure = std::move(result.failure);
    const std::string build_id = m_file.build_id;
    m_file = std::move(result.file);
    m_file.build_id = build_id;
    if (const std::string why = promotion::inexpressible(m_failure, m_file.decisions); !why.empty())
      refuse(m_path, why);
  }

  void read_the_sources() {
    m_sources = read_sources(m_failure, m_file, m_binary, m_root, m_options);
    promotion::Sources may;
    for (const auto& [path, source] : m_sources.all)
      if (m_options.in_product || path == m_sources.test) may.emplace(path, source);
    m_plan =
        m_options.external ? promotion::make_external_plan(m_failure) : promotion::make_plan(m_failure, may);
    if (m_plan.constraints.empty())
      refuse(m_path, m_plan.left_out.empty() ? "it fails without a switch that orderings could express: the "
                                               "test fails as it is, or keep the schedule file"
                                             : no_place());
  }

  std::string no_place() const {
    tell_switches();
    return fmt::format("no event can stand where its threads are switched ({}{}): {}",
                       m_plan.left_out.front(), m_plan.left_out.size() > 1 ? ", ..." : "", consent());
  }

  std::string consent() const {
    return m_options.external ? "keep the schedule file, and replay it"
           : m_options.in_product
               ? "--form external puts events at operations; or keep the schedule file"
               : "--in-product lets events stand in other files than the test's; or keep the "
                 "schedule file";
  }

  void build(const ProjectCopy& copy, const char* what) const {
    say(fmt::format("building {}: {}", what, m_build));
    if (const std::string said = copy.build(m_build); !said.empty())
      throw UsageError(
          said.find("reex/imunit.h: No such") != std::string::npos ||
                  said.find("'reex/imunit.h' file not found") != std::string::npos
              ? fmt::format("the test does not find reex/imunit.h: link its target with reex::imunit\n{}",
                            said)
              : fmt::format(
                    "the build failed in a copy of the project, where it must work from scratch: {}\n{}",
                    m_build, said));
    if (const fs::path made = copy.at(fs::canonical(m_file.binary)); !fs::exists(made))
      throw UsageError(
          fmt::format("'{}' made no {} in a copy of the project: it must build into the same folder", m_build,
                      fs::path(m_file.binary).lexically_relative(m_root).string()));
  }

  // Step 2 and 3.
  void find_schedule(const ProjectCopy& copy) {
    const std::vector<promotion::Insertion> all = promotion::all_insertions(m_plan);
    for (const auto& [path, source] : m_sources.all) {
      if (path == m_sources.test)
        copy.write(path, promotion::probe(source.text, path, m_sources.range, all,
                                          promotion::all_declarations(m_plan)));
      else
        write_product(copy, path, all);
    }
    build(copy, "the test with all events that may be needed");
    ScheduleFile moved = m_file;
    moved.binary = copy.at(fs::canonical(m_file.binary)).string();
    const BinaryInfo binary = require_binary(moved.binary);
    const RuntimeFiles runtime = require_runtime(binary);
    const ReplayResult replayed = replay(moved, runtime);
    if (replayed.verdict != ReplayResult::Verdict::failed || !replayed.failure ||
        shape_of(*replayed.failure) != shape_of(m_failure))
      throw CommandError(
          ExitStatus::diverged,
          fmt::format("the failure does not come again in a copy of the project, built by '{}': build the "
                      "test so, explore it, and promote that failure ({})",
                      m_build, replayed.message));
    const PromotionSetup setup{.file = m_file,
                               .binary = moved.binary,
                               .test_name = m_file.test_name,
                               .runtime = runtime,
                               .promoted = replayed.promoted,
                               .bound = m_options.bound.value_or(2)};
    const std::string wanted = shape_of(m_failure);
    std::string other;
    m_reduction = promotion::reduce(m_plan, [&](const std::string& schedule) {
      setenv(promotion::k_schedule_variable, schedule.c_str(), 1);
      const Judgement judgement = judge(
          setup, [&](const Failure& failure) { return shape_of(failure) == wanted && !complains(failure); });
      unsetenv(promotion::k_schedule_variable);
      if (m_options.verbose)
        say(fmt::format("{}: {} of {} executions fail so, {} stuck{}{}", schedule, judgement.fail,
                        judgement.executions, judgement.stuck, judgement.other.empty() ? "" : "; ",
                        judgement.other));
      if (other.empty()) other = judgement.other;
      return judgement.quality;
    });
    if (m_reduction.quality == Quality::none) refuse(m_path, not_reproduced(other));
  }

  std::string not_reproduced(const std::string& other) const {
    tell_switches();
    return fmt::format(
        "no orderings make the test fail so; of {}, the first had {}. A switch within a statement "
        "needs the statement to be written as two; {}",
        counted(m_reduction.asked, "schedule", "schedules"), other.empty() ? "no failure" : other, consent());
  }

  void tell_switches() const {
    if (!m_options.verbose) return;
    for (const promotion::Constraint& constraint : m_plan.constraints) say(constraint.words);
    for (const std::string& words : m_plan.left_out) say(words + ": no event can stand there");
    for (const std::string& note : m_sources.notes) say(note);
  }

  void write_product(const ProjectCopy& copy, const std::string& path,
                     const std::vector<promotion::Insertion>& insertions) const {
    copy.write(path, product_text(path, insertions));
  }

  std::string product_text(const std::string& path,
                           const std::vector<promotion::Insertion>& insertions) const {
    const std::string& text = m_sources.all.at(path).text;
    const bool touched =
        std::any_of(insertions.begin(), insertions.end(),
                    [&](const promotion::Insertion& each) { return each.place.file == path; });
    if (!touched) return text;
    return promotion::with_header(promotion::with_insertions(text, path, insertions));
  }

  // Step 4.
  void write_test(const ProjectCopy& copy) {
    const std::vector<promotion::Insertion> used = promotion::insertions_of(m_plan, m_reduction.selection);
    promotion::CaseRequest request{.framework = m_file.framework_of_case(),
                                   .test_name = m_file.test_name,
                                   .new_name = m_options.promote_name,
                                   .schedule = promotion::schedule_text(m_plan, m_reduction.selection),
                                   .declarations = promotion::declarations_of(m_plan, m_reduction.selection),
                                   .expect = m_options.expect,
                                   .remark = {}};
    request.remark =
        fmt::format("The failing schedule of {} ({}){}",
                    m_file.test_name.empty() ? "main()" : m_file.test_name, m_failure.kind,
                    request.expect == promotion::Expect::infeasible ? ", which must stay impossible."
                    : request.expect == promotion::Expect::passes   ? ", which must not fail again."
                                                                    : ".");
    m_new_name = m_file.framework_of_case() == Framework::none ? "" : promotion::new_name_of(request);
    m_schedule = request.schedule;
    for (const auto& [path, source] : m_sources.all) {
      if (path != m_sources.test) {
        if (const std::string text = product_text(path, used); text != source.text) m_written[path] = text;
        copy.write(path, product_text(path, used));
        continue;
      }
      const bool in_place = m_options.promote_to.empty();
      const std::string text =
          in_place ? promotion::beside(source.text, path, m_sources.range, used, request)
                   : promotion::alone(source.text, path, source.shape, m_sources.range, used, request);
      copy.write(path, text); // in place of the test's file, so that it is built as that is
      m_written[in_place ? path : fs::absolute(m_options.promote_to).lexically_normal().string()] = text;
    }
    build(copy, "the promoted test");
  }

  void verify(const ProjectCopy& copy) {
    const std::string path = copy.at(fs::canonical(m_file.binary)).string();
    const BinaryInfo binary = require_binary(path);
    PromotionSetup setup{.file = m_file,
                         .binary = path,
                         .test_name = m_new_name,
                         .runtime = require_runtime(binary),
                         .promoted = {},
                         .bound = m_options.bound.value_or(2)};
    const std::string wanted = without_numbers(
        with_case_name(shape_of(m_failure), class_name(m_file.test_name), class_name(m_new_name)));
    const auto is_same = [&](const Failure& failure) {
      // Under REEX_INFEASIBLE a case that goes on to its end complains as well.
      return without_numbers(shape_of(failure)) == wanted &&
             (m_options.expect == promotion::Expect::infeasible || !complains(failure));
    };
    m_verified = judge(setup, is_same);
    if (m_verified.fail == 0)
      refuse(m_path, fmt::format("the written test does not fail so ({})",
                                 m_verified.other.empty() ? "it passes" : m_verified.other));
    if (m_options.external) return; // natively nobody knows its places
    m_native = native_failures(setup, k_native_runs);
    if (m_native < k_native_runs)
      refuse(m_path,
             fmt::format("natively {} of {} runs fail under the schedule {}: only reex keeps the order "
                         "that it needs beside. Keep the schedule file, and replay it",
                         m_native == 0 ? "none" : std::to_string(m_native), k_native_runs, m_schedule));
  }

  void tell() {
    std::string text;
    for (const auto& [path, made] : m_written) {
      const auto source = m_sources.all.find(path);
      text += unified_diff(fs::path(path).lexically_relative(m_root).string(),
                           source == m_sources.all.end() ? "" : source->second.text, made);
    }
    print(text);
    const std::string title = m_new_name.empty() ? m_options.promote_to : m_new_name;
    std::string words = fmt::format("PROMOTED {}: {}\n  schedule   {}\n", title, m_failure.kind, m_schedule);
    words += fmt::format("  under reex {} of {} fail so{}, {}\n", m_verified.fail,
                         counted(m_verified.executions, "execution", "executions"),
                         m_verified.stuck == 0 ? "" : fmt::format(", {} stuck", m_verified.stuck),
                         m_reduction.quality == Quality::first
                             ? "not robust: other executions obey the schedule, too"
                             : "robust: every execution that obeys the schedule");
    words += m_options.external ? "  natively   skipped: reex alone knows where its events occur\n"
                                : fmt::format("  natively   {} of {} runs fail\n", m_native, k_native_runs);
    words += fmt::format("  tried      {}\n", counted(m_reduction.asked, "schedule", "schedules"));
    if (m_options.apply) {
      for (const auto& [path, made] : m_written) write_report(path, made);
      words += fmt::format("  written    {}\n", counted(m_written.size(), "file", "files"));
    } else {
      words += "Nothing was written: --apply writes it.\n";
    }
    print(words);
  }

  const Options& m_options;
  std::string m_path;
  ScheduleFile m_file;
  fs::path m_root;
  std::string m_build;
  BinaryInfo m_binary;
  Failure m_failure;
  PromotionSources m_sources;
  promotion::Plan m_plan;
  promotion::Reduction m_reduction;
  std::string m_new_name, m_schedule;
  std::map<std::string, std::string> m_written;
  Judgement m_verified;
  unsigned m_native = 0;
};

} // namespace

ExitStatus promote_command(const Invocation& invocation) {
  const auto& operands = invocation.line.operands;
  if (operands.size() != 1) throw UsageError("promote needs one schedule file: give one from .reex/failures");
  unset_git_local_variables();
  return Promotion(invocation, operands.front()).run();
}

} // namespace reex
