#include "imunit/print.h"

#include <algorithm>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace reex::inference {
namespace {

constexpr std::size_t k_most = 48; // of a statement

std::string one_line(std::string_view text) {
  std::string result;
  for (const char c : text) {
    const bool blank = c == ' ' || c == '\n' || c == '\t' || c == '\r';
    if (!blank)
      result += c;
    else if (!result.empty() && result.back() != ' ')
      result += ' ';
  }
  return result.size() <= k_most ? result : result.substr(0, k_most - 3) + "...";
}

std::string below(const std::string& path, const std::string& folder) {
  return path.starts_with(folder + '/') ? path.substr(folder.size() + 1) : path;
}

nlohmann::json orderings_json(const std::vector<Ordering>& orderings) {
  nlohmann::json list = nlohmann::json::array();
  for (const Ordering& ordering : orderings) list.push_back(ordering.text());
  return list;
}

// The many that follow from others are counted.
std::string transitive_text(const std::vector<Ordering>& orderings) {
  if (orderings.empty()) return "";
  if (orderings.size() == 1)
    return fmt::format("  ordering     {}: follows from the others\n", orderings[0].text());
  return fmt::format("  {} orderings follow from the others\n", orderings.size());
}

std::string removed_text(const char* why, const std::vector<Ordering>& orderings) {
  std::string text;
  for (const Ordering& ordering : orderings)
    text += fmt::format("  ordering     {}: {}\n", ordering.text(), why);
  return text;
}

} // namespace

std::string place_text(const Source& source, StatementId at) {
  if (is_end(at)) {
    const std::string& name = source.functions()[static_cast<std::size_t>(function_of_end(at))].name;
    return name.empty() ? "at the end of the function" : fmt::format("at the end of `{}`", name);
  }
  if (source.is_block(at)) return "at the end of the block";
  return fmt::format("before `{}`", one_line(source.text_of(at)));
}

std::string inference_text(const Inference& inference, const Subject& subject, const std::string& folder) {
  const Source& source = subject.source;
  const std::string file = below(source.path(), folder);
  std::string text = fmt::format("INFERRED {}\n", subject.test);
  text += fmt::format("  schedule     {}\n", inference.schedule.orderings.empty()
                                                 ? "none: no sleep orders anything"
                                                 : inference.schedule.schedule());
  for (const Event& event : inference.events)
    text += fmt::format("  event        {}:{}: {}, {}\n", file, event.line, event.name,
                        place_text(source, event.statement));
  for (const StatementId at : inference.sleeps)
    text += fmt::format("  sleep        {}:{}: replaced\n", file, source.line_of(at));
  std::string left;
  for (const LeftOut& item : inference.left_out)
    left += item.line == 0 ? fmt::format("  {}: {}\n", item.what, item.why)
                           : fmt::format("  {}:{}: {}: {}\n", file, item.line, item.what, item.why);
  left += removed_text("on a cycle", inference.schedule.on_cycles);
  left += transitive_text(inference.schedule.transitive);
  left += removed_text("it holds anyway", inference.schedule.implied);
  left += removed_text("low confidence", inference.schedule.low_confidence);
  return left.empty() ? text : text + "Left out:\n" + left;
}

struct InferenceReport::State {
  nlohmann::json document;
};

InferenceReport::InferenceReport(const std::string& binary) : m_state(std::make_unique<State>()) {
  m_state->document = {
      {"format", "reex-inference"}, {"version", 1}, {"binary", binary}, {"tests", nlohmann::json::array()}};
}
InferenceReport::~InferenceReport() = default;

std::string InferenceReport::text() const {
  return m_state->document.dump(2, ' ', false, nlohmann::json::error_handler_t::replace) + '\n';
}

void InferenceReport::add_refusal(const std::string& test, const std::string& why) {
  m_state->document["tests"].push_back({{"test", test}, {"refused", why}});
}

void InferenceReport::add(const Inference& inference, const Subject& subject, const std::string& diff) {
  const Source& source = subject.source;
  nlohmann::json json;
  json["test"] = subject.test;
  json["file"] = source.path();
  json["schedule"] = inference.schedule.schedule();
  json["orderings"] = orderings_json(inference.schedule.orderings);
  json["events"] = nlohmann::json::array();
  for (const Event& event : inference.events)
    json["events"].push_back(
        {{"name", event.name}, {"line", event.line}, {"place", place_text(source, event.statement)}});
  json["sleeps"] = nlohmann::json::array();
  for (const StatementId at : inference.sleeps) json["sleeps"].push_back(source.line_of(at));
  json["left_out"] = nlohmann::json::array();
  for (const LeftOut& item : inference.left_out)
    json["left_out"].push_back({{"line", item.line}, {"what", item.what}, {"why", item.why}});
  json["removed"] = {{"original", inference.schedule.original},
                     {"cycles", orderings_json(inference.schedule.on_cycles)},
                     {"transitive", orderings_json(inference.schedule.transitive)},
                     {"implied", orderings_json(inference.schedule.implied)},
                     {"low_confidence", orderings_json(inference.schedule.low_confidence)}};
  json["log"] = nlohmann::json::array();
  for (const LogEntry& entry : inference.log) {
    nlohmann::json item = {{"type", to_string(entry.type)}, {"thread", entry.thread}};
    if (!entry.info.empty()) item["info"] = entry.info;
    if (entry.statement != k_no_statement) item["line"] = source.line_of(entry.statement);
    if (entry.type == EntryType::th_start) item["child"] = entry.child;
    json["log"].push_back(item);
  }
  json["diff"] = diff;
  m_state->document["tests"].push_back(json);
}

} // namespace reex::inference
