#include "impact/asked_place.h"

#include <set>

#include "impact/matcher.h"

namespace reex::impact {
namespace {

class Search {
public:
  Search(const ImpactedSets& sets, const std::string& root, const std::string& file, unsigned line)
      : m_sets(sets), m_root(root), m_file(file) {
    m_asked.file = relative_to(root, file);
    m_asked.line = line;
  }

  AskedPlace run(const FileFacts* facts) {
    add_line(m_sets.lines);
    add_line(m_sets.statement_lines);
    if (m_asked.points.empty()) add_line(m_sets.followed);
    if (facts != nullptr) {
      add_methods();
      add_classes(*facts);
      add_fields(*facts);
    }
    return std::move(m_asked);
  }

private:
  void add(CodePoint point, const Chain& why) {
    point.file = m_asked.file;
    point.why = why;
    for (Cause& step : point.why) step.file = relative_to(m_root, step.file);
    m_asked.points.push_back(std::move(point));
  }

  void add_line(const ChainedLines& all) {
    const auto lines = all.find(m_file);
    if (lines == all.end()) return;
    const auto line = lines->second.find(m_asked.line);
    if (line != lines->second.end()) add({.line = m_asked.line}, line->second);
  }

  void add_methods() {
    for (const auto& [where, why] : m_sets.methods) {
      const Function& function = where.second;
      if (where.first == m_file && function.extent.contains_line(m_asked.line))
        add({.class_name = function.class_name, .method = function.method}, why);
    }
  }

  // The class of any code point counts, that of a field too (Figure 4.2, line 46).
  void add_classes(const FileFacts& facts) {
    std::set<std::string> around;
    for (const Class& one : facts.classes)
      if (one.extent.contains_line(m_asked.line)) around.insert(one.name);
    for (const Function& function : facts.functions)
      if (!function.class_name.empty() && function.extent.contains_line(m_asked.line))
        around.insert(function.class_name);
    for (const std::string& name : around) {
      const auto found = m_sets.classes.find(name);
      if (found != m_sets.classes.end()) {
        add({.class_name = name}, found->second.second);
        continue;
      }
      for (const auto& [field, where] : m_sets.fields) {
        if (field.class_name != name || field.any_class) continue;
        add({.class_name = name}, where.second);
        break;
      }
    }
  }

  void add_fields(const FileFacts& facts) {
    std::set<Field> accessed;
    for (const Access& access : facts.accesses)
      if (access.line == m_asked.line) accessed.insert(access.field);
    for (const Field& field : accessed) {
      const auto found = m_sets.fields.find(field);
      if (found == m_sets.fields.end()) continue;
      add({.class_name = field.class_name, .field = field.name, .any_class = field.any_class},
          found->second.second);
    }
  }

  const ImpactedSets& m_sets;
  const std::string& m_root;
  const std::string& m_file;
  AskedPlace m_asked;
};

} // namespace

AskedPlace asked_place(const ImpactedSets& sets, const Program& now, const std::string& root,
                       const std::string& file, unsigned line) {
  const auto facts = now.find(file);
  return Search(sets, root, file, line).run(facts == now.end() ? nullptr : &facts->second);
}

} // namespace reex::impact
