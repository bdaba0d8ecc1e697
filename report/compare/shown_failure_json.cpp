#include <algorithm>
#include <nlohmann/json.hpp>

#include "report/compare/shown_failure.h"
#include "report/document/json_parts.h"

namespace reex {
namespace {

using json::Json;
using json::text;

Json json_of(const Frame& frame) {
  return {{"function", text(frame.function)}, {"file", text(frame.file)},      {"line", frame.line},
          {"module", text(frame.module)},     {"system", frame.system_header}, {"changed", frame.changed}};
}

Frame frame_of(const Json& json) {
  Frame frame;
  frame.function = json.at("function");
  frame.file = json.at("file");
  frame.line = json.at("line");
  frame.module = json.at("module");
  frame.system_header = json.at("system");
  frame.changed = json.at("changed");
  return frame;
}

Json json_of(const std::vector<InterleavingRow>& rows);

Json json_of(const InterleavingRow& row) {
  const TraceStep& step = row.step;
  switch (row.kind) {
  case InterleavingRow::Kind::fold:
    return {{"row", "fold"}, {"steps", row.steps}, {"rows", json_of(row.rows)}};
  case InterleavingRow::Kind::context_switch:
    return {{"row", "switch"},        {"step", step.step},    {"thread", step.thread},
            {"text", text(row.text)}, {"needed", row.needed}, {"preemption", row.decisive}};
  case InterleavingRow::Kind::step:
    break;
  }
  Json stack = Json::array();
  for (const Frame& frame : step.stack) stack.push_back(json_of(frame));
  return {{"row", "step"},
          {"step", step.step},
          {"thread", step.thread},
          {"operation", text(step.operation)},
          {"object", text(step.object)},
          {"woken", step.woken < 0 ? Json() : Json(step.woken)},
          {"source", text(row.source)},
          {"needed", row.needed},
          {"stack", std::move(stack)},
          {"whole_stack", row.with_stack}};
}

Json json_of(const std::vector<InterleavingRow>& rows) {
  Json array = Json::array();
  for (const InterleavingRow& row : rows) array.push_back(json_of(row));
  return array;
}

// A fold has no folds in it.
std::vector<InterleavingRow> rows_of(const Json& json, bool folds) {
  std::vector<InterleavingRow> rows;
  for (const Json& one : json) {
    InterleavingRow row;
    const std::string kind = one.at("row");
    if (kind == "fold") {
      row.kind = InterleavingRow::Kind::fold;
      row.steps = one.at("steps");
      if (folds) row.rows = rows_of(one.at("rows"), false);
    } else {
      row.step.step = one.at("step");
      row.step.thread = one.at("thread");
      row.needed = one.at("needed");
      if (kind == "switch") {
        row.kind = InterleavingRow::Kind::context_switch;
        row.text = one.at("text");
        row.decisive = one.at("preemption");
      } else {
        row.step.operation = one.at("operation");
        row.step.object = one.at("object");
        if (!one.at("woken").is_null()) row.step.woken = one.at("woken");
        row.source = one.at("source");
        for (const Json& frame : one.at("stack")) row.step.stack.push_back(frame_of(frame));
        row.with_stack = one.at("whole_stack");
      }
    }
    rows.push_back(std::move(row));
  }
  return rows;
}

Json json_of_passage(const ShownFailure& shown) {
  Json passed = Json::array();
  for (const auto& [file, lines] : shown.passage.lines)
    for (const auto& [line, threads] : lines) {
      Json one = {{"file", text(file)}, {"line", line}, {"threads", threads}};
      const auto steps = shown.passage.steps.find({file, line});
      const bool has_steps = steps != shown.passage.steps.end();
      one["steps"] = has_steps ? Json(steps->second.first) : Json::array();
      one["step_count"] = has_steps ? steps->second.count : 0;
      if (const auto source = shown.sources.find({file, line}); source != shown.sources.end())
        one["source"] = text(source->second);
      passed.push_back(std::move(one));
    }
  return passed;
}

void read_passage(const Json& json, ShownFailure& shown) {
  for (const Json& one : json) {
    const std::pair place(one.at("file").get<std::string>(), one.at("line").get<unsigned>());
    shown.passage.lines[place.first][place.second] = one.at("threads").get<ThreadSet>();
    StepsOfLine steps{one.at("steps").get<std::vector<unsigned>>(), one.at("step_count")};
    steps.count = std::max(steps.count, steps.first.size());
    if (steps.count != 0) shown.passage.steps[place] = std::move(steps);
    if (one.contains("source")) shown.sources[place] = one.at("source");
  }
}

} // namespace

Json shown_failure_json(const std::optional<ShownFailure>& shown) {
  if (!shown) return nullptr;
  Json diff = Json::array();
  for (const FileChange& file : shown->change.changes)
    diff.push_back(
        {{"old_path", text(file.old_path)}, {"new_path", text(file.new_path)}, {"text", text(file.text)}});
  const Interleaving& interleaving = shown->interleaving;
  return {{"key", shown->key},
          {"kind", interleaving.kind},
          {"message", text(shown->message)},
          {"schedule", shown->schedule},
          {"preemptions", shown->preemptions},
          {"threads", interleaving.threads},
          {"failing", interleaving.failing < 0 ? Json() : Json(interleaving.failing)},
          {"rows", json_of(interleaving.rows)},
          {"unrecorded", text(interleaving.unrecorded)},
          {"root", text(shown->change.root)},
          {"change", text(shown->change.title)},
          {"diff", std::move(diff)},
          {"passed", json_of_passage(*shown)}};
}

std::optional<ShownFailure> shown_failure_of(const Json& json) {
  if (json.is_null()) return std::nullopt;
  ShownFailure shown;
  shown.key = json.at("key");
  shown.message = json.at("message");
  shown.schedule = json.at("schedule");
  shown.preemptions = json.at("preemptions");
  Interleaving& interleaving = shown.interleaving;
  interleaving.kind = json.at("kind");
  interleaving.threads = json.at("threads");
  if (!json.at("failing").is_null()) interleaving.failing = json.at("failing");
  interleaving.rows = rows_of(json.at("rows"), true);
  interleaving.unrecorded = json.at("unrecorded");
  shown.change.root = json.at("root");
  shown.change.title = json.at("change");
  for (const Json& file : json.at("diff")) {
    FileChange change;
    change.old_path = file.at("old_path");
    change.new_path = file.at("new_path");
    change.text = file.at("text");
    shown.change.changes.push_back(std::move(change));
  }
  read_passage(json.at("passed"), shown);
  return shown;
}

std::string shown_failure_text(const RunReport& report) {
  return shown_failure_json(shown_failure_of(report))
             .dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace) +
         '\n';
}

} // namespace reex
