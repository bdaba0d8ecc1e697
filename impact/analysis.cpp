// Collects the impacted code points (dissertation, section 4.2.1). The comments below number the analyses as
// that section does:
//   0. changed lines; the places of deleted lines; lines that are now in another method (in the original, a
//      structural diff finds them, because it sees such a method as a new one)
//   1. lock regions that contain a changed or deleted line, in the new version and in the old one
//   2. methods and classes of the impacted lines
//   3. fields that are accessed on these lines
//   4. fields that are accessed by the functions that these lines call directly
#include "impact/analysis.h"

#include <algorithm>

#include "impact/access_groups.h"

namespace reex::impact {

const Function* function_at(const FileFacts& facts, unsigned line, bool named_only) {
  const Function* found = nullptr;
  for (const Function& function : facts.functions) {
    if (!function.extent.contains_line(line) || (named_only && function.lambda)) continue;
    if (found == nullptr || within(function.extent, found->extent)) found = &function;
  }
  return found;
}

const Class* class_at(const FileFacts& facts, unsigned line) {
  const Class* found = nullptr;
  for (const Class& one : facts.classes) {
    if (one.extent.contains_line(line) && (found == nullptr || within(one.extent, found->extent)))
      found = &one;
  }
  return found;
}

namespace {

class Analyser {
public:
  using CodeOf = std::function<const std::vector<std::string>&(const std::string&)>;

  Analyser(const std::vector<FileLines>& changes, const Program& now, const Program& before,
           const ReasonedLines& macros, const CodeOf& code)
      : m_changes(changes), m_now(now), m_before(before), m_macros(macros), m_code(code) {}

  ImpactedSets run() {
    for (const FileLines& change : m_changes) {
      collect_lines(change);
      collect_old_regions(change);
    }
    collect_users();
    for (const auto& [file, lines] : m_sets.lines) add_statement_lines(file);
    collect_methods();
    for (const FileLines& change : m_changes) collect_deleted_owners(change);
    collect_declarations();
    collect_fields();
    for (const FileLines& change : m_changes) collect_deleted_fields(change);
    return std::move(m_sets);
  }

private:
  static const FileFacts& facts_of(const Program& program, const std::string& path) {
    static const FileFacts nothing;
    const auto found = program.find(path);
    return found == program.end() ? nothing : found->second;
  }

  void add_line(const std::string& file, unsigned line, const std::string& reason) {
    m_sets.lines[file].try_emplace(line, reason);
  }

  // 0 and 1, new version.
  void collect_lines(const FileLines& change) {
    const FileFacts& facts = facts_of(m_now, change.new_path);
    std::set<unsigned> touched_lines = change.changed;
    for (const unsigned line : change.changed) add_line(change.new_path, line, "changed");
    for (const unsigned line : moved_lines(change, facts)) {
      add_line(change.new_path, line, "moved");
      touched_lines.insert(line);
    }
    for (const unsigned place : change.deletions) add_deletion(change, facts, place);
    for (const Region& region : facts.regions) {
      const bool touched =
          std::any_of(touched_lines.begin(), touched_lines.end(),
                      [&](unsigned line) { return region.first <= line && line <= region.last; }) ||
          std::any_of(change.deletions.begin(), change.deletions.end(),
                      [&](unsigned place) { return region.first <= place && place < region.last; });
      if (!touched) continue;
      for (unsigned line = region.first; line <= region.last; ++line) {
        if (has_code(change, line)) add_line(change.new_path, line, "lock region");
      }
    }
  }

  // Lines that are the same in both versions, but are now in a method with another name.
  std::set<unsigned> moved_lines(const FileLines& change, const FileFacts& facts) const {
    std::set<unsigned> moved;
    const FileFacts& old = facts_of(m_before, change.old_path);
    if (old.functions.empty()) return moved;
    for (unsigned line = 1; line <= change.code.size(); ++line) {
      const unsigned old_line = has_code(change, line) ? old_line_of(change.hunks, line) : 0;
      const Function* now = old_line == 0 ? nullptr : function_at(facts, line, true);
      const Function* before = now == nullptr ? nullptr : function_at(old, old_line, true);
      if (before == nullptr || before->extent.begin_line == old_line) continue;
      if (before->method != now->method || before->class_name != now->class_name) moved.insert(line);
    }
    return moved;
  }

  static bool has_code(const FileLines& change, unsigned line) {
    return line >= 1 && line <= change.code.size() && !change.code[line - 1].empty();
  }

