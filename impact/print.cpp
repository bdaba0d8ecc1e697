#include "impact/print.h"

#include <algorithm>
#include <map>

#include <nlohmann/json.hpp>

#include "impact/impact.h"

namespace reex {
namespace {

constexpr std::size_t k_width = 80;
constexpr std::size_t k_place_width = 26;
constexpr std::size_t k_name_width = 36;

// Cuts off the beginning, because the end of a path or a qualified name says more.
std::string fit(const std::string& text, std::size_t width) {
  if (text.size() <= width) return text + std::string(width - text.size(), ' ');
  return "..." + text.substr(text.size() - (width - 3));
}

std::string name_of(const CodePoint& point) {
  std::string name = point.any_class ? "<any>" : point.class_name;
  const auto append = [&](const std::string& part) { name += (name.empty() ? "" : "::") + part; };
  if (!point.method.empty()) append(point.method);
  if (!point.field.empty()) {
    append(point.field);
    name += " (field)";
  }
  return name;
}

std::string row(const std::string& place, const std::string& name, const std::string& reason) {
  std::string line = fit(place, k_place_width) + "  " + fit(name, k_name_width) + "  " + reason;
  line.resize(std::min(line.size(), k_width));
  while (!line.empty() && line.back() == ' ') line.pop_back();
  return line + "\n";
}

} // namespace

std::string impact_table(const Impact& impact) {
  std::string text;
  std::map<std::string, unsigned> kinds;
  for (const CodePoint& point : impact.points) {
    ++kinds[!point.field.empty() ? "fields" : point.line != 0 ? "lines" : "methods and classes"];
  }
  text += std::to_string(impact.points.size()) + " impacted code points";
  std::string separator = ": ";
  for (const char* kind : {"lines", "methods and classes", "fields"}) {
    if (kinds[kind] == 0) continue;
    text += separator + std::to_string(kinds[kind]) + " " + kind;
    separator = ", ";
  }
  text += "\n";
  if (!impact.points.empty()) text += "\n" + row("where", "what", "why");
  for (const CodePoint& point : impact.points) {
    std::string place = point.file;
    if (point.line != 0) place += ":" + std::to_string(point.line);
    text += row(place, name_of(point), point.reason);
  }
  if (impact.no_cpp_changes) text += "No C or C++ file changed.\n";
  for (const std::string& note : impact.notes) text += "note: " + note + "\n";
  return text;
}

std::string impact_json(const Impact& impact) {
  using Json = nlohmann::ordered_json;
  Json points = Json::array();
  for (const CodePoint& point : impact.points) {
    Json entry;
    entry["class"] = point.class_name;
    entry["method"] = point.method;
    entry["file"] = point.file;
    entry["line"] = point.line == 0 ? Json() : Json(point.line);
    entry["field"] = point.field.empty() ? Json() : Json(point.field);
    entry["reason"] = point.reason;
    if (point.any_class) entry["any_class"] = true;
    points.push_back(std::move(entry));
  }
  Json json;
  json["format"] = 1;
  json["base"] = impact.base;
  json["head"] = impact.head ? Json(*impact.head) : Json();
  json["points"] = std::move(points);
  json["notes"] = impact.notes;
  json["units"] = {{"parsed", impact.units_parsed}, {"failed", impact.units_failed}};
  return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

} // namespace reex
