#include "impact/matcher.h"

#include <algorithm>
#include <set>
#include <utility>

#include "impact/facts/access_groups.h"

namespace reex::impact {
namespace {

// The impacted fields. A template's <any class, f> is impacted if any field f is; if it is impacted itself,
// so is every field f.
class FieldSet {
public:
  explicit FieldSet(const ImpactedSets& sets) {
    for (const auto& [field, where] : sets.fields) {
      m_fields.insert({field.class_name, field.name});
      m_names.insert(field.name);
      if (field.any_class) m_any.insert(field.name);
    }
  }
  bool contains(const Field& field) const {
    if (m_any.contains(field.name)) return true;
    return field.any_class ? m_names.contains(field.name) : m_fields.contains({field.class_name, field.name});
  }

private:
  std::set<std::pair<std::string, std::string>> m_fields;
  std::set<std::string> m_names;
  std::set<std::string> m_any;
};

bool begins_by(const Extent& one, const Extent& other) {
  return std::pair(one.begin_line, one.begin_column) <= std::pair(other.begin_line, other.begin_column);
}

bool ends_by(const Extent& one, const Extent& other) {
  return std::pair(one.end_line, one.end_column) <= std::pair(other.end_line, other.end_column);
}

// Adds the ranges of impacted fields, and the ranges within them that are something else.
void add_accesses(const std::string& file, const FileFacts& facts, const FieldSet& fields,
                  CodePoints& points) {
  std::vector<Extent> impacted;
  for (const auto& [extent, accessed] : facts.positions) {
    if (std::any_of(accessed.begin(), accessed.end(),
                    [&](const Field& field) { return fields.contains(field); })) {
      impacted.push_back(extent);
    }
  }
  for (const Extent& extent : impacted) points.add_access(file, extent, true);
  // Both are sorted by where they begin, so the outer range that ends last tells for all.
  const Extent* last = nullptr;
  auto outer = impacted.begin();
  for (const auto& [extent, accessed] : facts.positions) {
    for (; outer != impacted.end() && begins_by(*outer, extent); ++outer)
      if (last == nullptr || ends_by(*last, *outer)) last = &*outer;
    if (last != nullptr && ends_by(extent, *last)) points.add_access(file, extent, false);
  }
}

} // namespace

std::string relative_to(const std::string& root, const std::string& file) {
  return file.starts_with(root + "/") ? file.substr(root.size() + 1) : file;
}

std::vector<CodePoint> code_points(const ImpactedSets& sets, const Program& now, const std::string& root) {
  std::set<CodePoint> points;
  std::set<std::pair<std::string, std::string>> methods_with_lines;
  std::set<std::string> classes_with_points;
  const auto add = [&](CodePoint point, const std::string& file, const Chain& why) {
    point.file = relative_to(root, file);
    point.why = why;
    for (Cause& step : point.why) step.file = relative_to(root, step.file);
    points.insert(std::move(point));
  };
  for (const auto& [file, lines] : sets.lines) {
    const auto facts = now.find(file);
    for (const auto& [line, why] : lines) {
      CodePoint point;
      point.line = line;
      if (facts != now.end()) {
        if (const Function* function = function_at(facts->second, line, false)) {
          point.class_name = function->class_name;
          point.method = function->method;
        } else if (const Class* owner = class_at(facts->second, line)) {
          point.class_name = owner->name;
        }
      }
      methods_with_lines.emplace(point.class_name, point.method);
      classes_with_points.insert(point.class_name);
      add(std::move(point), file, why);
    }
  }
  for (const auto& [where, why] : sets.methods) {
    const auto& [file, function] = where;
    classes_with_points.insert(function.class_name);
    if (methods_with_lines.contains({function.class_name, function.method})) continue;
    add({.class_name = function.class_name, .method = function.method}, file, why);
  }
  for (const auto& [name, where] : sets.classes)
    if (!classes_with_points.contains(name)) add({.class_name = name}, where.first, where.second);
  for (const auto& [field, where] : sets.fields)
    add({.class_name = field.class_name, .field = field.name, .any_class = field.any_class}, where.first,
        where.second);
  std::vector<CodePoint> sorted(points.begin(), points.end());
  std::stable_sort(sorted.begin(), sorted.end(), [](const CodePoint& a, const CodePoint& b) {
    return std::tie(a.file, a.line) < std::tie(b.file, b.line);
  });
  return sorted;
}

CodePoints matcher(const ImpactedSets& sets, const Program& now) {
  CodePoints points;
  for (const auto& [file, lines] : sets.lines) {
    for (const auto& [line, why] : lines) points.add_line(file, line);
  }
  for (const auto& [file, lines] : sets.statement_lines) {
    for (const auto& [line, why] : lines) points.add_line(file, line);
  }
  for (const auto& [file, lines] : sets.followed)
    for (const auto& [line, why] : lines) points.add_followed(file, line);

  // Figure 4.2, line 46: the class of ANY code point, including those of fields. Free functions have no
  // class. All free functions of a file together are treated like a Java class of static methods.
  std::set<std::string> classes;
  std::set<std::string> files_of_free_functions;
  for (const auto& [name, where] : sets.classes) classes.insert(name);
  for (const auto& [field, where] : sets.fields) {
    if (!field.any_class && !field.class_name.empty()) classes.insert(field.class_name);
  }
  for (const auto& [where, why] : sets.methods) {
    points.add_method_extent(where.first, where.second.extent);
    if (where.second.class_name.empty()) files_of_free_functions.insert(where.first);
  }
  const FieldSet fields(sets);
  for (const auto& [file, facts] : now) {
    const bool free_functions = files_of_free_functions.contains(file);
    for (const Function& function : facts.functions) {
      const bool matches =
          function.class_name.empty() ? free_functions : classes.contains(function.class_name);
      if (matches) points.add_class_extent(file, function.extent);
    }
    for (const Class& one : facts.classes) {
      if (classes.contains(one.name)) points.add_class_extent(file, one.extent);
    }
    add_accesses(file, facts, fields, points);
  }
  return points;
}

} // namespace reex::impact