  // Nothing is left of a deleted statement, so its neighbours within the same function are impacted instead.
  void add_deletion(const FileLines& change, const FileFacts& facts, unsigned place) {
    const Function* function = nullptr;
    for (const Function& candidate : facts.functions) {
      const Extent& extent = candidate.extent;
      if (extent.begin_line > place || extent.end_line <= place) continue;
      if (function == nullptr || within(extent, function->extent)) function = &candidate;
    }
    if (function == nullptr) {
      const Class* owner = class_at(facts, place);
      if (owner != nullptr && owner->extent.end_line > place) {
        m_sets.classes.try_emplace(owner->name, change.new_path, "deleted here");
      }
      return;
    }
    unsigned before = place;
    while (before > function->extent.begin_line && !has_code(change, before)) --before;
    unsigned after = place + 1;
    while (after < function->extent.end_line && !has_code(change, after)) ++after;
    add_line(change.new_path, before, "deleted here");
    add_line(change.new_path, after, "deleted here");
  }

  // 1, old version: the lines that a deleted or changed lock protected, as lines of the new version.
  void collect_old_regions(const FileLines& change) {
    if (change.new_path.empty()) return;
    for (const Region& region : facts_of(m_before, change.old_path).regions) {
      const bool touched = std::any_of(change.removed.begin(), change.removed.end(), [&](unsigned line) {
        return region.first <= line && line <= region.last;
      });
      if (!touched) continue;
      for (unsigned line = region.first; line <= region.last; ++line) {
        const unsigned mapped = new_line_of(change.hunks, line);
        if (mapped != 0 && has_code(change, mapped)) add_line(change.new_path, mapped, "lock region");
      }
    }
  }

  // 0 and 1 for the lines that use what changed, in any file (users.h, macros.h).
  void collect_users() {
    const Users users = users_of(m_changes, m_now, m_before, m_macros);
    m_sets.missing_callees.insert(users.names.begin(), users.names.end());
    ReasonedLines lines = users.lines;
    for (const auto& [file, uses] : m_macros)
      for (const auto& [line, macro] : uses) lines[file].try_emplace(line, "uses a changed macro");
    for (const auto& [file, found] : lines) {
      const std::vector<std::string>& code = m_code(file);
      const auto has_code_at = [&](unsigned line) { return line <= code.size() && !code[line - 1].empty(); };
      for (const auto& [line, reason] : found) add_line(file, line, reason);
      for (const Region& region : facts_of(m_now, file).regions) {
        const auto line = found.lower_bound(region.first);
        if (line == found.end() || line->first > region.last) continue;
        for (unsigned at = region.first; at <= region.last; ++at)
          if (has_code_at(at)) add_line(file, at, "lock region");
      }
    }
  }

  void add_statement_lines(const std::string& file) {
    const auto lines = m_sets.lines.find(file);
    if (lines == m_sets.lines.end()) return;
    for (const StatementLines& statement : facts_of(m_now, file).statements) {
      const bool touched = std::any_of(statement.begin(), statement.end(),
                                       [&](unsigned line) { return lines->second.contains(line); });
      if (!touched) continue;
      for (const unsigned line : statement) {
        if (!lines->second.contains(line)) m_sets.statement_lines.emplace(file, line);
      }
    }
  }

  // 2.
  void collect_methods() {
    for (const auto& [file, lines] : m_sets.lines) {
      const FileFacts& facts = facts_of(m_now, file);
      for (const auto& [line, reason] : lines) {
        add_owner(facts, file, line, reason);
      }
    }
  }

  void add_owner(const FileFacts& facts, const std::string& file, unsigned line, const std::string& reason) {
    for (const bool named_only : {false, true}) {
      const Function* function = function_at(facts, line, named_only);
      if (function == nullptr) continue;
      m_sets.methods.try_emplace({file, *function}, reason);
      if (!function->class_name.empty()) m_sets.classes.try_emplace(function->class_name, file, reason);
    }
    if (function_at(facts, line, false) != nullptr) return;
    if (const Class* owner = class_at(facts, line)) m_sets.classes.try_emplace(owner->name, file, reason);
  }

