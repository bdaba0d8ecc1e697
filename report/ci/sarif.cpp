#include "report/ci/sarif.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <string_view>

#include "reex/run/finding_kinds.h"
#include "report/document/run_words.h"
#include "report/failure_text.h"
#include "report/text/bytes_text.h"
#include "report/text/needed_switches.h"
#include "report/text/paths.h"
#include "report/text/text_layout.h"
#include "report/text/trace_rows.h"

namespace reex {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t k_most_steps = 1000;

Json message(const std::string& text) { return {{"text", escape_invalid_utf8(text)}}; }

// RFC 3986: everything but unreserved characters and '/' is escaped.
std::string uri(std::string_view path) {
  constexpr std::string_view k_plain = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~/";
  std::string text;
  for (const char c : path)
    text += k_plain.find(c) != std::string_view::npos ? std::string(1, c)
                                                      : fmt::format("%{:02X}", static_cast<unsigned char>(c));
  return text;
}

class Writer {
public:
  explicit Writer(const RunReport& report) : m_report(report) {}

  std::string write() {
    Json results = Json::array();
    for (const TestRun& run : m_report.runs) {
      for (const Failure& failure : run.failures) results.push_back(of_failure(run, failure));
      for (const Finding& finding : run.findings) results.push_back(of_finding(run, finding));
      for (const Suppressed& one : run.suppressed) results.push_back(of_suppressed(run, one));
    }
    Json run = {
        {"tool", {{"driver", {{"name", "reex"}, {"version", m_report.context.version}, {"rules", rules()}}}}},
        {"invocations", Json::array({invocation()})}};
    if (!m_report.root.empty())
      run["originalUriBaseIds"] = {{"SRCROOT", {{"uri", "file://" + uri(m_report.root) + '/'}}}};
    run["columnKind"] = "unicodeCodePoints";
    run["results"] = results;
    const Json document = {{"$schema", "https://json.schemastore.org/sarif-2.1.0.json"},
                           {"version", "2.1.0"},
                           {"runs", Json::array({run})}};
    return document.dump(2, ' ', false, Json::error_handler_t::replace) + '\n';
  }

private:
  Json rules() const {
    Json array = Json::array();
    for (const std::string& id : m_rules)
      array.push_back({{"id", id}, {"shortDescription", message(description(id))}});
    return array;
  }

  static std::string description(const std::string& id) {
    if (const FindingRow* row = row_of_finding(id); row != nullptr) return std::string(row->one);
    if (const FindingRow* row = row_of_failure(id); row != nullptr) return std::string(row->one);
    return "The test fails under a schedule of its threads: " + id;
  }

  std::size_t rule(const std::string& id) {
    const auto found = std::find(m_rules.begin(), m_rules.end(), id);
    if (found != m_rules.end()) return static_cast<std::size_t>(found - m_rules.begin());
    m_rules.push_back(id);
    return m_rules.size() - 1;
  }

  // What was not seen, and errors, belong to the run and not to a line of code.
  Json invocation() const {
    Json notifications = Json::array();
    bool explored = true;
    for (const TestRun& run : m_report.runs) {
      const std::string test = test_title(run.binary, run.name);
      const Verdict verdict = verdict_of(run);
      const bool error = verdict == Verdict::error || verdict == Verdict::not_started;
      explored = explored && !error && verdict != Verdict::interrupted;
      if (error || verdict == Verdict::inconclusive ||
          (verdict == Verdict::uncontrolled && !is_beside_the_point(m_report, run)))
        notifications.push_back({{"level", error ? "error" : "warning"},
                                 {"message", message(fmt::format("{}: {}", test, headline(run)))}});
      for (const Gap& gap : all_gaps(run))
        notifications.push_back(
            {{"level", gap.effect == GapEffect::told ? "note" : "warning"},
             {"message", message(fmt::format("{}: not covered: {}{}{}", test, gap.detail,
                                             gap.remedy.empty() ? "" : "; ", gap.remedy))},
             {"descriptor", {{"id", gap.kind}}}});
    }
    return {{"executionSuccessful", explored},
            {"exitCode", m_report.status},
            {"toolExecutionNotifications", notifications}};
  }

  Json artifact(const std::string& path) const {
    const std::string within = path_within(path, m_report.root);
    if (within != path) return {{"uri", uri(within)}, {"uriBaseId", "SRCROOT"}};
    return {{"uri", (path.starts_with('/') ? "file://" : "") + uri(path)}};
  }

  Json physical(const Frame& frame) const {
    Json region = {{"startLine", std::max(frame.line, 1u)}};
    if (frame.column != 0) region["startColumn"] = frame.column;
    return {{"artifactLocation", artifact(frame.file)}, {"region", region}};
  }

  Json location(const Frame* frame, const std::string& text) const {
    Json value = Json::object();
    if (frame != nullptr) {
      value["physicalLocation"] = physical(*frame);
      if (!frame->function.empty())
        value["logicalLocations"] = Json::array(
            {{{"fullyQualifiedName", escape_invalid_utf8(frame->function)}, {"kind", "function"}}});
    }
    if (!text.empty()) value["message"] = message(text);
    return value;
  }

