#include "impact/users.h"

#include <algorithm>

#include "impact/lexical.h"

namespace reex::impact {
namespace {

constexpr const char* k_changed = "uses a changed declaration";
constexpr const char* k_removed = "used a removed declaration";

bool touches(const std::set<unsigned>& lines, unsigned first, unsigned last) {
  const auto line = lines.lower_bound(first);
  return line != lines.end() && *line <= last;
}

bool touched(const FileLines& change, const Shape& shape) {
  return touches(change.changed, shape.first, shape.last) ||
         std::any_of(change.deletions.begin(), change.deletions.end(),
                     [&](unsigned place) { return shape.first <= place && place < shape.last; });
}

const FileFacts& facts_of(const Program& program, const std::string& path) {
  static const FileFacts nothing;
  const auto found = program.find(path);
  return found == program.end() ? nothing : found->second;
}

// An enumerator follows from those before it, so a change of the enumeration touches all of them.
template <typename Touched>
std::vector<const Shape*> touched_shapes(const FileFacts& facts, const Touched& is_touched) {
  std::vector<const Shape*> found;
  std::vector<const Shape*> enumerations;
  for (const Shape& shape : facts.shapes)
    if (shape.aggregate && is_touched(shape)) enumerations.push_back(&shape);
  for (const Shape& shape : facts.shapes) {
    const bool inside = std::any_of(enumerations.begin(), enumerations.end(), [&](const Shape* whole) {
      return whole->first <= shape.first && shape.last <= whole->last;
    });
    if (inside || is_touched(shape)) found.push_back(&shape);
  }
  return found;
}

class Search {
public:
  Search(const std::vector<FileLines>& changes, const Program& now, const Program& before)
      : m_changes(changes), m_now(now), m_before(before) {
    for (const FileLines& change : changes) {
      for (const Shape& shape : facts_of(now, change.new_path).shapes)
        m_new_texts[shape.usr].insert(shape.text);
      for (const Shape& shape : facts_of(before, change.old_path).shapes)
        m_old_texts[shape.usr].insert(shape.text);
    }
    for (const auto& [file, facts] : now)
      for (const Shape& shape : facts.shapes) m_declared.insert(shape.usr);
  }

  Users run(const ReasonedLines& macros) {
    for (const FileLines& change : m_changes) {
      for (const Shape* shape : touched_shapes(facts_of(m_now, change.new_path),
                                               [&](const Shape& one) { return touched(change, one); }))
        if (!m_old_texts[shape->usr].contains(shape->text)) has_changed(*shape);
      for (const Shape* shape : touched_shapes(facts_of(m_before, change.old_path), [&](const Shape& one) {
             return touches(change.removed, one.first, one.last);
           })) {
        if (!m_declared.contains(shape->usr)) {
          is_removed(*shape);
        } else if (const auto& texts = m_new_texts[shape->usr];
                   !texts.empty() && !texts.contains(shape->text)) {
          has_changed(*shape);
        }
      }
    }
    for (const auto& [file, lines] : macros)
      for (const auto& [line, macro] : lines) declared_with(file, line, macro);
    for (std::size_t i = 0; i < m_pending.size(); ++i) find_users(m_pending[i]);
    return std::move(m_users);
  }

private:
  void has_changed(const Shape& shape) {
    add(shape.usr, shape.name);
    for (const std::string& overridden : shape.overrides) add(overridden, shape.name);
  }

  void add(const std::string& usr, const std::string& name) {
    if (!m_known.insert(usr).second) return;
    m_pending.push_back(usr);
    m_users.names.insert(name);
  }

  void find_users(const std::string& usr) {
    for (const auto& [file, facts] : m_now) {
      for (const Use& use : facts.uses) {
        if (use.usr != usr) continue;
        m_users.lines[file].try_emplace(use.line, k_changed);
        declared_with(file, use.line, use.name);
      }
    }
  }

  // A declaration whose text names what has changed has changed too.
  void declared_with(const std::string& file, unsigned line, const std::string& name) {
    for (const Shape& shape : facts_of(m_now, file).shapes) {
      if (shape.aggregate || line < shape.first || line > shape.last) continue;
      const bool is_number = shape.text.find_first_not_of("-0123456789") == std::string::npos;
      if (is_number || has_word(shape.text, name)) has_changed(shape);
    }
  }

  // Its users are those of the old side, and what now finds another declaration by this name.
  void is_removed(const Shape& shape) {
    m_users.names.insert(shape.name);
    for (const std::string& overridden : shape.overrides) add(overridden, shape.name);
    for (const auto& [file, facts] : m_before) {
      for (const Use& use : facts.uses) {
        if (use.usr != shape.usr) continue;
        const auto change = std::find_if(m_changes.begin(), m_changes.end(),
                                         [&](const FileLines& one) { return one.old_path == file; });
        const unsigned line = change == m_changes.end() ? use.line : new_line_of(change->hunks, use.line);
        const std::string& path = change == m_changes.end() ? file : change->new_path;
        if (line != 0 && !path.empty()) m_users.lines[path].try_emplace(line, k_removed);
      }
    }
    for (const auto& [file, facts] : m_now) {
      if (m_before.contains(file)) continue;
      for (const Use& use : facts.uses)
        if (use.name == shape.name) m_users.lines[file].try_emplace(use.line, k_removed);
    }
  }

  const std::vector<FileLines>& m_changes;
  const Program& m_now;
  const Program& m_before;
  std::map<std::string, std::set<std::string>> m_new_texts; // by usr, of the changed files
  std::map<std::string, std::set<std::string>> m_old_texts;
  std::set<std::string> m_declared; // on the new side, in any file
  std::set<std::string> m_known;
  std::vector<std::string> m_pending;
  Users m_users;
};

} // namespace

Users users_of(const std::vector<FileLines>& changes, const Program& now, const Program& before,
               const ReasonedLines& macros) {
  return Search(changes, now, before).run(macros);
}

bool needs_old_shapes(const FileLines& change, const Program& now) {
  if (change.old_path.empty() || change.new_path.empty()) return false;
  const auto& shapes = facts_of(now, change.new_path).shapes;
  return std::any_of(shapes.begin(), shapes.end(), [&](const Shape& shape) {
    if (!touched(change, shape)) return false;
    for (unsigned line = shape.first; line <= shape.last; ++line)
      if (!change.changed.contains(line)) return true;
    return false;
  });
}

} // namespace reex::impact
