#include "impact/print.h"

#include <algorithm>

#include <nlohmann/json.hpp>

#include "impact/impact.h"

namespace reex {
namespace {

constexpr std::size_t k_narrowest = 80;

// The widths of the columns. What a terminal has beyond 80 goes to places, and then to names, that need it.
struct Columns {
  std::size_t whole;
  std::size_t place = 26;
  std::size_t name = 36;
};

std::string counted(std::size_t number, const char* one, const char* many) {
  return std::to_string(number) + " " + (number == 1 ? one : many);
}

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

std::string place_of(const CodePoint& point) {
  return point.line == 0 ? point.file : point.file + ":" + std::to_string(point.line);
}

Columns columns_for(const std::vector<CodePoint>& points, std::size_t width) {
  Columns columns{.whole = std::max(width, k_narrowest)};
  std::size_t room = columns.whole - k_narrowest;
  const auto widen = [&](std::size_t& column, std::size_t longest) {
    const std::size_t more = longest > column ? std::min(longest - column, room) : 0;
    column += more;
    room -= more;
  };
  std::size_t place = 0;
  std::size_t name = 0;
  for (const CodePoint& point : points) {
    place = std::max(place, place_of(point).size());
    name = std::max(name, name_of(point).size());
  }
  widen(columns.place, place);
  widen(columns.name, name);
  return columns;
}

std::string row(const Columns& columns, const std::string& place, const std::string& name,
                const std::string& reason) {
  std::string line = fit(place, columns.place) + "  " + fit(name, columns.name) + "  " + reason;
  line.resize(std::min(line.size(), columns.whole));
  while (!line.empty() && line.back() == ' ') line.pop_back();
  return line + "\n";
}

} // namespace

std::string impact_table(const Impact& impact, std::size_t width) {
  const Columns columns = columns_for(impact.points, width);
  std::string text;
  std::size_t lines = 0;
  std::size_t scopes = 0;
  std::size_t fields = 0;
  for (const CodePoint& point : impact.points)
    ++(!point.field.empty() ? fields : point.line != 0 ? lines : scopes);
  text += counted(impact.points.size(), "impacted code point", "impacted code points");
  std::string separator = ": ";
  const auto add = [&](std::size_t number, const char* one, const char* many) {
    if (number == 0) return;
    text += separator + counted(number, one, many);
    separator = ", ";
  };
  add(lines, "line", "lines");
  add(scopes, "method or class", "methods and classes");
  add(fields, "field", "fields");
  text += "\n";
  if (!impact.points.empty()) text += "\n" + row(columns, "where", "what", "why");
  for (const CodePoint& point : impact.points)
    text += row(columns, place_of(point), name_of(point), point.reason);
  if (impact.no_cpp_changes) text += "No C or C++ file changed.\n";
  if (impact.units_cached != 0)
    text += counted(impact.units_cached, "unit", "units") + " of " + std::to_string(impact.units_parsed) +
            " from the cache of an earlier run.\n";
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
  json["units"] = {
      {"parsed", impact.units_parsed}, {"failed", impact.units_failed}, {"cached", impact.units_cached}};
  return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

} // namespace reex