  // 2 for deleted lines: the method and the class that contained them, if these still exist.
  void collect_deleted_owners(const FileLines& change) {
    const FileFacts& old = facts_of(m_before, change.old_path);
    for (const unsigned line : change.removed) {
      const Function* function = function_at(old, line, true);
      const Class* owner = class_at(old, line);
      if (function != nullptr) add_methods_like(*function);
      const std::string name = function != nullptr ? function->class_name
                               : owner != nullptr  ? owner->name
                                                   : "";
      if (!name.empty()) add_class_like(name);
    }
  }

  void add_methods_like(const Function& old) {
    for (const auto& [file, facts] : m_now) {
      for (const Function& function : facts.functions) {
        const bool same = old.usr.empty() ? false : function.usr == old.usr;
        if (same) m_sets.methods.try_emplace({file, function}, "deleted here");
      }
    }
  }

  void add_class_like(const std::string& name) {
    for (const auto& [file, facts] : m_now) {
      for (const Class& one : facts.classes) {
        if (one.name == name) m_sets.classes.try_emplace(name, file, "deleted here");
      }
    }
  }

  // A changed declaration has an effect on every use of what it declares.
  void collect_declarations() {
    for (const auto& [file, lines] : m_sets.lines) {
      for (const Declaration& declared : facts_of(m_now, file).declarations) {
        const auto line = lines.lower_bound(declared.first);
        if (line == lines.end() || line->first > declared.last) continue;
        if (!declared.field.name.empty()) add_field(declared.field, file, "declared");
        if (declared.usr.empty()) continue;
        bool defined = false;
        for (const auto& [other, facts] : m_now) {
          for (const Function& function : facts.functions) {
            if (function.usr != declared.usr) continue;
            m_sets.methods.try_emplace({other, function}, "declared");
            if (!function.class_name.empty())
              m_sets.classes.try_emplace(function.class_name, other, "declared");
            defined = true;
          }
        }
        if (!defined) m_sets.missing_callees.insert(declared.method.substr(declared.method.rfind(':') + 1));
      }
    }
  }

  void add_field(const Field& field, const std::string& file, const std::string& reason) {
    m_sets.fields.try_emplace(field, file, reason);
  }

  // 3 and 4, new version.
  void collect_fields() {
    std::map<std::string, std::set<unsigned>> all;
    for (const auto& [file, lines] : m_sets.lines) {
      for (const auto& [line, reason] : lines) all[file].insert(line);
    }
    for (const auto& [file, line] : m_sets.statement_lines) all[file].insert(line);
    for (const auto& [file, lines] : all) {
      for (const Access& access : facts_of(m_now, file).accesses) {
        if (lines.contains(access.line)) add_field(access.field, file, "accessed");
      }
    }
    for (const auto& [file, lines] : all) {
      for (const Call& call : facts_of(m_now, file).calls) {
        if (lines.contains(call.line)) add_called(call, m_now);
      }
    }
  }

  // 3 and 4 for deleted lines.
  void collect_deleted_fields(const FileLines& change) {
    const FileFacts& old = facts_of(m_before, change.old_path);
    for (const Access& access : old.accesses) {
      if (!change.removed.contains(access.line)) continue;
      add_field(access.field, change.new_path.empty() ? change.old_path : change.new_path, "deleted access");
    }
    for (const Call& call : old.calls) {
      if (change.removed.contains(call.line) && !add_called(call, m_now)) add_called(call, m_before);
    }
  }

  // Adds the fields that a directly called function reads or writes. False if its definition is not known.
  bool add_called(const Call& call, const Program& program) {
    bool found = false;
    for (const auto& [file, facts] : program) {
      for (const Function& function : facts.functions) {
        const bool same = call.dependent ? !function.lambda && function.method == call.name
                                         : !function.usr.empty() && function.usr == call.usr;
        if (!same) continue;
        found = true;
        for (const Access& access : facts.accesses) {
          if (function.extent.contains(access.line, access.column)) add_field(access.field, file, "called");
        }
      }
    }
    if (!found && !call.dependent) m_sets.missing_callees.insert(call.name);
    return found;
  }

  const std::vector<FileLines>& m_changes;
  const Program& m_now;
  const Program& m_before;
  const ReasonedLines& m_macros;
  const CodeOf& m_code;
  ImpactedSets m_sets;
};

} // namespace

ImpactedSets analyse(const std::vector<FileLines>& changes, const Program& now, const Program& before,
                     const ReasonedLines& macros,
                     const std::function<const std::vector<std::string>&(const std::string& file)>& code) {
  return Analyser(changes, now, before, macros, code).run();
}

} // namespace reex::impact