  // The place of a result; without one that is known, the test's binary.
  Json locations(const TestRun& run, const std::vector<ThreadPosition>& where) const {
    if (const Frame* frame = place_of(where); frame != nullptr) return Json::array({location(frame, "")});
    return Json::array({{{"physicalLocation", {{"artifactLocation", artifact(run.binary)}}}}});
  }

  Json related(const std::vector<ThreadPosition>& where) const {
    Json array = Json::array();
    for (const ThreadPosition& position : where)
      if (const Frame* frame = user_frame(position.stack); frame != nullptr) {
        Json value = location(frame, fmt::format("thread {} {}", position.thread, position.state));
        value["id"] = array.size() + 1;
        array.push_back(value);
      }
    return array;
  }

  Json stack(const std::vector<Frame>& frames, const std::string& text) const {
    Json array = Json::array();
    for (const Frame& frame : frames) {
      Json one = {{"location", location(frame.file.empty() ? nullptr : &frame, frame.function)}};
      if (!frame.module.empty()) one["module"] = escape_invalid_utf8(frame.module);
      array.push_back(one);
    }
    return {{"message", message(text)}, {"frames", array}};
  }

  Json stacks(const std::vector<ThreadPosition>& where) const {
    Json array = Json::array();
    for (const ThreadPosition& position : where)
      if (!position.stack.empty())
        array.push_back(stack(position.stack, fmt::format("thread {} {}", position.thread, position.state)));
    return array;
  }

  Json code_flows(const Failure& failure) const {
    const std::vector<TraceStep>& trace = failure.how.trace;
    std::set<std::size_t> needed;
    for (const NeededSwitch& one : needed_switches(failure)) needed.insert(one.step);
    std::map<int, Json> threads;
    const auto add = [&](int thread, Json one) {
      threads.try_emplace(thread, Json::array()).first->second.push_back(std::move(one));
    };
    const bool all = trace.size() + failure.where.size() <= k_most_steps;
    std::size_t shown = 0;
    for (const TraceRow& row : trace_rows(trace, failure.where, all)) {
      if (row.kind != TraceRow::Kind::step) continue;
      const TraceStep& step = trace[row.index];
      const bool essential =
          needed.contains(step.step) || touches_change(step.stack) || step.reason == SwitchReason::preempted;
      add(step.thread, {{"location", location(user_frame(step.stack), step_text(step))},
                        {"importance", essential ? "essential" : "important"},
                        {"executionOrder", step.step}});
      ++shown;
    }
    for (const ThreadPosition& position : failure.where)
      if (!position.state.empty() && !position.stack.empty())
        add(position.thread, {{"location", location(user_frame(position.stack), position.state)},
                              {"importance", "essential"},
                              {"executionOrder", trace.size()}});
    if (threads.empty()) return Json::array();
    Json flows = Json::array();
    for (auto& [thread, steps] : threads)
      flows.push_back({{"id", fmt::format("T{}", thread)},
                       {"message", message(fmt::format("thread {}", thread))},
                       {"locations", std::move(steps)}});
    const std::string what = shown == trace.size() ? counted(trace.size(), "step") + " in order of execution"
                                                   : fmt::format("{} of {} steps in order of execution",
                                                                 grouped(shown), grouped(trace.size()));
    return Json::array({{{"message", message(what)}, {"threadFlows", flows}}});
  }

  Json result(const TestRun& run, const std::string& kind, const char* level, const std::string& key,
              const std::string& text, const std::vector<ThreadPosition>& where) {
    const std::size_t index = rule(kind);
    return {{"ruleId", kind},
            {"ruleIndex", index},
            {"level", level},
            {"message", message(fmt::format("{}: {}: {}", test_title(run.binary, run.name), kind, text))},
            {"locations", locations(run, where)},
            {"partialFingerprints", {{"reexKey/v1", key}}},
            {"relatedLocations", related(where)},
            {"stacks", stacks(where)}};
  }

  Json of_failure(const TestRun& run, const Failure& failure) {
    Json value = result(run, failure.kind, "error", failure.key, failure.message, failure.where);
    if (Json flows = code_flows(failure); !flows.empty()) value["codeFlows"] = flows;
    value["occurrenceCount"] = std::max<std::uint64_t>(failure.count, 1);
    value["properties"] = {{"schedule", failure.schedule}, {"preemptions", failure.how.preemptions}};
    if (const std::string replay = replay_command(m_report, failure); !replay.empty())
      value["properties"]["replay"] = escape_invalid_utf8(replay);
    return value;
  }

  Json of_finding(const TestRun& run, const Finding& finding) {
    Json value = result(run, finding.kind, "warning", finding.key, finding.message, finding.where);
    value["properties"] = {{"schedule", finding.schedule}};
    if (!finding.reason.empty()) value["properties"]["reason"] = escape_invalid_utf8(finding.reason);
    return value;
  }

  Json of_suppressed(const TestRun& run, const Suppressed& one) {
    Json value = result(run, one.kind, "note", one.key, one.message, {});
    value["suppressions"] = Json::array(
        {{{"kind", "external"}, {"status", "accepted"}, {"justification", escape_invalid_utf8(one.reason)}}});
    value["properties"] = {{"schedule", one.schedule}, {"suppressedBy", one.by}};
    return value;
  }

  const RunReport& m_report;
  std::vector<std::string> m_rules; // in the order of their first result
};

} // namespace

std::string sarif_json(const RunReport& report) { return Writer(report).write(); }

} // namespace reex
