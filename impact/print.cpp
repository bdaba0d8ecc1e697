#include "impact/print.h"

#include <algorithm>
#include <sstream>

#include <nlohmann/json.hpp>

#include "impact/chain_text.h"
#include "impact/choose_heuristics.h"
#include "impact/impact.h"

namespace reex {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t k_narrowest = 80;
constexpr std::size_t k_line = 7; // a line number of up to five digits

std::string counted(std::size_t number, const char* one, const char* many) {
  return std::to_string(number) + " " + (number == 1 ? one : many);
}

// Cuts off the beginning, because the end of a path or a qualified name says more.
std::string fit(const std::string& text, std::size_t width) {
  if (text.size() <= width) return text + std::string(width - text.size(), ' ');
  return "..." + text.substr(text.size() - (width - 3));
}

std::string qualified(const CodePoint& point) {
  std::string name = point.any_class ? "<any>" : point.class_name;
  const auto append = [&](const std::string& part) { name += (name.empty() ? "" : "::") + part; };
  if (!point.method.empty()) append(point.method);
  if (!point.field.empty()) append(point.field);
  return name;
}

std::string name_of(const CodePoint& point) {
  return qualified(point) + (point.field.empty() ? "" : " (field)");
}

// The point's name, and how much room there is for it and for its chain. What a terminal has beyond 80 goes
// to names that need it, and then to chains.
std::size_t name_width(const std::vector<CodePoint>& points, std::size_t width) {
  std::size_t longest = 0;
  for (const CodePoint& point : points) longest = std::max(longest, name_of(point).size());
  const std::size_t most = 30 + (std::max(width, k_narrowest) - k_narrowest) / 2;
  return std::clamp<std::size_t>(longest, 4, most);
}

// A row of which the last column goes on over further rows, between words.
std::string row(const std::string& line, const std::string& name, std::size_t names, const std::string& why,
                std::size_t width) {
  std::string text =
      std::string(k_line - std::min(k_line, line.size()), ' ') + line + "  " + fit(name, names) + "  ";
  const std::size_t margin = text.size();
  std::size_t column = margin;
  std::istringstream words(why);
  for (std::string word; words >> word;) {
    if (column > margin && column + 1 + word.size() > std::max(width, k_narrowest)) {
      text += "\n" + std::string(margin, ' ');
      column = margin;
    }
    if (column > margin) {
      text += ' ';
      ++column;
    }
    text += word;
    column += word.size();
  }
  return text + "\n";
}

std::string joined(const std::vector<std::string>& texts) {
  std::string all;
  for (const std::string& text : texts) all += (all.empty() ? "" : ", ") + text;
  return all;
}

std::string rows_of(const std::vector<CodePoint>& points, std::size_t width) {
  const std::size_t names = name_width(points, width);
  std::string text;
  const std::string* file = nullptr;
  for (const CodePoint& point : points) {
    if (file == nullptr || *file != point.file) text += point.file + "\n";
    file = &point.file;
    text += row(point.line == 0 ? "" : std::to_string(point.line), name_of(point), names,
                joined(chain_texts(point.why, point.file, point.line)), width);
  }
  return text;
}

// All that counts at a place, each with a step of its chain on a row.
std::string asked_text(const AskedPlace& asked) {
  const std::string place = asked.file + ":" + std::to_string(asked.line);
  if (asked.points.empty()) return place + " is no impacted code point, and accesses no impacted field.\n";
  std::string text = place + "\n";
  for (const CodePoint& point : asked.points) {
    const char* const kind = point.line != 0         ? "line"
                             : !point.field.empty()  ? "field"
                             : !point.method.empty() ? "method"
                                                     : "class";
    const std::string name = point.line != 0 ? std::to_string(point.line) : qualified(point);
    text += std::string("  ") + kind + " " + name + "\n";
    for (const std::string& step : chain_texts(point.why, asked.file, point.line))
      text += "    " + step + "\n";
  }
  return text;
}

Json chain_json(const Chain& why) {
  Json steps = Json::array();
  for (const Cause& step : why) {
    Json entry = {{"reason", step.reason}, {"name", step.name}, {"file", step.file}, {"line", step.line}};
    if (step.old) entry["old"] = true;
    steps.push_back(std::move(entry));
  }
  return steps;
}

Json points_json(const std::vector<CodePoint>& all) {
  Json points = Json::array();
  for (const CodePoint& point : all) {
    Json entry;
    entry["class"] = point.class_name;
    entry["method"] = point.method;
    entry["file"] = point.file;
    entry["line"] = point.line == 0 ? Json() : Json(point.line);
    entry["field"] = point.field.empty() ? Json() : Json(point.field);
    entry["reason"] = point.why.front().reason;
    entry["why"] = chain_json(point.why);
    if (point.any_class) entry["any_class"] = true;
    points.push_back(std::move(entry));
  }
  return points;
}

} // namespace

std::string impact_table(const Impact& impact, std::size_t width) {
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
  if (impact.asked) {
    text += "\n" + asked_text(*impact.asked);
  } else {
    if (!impact.points.empty()) text += "\n" + rows_of(impact.points, width);
  }
  if (impact.no_cpp_changes) text += "No C or C++ file changed.\n";
  if (impact.units_cached != 0)
    text += counted(impact.units_cached, "unit", "units") + " of " +
            std::to_string(impact.units_parsed + impact.units_failed) +
            " from the cache of an earlier run.\n";
  for (const std::string& note : impact.notes) text += "note: " + note + "\n";
  return text;
}

std::string impact_json(const Impact& impact) {
  Json json;
  json["format"] = 1;
  json["base"] = impact.base;
  json["head"] = impact.head ? Json(*impact.head) : Json();
  json["points"] = points_json(impact.points);
  if (impact.asked)
    json["asked"] = {{"file", impact.asked->file},
                     {"line", impact.asked->line},
                     {"points", points_json(impact.asked->points)}};
  json["auto_heuristic"] = choose_heuristics(impact).names;
  json["notes"] = impact.notes;
  json["units"] = {
      {"parsed", impact.units_parsed}, {"failed", impact.units_failed}, {"cached", impact.units_cached}};
  return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

} // namespace reex
