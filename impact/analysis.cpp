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
#include <tuple>

#include "impact/call_regions.h"
#include "impact/facts/access_groups.h"
#include "impact/follow.h"

namespace reex::impact {

const Function* function_at(const FileFacts& facts, unsigned line, bool named_only) {
  const Function* found = nullptr;
  for (const Function& function : facts.functions) {
    if (function.extent.begin_line > line) break;
    if (!function.extent.contains_line(line) || (named_only && function.lambda)) continue;
    if (found == nullptr || within(function.extent, found->extent)) found = &function;
  }
  return found;
}

std::string name_of(const Function& function) {
  return function.method.substr(function.method.rfind(':') + 1);
}

bool is_constructor(const Function& function) {
  const std::string& owner = function.class_name;
  return !owner.empty() && name_of(function) == owner.substr(owner.rfind(':') + 1);
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
           const ChainedLines& macros, const CodeOf& code)
      : m_changes(changes), m_now(now), m_before(before), m_macros(macros), m_code(code),
        m_locking(now, before, m_lines) {}

  ImpactedSets run() {
    for (const FileLines& change : m_changes) {
      collect_lines(change);
      collect_old_regions(change);
    }
    collect_users();
    collect_called_locks();
    for (const auto& [file, lines] : m_sets.lines) add_statement_lines(file);
    collect_methods();
    for (const FileLines& change : m_changes) collect_deleted_owners(change);
    collect_declarations();
    collect_fields();
    for (const FileLines& change : m_changes) collect_deleted_fields(change);
    collect_followed();
    return std::move(m_sets);
  }

private:
  static const FileFacts& facts_of(const Program& program, const std::string& path) {
    static const FileFacts nothing;
    const auto found = program.find(path);
    return found == program.end() ? nothing : found->second;
  }

  void add_line(const std::string& file, unsigned line, const Chain& why) {
    m_sets.lines[file].try_emplace(line, why);
  }

  // 0 and 1, new version.
  void collect_lines(const FileLines& change) {
    const FileFacts& facts = facts_of(m_now, change.new_path);
    for (const unsigned line : change.changed)
      add_line(change.new_path, line, {{"changed", "", change.new_path, line}});
    for (const auto& [line, why] : moved_lines(change, facts)) add_line(change.new_path, line, why);
    std::map<unsigned, Chain> touched;
    if (const auto lines = m_sets.lines.find(change.new_path); lines != m_sets.lines.end())
      touched = lines->second;
    for (const auto& [place, old_line] : change.deletions) add_deletion(change, facts, place, old_line);
    for (const Region& region : facts.regions) {
      const auto place = std::find_if(change.deletions.begin(), change.deletions.end(),
                                      [&](const auto& one) { return region.contains_behind(one.first); });
      if (const Chain* why = line_within(touched, region); why != nullptr) {
        add_region(change.new_path, region, change.code, *why);
      } else if (place != change.deletions.end()) {
        add_region(change.new_path, region, change.code,
                   {{"removed", "", change.old_path, place->second, true}});
      }
    }
  }

  void add_region(const std::string& file, const Region& region, const std::vector<std::string>& code,
                  const Chain& why) {
    const Chain chain = behind({"lock region", region.lock, file, region.first}, why);
    for (const unsigned line : region.lines())
      if (has_code(code, line)) add_line(file, line, chain);
  }

  // Lines that are the same in both versions, but are now in a method with another name.
  std::map<unsigned, Chain> moved_lines(const FileLines& change, const FileFacts& facts) {
    std::map<unsigned, Chain> moved;
    const FileFacts& old = facts_of(m_before, change.old_path);
    if (old.functions.empty()) return moved;
    for (unsigned line = 1; line <= change.code.size(); ++line) {
      const unsigned old_line = has_code(change.code, line) ? old_line_of(change.hunks, line) : 0;
      const Function* now = old_line == 0 ? nullptr : m_lines.at(facts, line).named;
      const Function* before = now == nullptr ? nullptr : m_lines.at(old, old_line).named;
      if (before == nullptr || before->extent.begin_line == old_line) continue;
      if (before->method != now->method || before->class_name != now->class_name)
        moved.emplace(line, Chain{{"moved", qualified_name_of(*before), change.old_path, old_line, true}});
    }
    return moved;
  }

  static bool has_code(const std::vector<std::string>& code, unsigned line) {
    return line >= 1 && line <= code.size() && !code[line - 1].empty();
  }

  static std::string qualified_name_of(const Function& function) {
    return function.class_name.empty() ? function.method : function.class_name + "::" + function.method;
  }

  // Nothing is left of a deleted statement, so its neighbours within the same function are impacted instead.
  void add_deletion(const FileLines& change, const FileFacts& facts, unsigned place, unsigned old_line) {
    const Chain why{{"deleted here", "", change.old_path, old_line, true}};
    const Function* function = nullptr;
    for (const Function& candidate : facts.functions) {
      const Extent& extent = candidate.extent;
      if (extent.begin_line > place || extent.end_line <= place) continue;
      if (function == nullptr || within(extent, function->extent)) function = &candidate;
    }
    if (function == nullptr) {
      const Class* owner = class_at(facts, place);
      if (owner != nullptr && owner->extent.end_line > place) {
        m_sets.classes.try_emplace(owner->name, change.new_path, why);
      }
      return;
    }
    unsigned before = place;
    while (before > function->extent.begin_line && !has_code(change.code, before)) --before;
    unsigned after = place + 1;
    while (after < function->extent.end_line && !has_code(change.code, after)) ++after;
    add_line(change.new_path, before, why);
    add_line(change.new_path, after, why);
  }

  // What the change did in a region of the old version; line 0 if nothing.
  static Cause touching_step(const FileLines& change, const Region& region) {
    const auto removed =
        std::find_if(change.removed.lower_bound(region.first), change.removed.end(),
                     [&](unsigned line) { return line > region.last || region.contains(line); });
    if (removed != change.removed.end() && *removed <= region.last)
      return {"removed", "", change.old_path, *removed, true};
    for (const Hunk& hunk : change.hunks) {
      if (hunk.old_count != 0 || !region.contains_behind(hunk.old_start)) continue;
      const auto added = change.changed.lower_bound(hunk.new_start);
      if (added != change.changed.end() && *added < hunk.new_start + hunk.new_count)
        return {"changed", "", change.new_path, *added, false};
    }
    return {};
  }

  // 1, old version: the lines that a deleted or changed lock protected, or one whose scope became narrower,
  // as lines of the new version.
  void collect_old_regions(const FileLines& change) {
    if (change.new_path.empty()) return;
    for (const Region& region : facts_of(m_before, change.old_path).regions) {
      const Cause touching = touching_step(change, region);
      if (touching.line == 0) continue;
      add_old_region(change, region, {touching});
    }
  }

  void add_old_region(const FileLines& change, const Region& region, const Chain& touching) {
    const Chain why = behind({"lock region", region.lock, change.old_path, region.first, true}, touching);
    for (const unsigned line : region.lines()) {
      const unsigned mapped = new_line_of(change.hunks, line);
      if (mapped != 0 && has_code(change.code, mapped)) add_line(change.new_path, mapped, why);
    }
  }

  // 0 and 1 for the lines that use what changed, in any file (users.h, macros.h).
  void collect_users() {
    const Users users = users_of(m_changes, m_now, m_before, m_macros);
    m_sets.missing_callees.insert(users.names.begin(), users.names.end());
    m_sets.aliases = users.aliases;
    m_users = users.lines;
    m_typed = users.typed;
    for (const auto& [file, uses] : m_macros)
      for (const auto& [line, why] : uses) m_users[file].try_emplace(line, why);
    for (const auto& [file, found] : m_users) {
      for (const auto& [line, why] : found) add_line(file, line, why);
      for (const Region& region : facts_of(m_now, file).regions)
        if (const Chain* why = line_within(found, region); why != nullptr)
          add_region(file, region, m_code(file), *why);
      add_old_regions_of_users(file, found);
    }
  }

  // What locked there on the old side may be none of the new side's locks.
  void add_old_regions_of_users(const std::string& file, const std::map<unsigned, Chain>& users) {
    const auto change = std::find_if(m_changes.begin(), m_changes.end(),
                                     [&](const FileLines& one) { return one.new_path == file; });
    const bool same = change == m_changes.end();
    const std::string& old_path = same ? file : change->old_path;
    const FileFacts& old = facts_of(m_before, old_path);
    std::vector<Region> regions(old.regions.begin(), old.regions.end());
    for (CallRegion& one : m_locking.regions(old)) regions.push_back(std::move(one.region));
    for (const Region& region : regions) {
      std::vector<unsigned> lines;
      for (const unsigned line : region.lines())
        if (const unsigned now = same ? line : new_line_of(change->hunks, line); now != 0)
          lines.push_back(now);
      const auto user =
          std::find_if(lines.begin(), lines.end(), [&](unsigned line) { return users.contains(line); });
      if (user == lines.end()) continue;
      const Chain why = behind({"lock region", region.lock, old_path, region.first, true}, users.at(*user));
      for (const unsigned line : lines)
        if (has_code(m_code(file), line)) add_line(file, line, why);
    }
  }

  // 1 for locks that a call takes, and for what a call in the head of a region decides: which lock is taken,
  // or whether it is.
  void collect_called_locks() {
    const std::map<std::string, Chain> touched = touched_functions();
    for (const auto& [name, usr] : m_locking.taker_names()) // units that are not parsed yet may call them
      if (touched.contains(usr)) m_sets.missing_callees.insert(name);
    std::vector<std::tuple<const std::string*, Region, Chain>> found; // by file
    for (const auto& [file, facts] : m_now) {
      for (const CallRegion& one : m_locking.regions(facts)) {
        const auto lines = m_sets.lines.find(file);
        const Chain* why = lines == m_sets.lines.end() ? nullptr : line_within(lines->second, one.region);
        if (const auto taker = touched.find(one.taker); why == nullptr && taker != touched.end())
          why = &taker->second;
        if (why != nullptr) found.emplace_back(&file, one.region, *why);
      }
      for (const Region& region : facts.regions)
        if (const Chain* why = touched_callee(facts, region, touched))
          found.emplace_back(&file, region, *why);
    }
    for (const auto& [file, region, why] : found) add_region(*file, region, m_code(*file), why);
    for (const FileLines& change : m_changes) {
      if (change.new_path.empty()) continue;
      const FileFacts& old = facts_of(m_before, change.old_path);
      for (const CallRegion& one : m_locking.regions(old)) {
        const Cause touching = touching_step(change, one.region);
        if (const auto taker = touched.find(one.taker); touching.line != 0) {
          add_old_region(change, one.region, {touching});
        } else if (taker != touched.end()) {
          add_old_region(change, one.region, taker->second);
        }
      }
      for (const Region& region : old.regions)
        if (const Chain* why = touched_callee(old, region, touched)) add_old_region(change, region, *why);
    }
  }

  // Why a line of the region is among these; null if none is.
  static const Chain* line_within(const std::map<unsigned, Chain>& lines, const Region& region) {
    for (auto line = lines.lower_bound(region.first); line != lines.end() && line->first <= region.last;
         ++line)
      if (region.contains(line->first)) return &line->second;
    return nullptr;
  }

  // The functions of which the change touches a line on either side, by usr.
  std::map<std::string, Chain> touched_functions() const {
    std::map<std::string, Chain> touched;
    for (const auto& [file, lines] : m_sets.lines) {
      for (const Function& function : facts_of(m_now, file).functions) {
        const auto line = lines.lower_bound(function.extent.begin_line);
        if (!function.usr.empty() && line != lines.end() && line->first <= function.extent.end_line)
          touched.try_emplace(function.usr, line->second);
      }
    }
    for (const FileLines& change : m_changes) {
      for (const Function& function : facts_of(m_before, change.old_path).functions) {
        const auto line = change.removed.lower_bound(function.extent.begin_line);
        if (!function.usr.empty() && line != change.removed.end() && *line <= function.extent.end_line)
          touched.try_emplace(function.usr, Chain{{"removed", "", change.old_path, *line, true}});
      }
    }
    return touched;
  }

  // Why a function counts that is called in the head of a region; null if there is none.
  static const Chain* touched_callee(const FileFacts& facts, const Region& region,
                                     const std::map<std::string, Chain>& touched) {
    for (auto call = facts.calls.lower_bound({region.first, 0, "", "", false});
         call != facts.calls.end() && call->line <= region.taken; ++call)
      if (const auto found = touched.find(call->usr); found != touched.end()) return &found->second;
    return nullptr;
  }

  void add_statement_lines(const std::string& file) {
    const auto lines = m_sets.lines.find(file);
    if (lines == m_sets.lines.end()) return;
    for (const StatementLines& statement : facts_of(m_now, file).statements) {
      const auto touched = std::find_if(statement.begin(), statement.end(),
                                        [&](unsigned line) { return lines->second.contains(line); });
      if (touched == statement.end()) continue;
      const Chain why = behind({"same statement", "", file, *touched}, lines->second.at(*touched));
      for (const unsigned line : statement)
        if (!lines->second.contains(line)) m_sets.statement_lines[file].try_emplace(line, why);
    }
  }

  // 2.
  void collect_methods() {
    for (const auto& [file, lines] : m_sets.lines) {
      const FileFacts& facts = facts_of(m_now, file);
      for (const auto& [line, why] : lines) add_owner(facts, file, line, why);
    }
  }

  void add_owner(const FileFacts& facts, const std::string& file, unsigned line, const Chain& why) {
    const LineIndex::Line& here = m_lines.at(facts, line);
    for (const Function* function : {here.function, here.named}) {
      if (function == nullptr) continue;
      m_sets.methods.try_emplace({file, *function}, why);
      if (!function->class_name.empty()) m_sets.classes.try_emplace(function->class_name, file, why);
    }
    if (here.function != nullptr) return;
    if (const Class* owner = class_at(facts, line)) m_sets.classes.try_emplace(owner->name, file, why);
  }

  // 2 for deleted lines: the method and the class that contained them, if these still exist.
  void collect_deleted_owners(const FileLines& change) {
    const FileFacts& old = facts_of(m_before, change.old_path);
    for (const unsigned line : change.removed) {
      const Function* function = m_lines.at(old, line).named;
      const Class* owner = class_at(old, line);
      const Chain why{{"deleted here", "", change.old_path, line, true}};
      if (function != nullptr) add_methods_like(*function, why);
      const std::string name = function != nullptr ? function->class_name
                               : owner != nullptr  ? owner->name
                                                   : "";
      if (!name.empty()) add_class_like(name, why);
    }
  }

  void add_methods_like(const Function& old, const Chain& why) {
    for (const auto& [file, facts] : m_now) {
      for (const Function& function : facts.functions) {
        const bool same = old.usr.empty() ? false : function.usr == old.usr;
        if (same) m_sets.methods.try_emplace({file, function}, why);
      }
    }
  }

  void add_class_like(const std::string& name, const Chain& why) {
    for (const auto& [file, facts] : m_now) {
      for (const Class& one : facts.classes) {
        if (one.name == name) m_sets.classes.try_emplace(name, file, why);
      }
    }
  }

  // A changed declaration has an effect on every use of what it declares.
  void collect_declarations() {
    for (const auto& [file, lines] : m_sets.lines) {
      for (const Declaration& declared : facts_of(m_now, file).declarations) {
        const auto line = lines.lower_bound(declared.first);
        if (line == lines.end() || line->first > declared.last) continue;
        const Chain why = behind({"declared", "", file, declared.first}, line->second);
        if (!declared.field.name.empty()) add_field(declared.field, file, why);
        if (declared.usr.empty()) continue;
        bool defined = false;
        for (const auto& [other, facts] : m_now) {
          for (const Function& function : facts.functions) {
            if (function.usr != declared.usr) continue;
            m_sets.methods.try_emplace({other, function}, why);
            if (!function.class_name.empty()) m_sets.classes.try_emplace(function.class_name, other, why);
            defined = true;
          }
        }
        if (!defined) m_sets.missing_callees.insert(declared.method.substr(declared.method.rfind(':') + 1));
      }
    }
  }

  // What the changed lines and the users decide and give on, and who accesses what they declare: it has
  // another type, storage or first value.
  void collect_followed() {
    ChainedLines from = m_users;
    for (const auto& [file, lines] : m_typed) from[file].insert(lines.begin(), lines.end());
    for (const FileLines& change : m_changes)
      for (const unsigned line : change.changed)
        from[change.new_path].try_emplace(line, Chain{{"changed", "", change.new_path, line}});
    std::map<Field, Chain> declared;
    for (const auto& [file, lines] : from) {
      for (const Declaration& one : facts_of(m_now, file).declarations) {
        const auto line = lines.lower_bound(one.first);
        if (one.field.name.empty() || line == lines.end() || line->first > one.last) continue;
        declared.try_emplace(one.field, behind({"declared", "", file, one.first}, line->second));
      }
    }
    for (const auto& [file, facts] : m_now)
      for (const Access& access : facts.accesses)
        if (const auto field = declared.find(access.field); field != declared.end())
          from[file].try_emplace(access.line, behind({"accessed", "", file, access.line}, field->second));
    Followed followed = follow(m_changes, m_now, m_before, m_locking, m_lines, from);
    m_sets.followed = std::move(followed.lines);
    for (const auto& [file, lines] : from)
      for (const auto& [line, why] : lines) m_sets.followed[file].try_emplace(line, why);
    m_sets.missing_callees.merge(followed.names);
  }

  void add_field(const Field& field, const std::string& file, const Chain& why) {
    m_sets.fields.try_emplace(field, file, why);
  }

  // 3 and 4, new version.
  void collect_fields() {
    ChainedLines all = m_sets.lines;
    for (const auto& [file, lines] : m_sets.statement_lines) all[file].insert(lines.begin(), lines.end());
    for (const auto& [file, lines] : all) {
      for (const Access& access : facts_of(m_now, file).accesses) {
        const auto line = lines.find(access.line);
        if (line == lines.end()) continue;
        add_field(access.field, file, behind({"accessed", "", file, access.line}, line->second));
      }
    }
    for (const auto& [file, lines] : all) {
      for (const Call& call : facts_of(m_now, file).calls) {
        const auto line = lines.find(call.line);
        if (line == lines.end()) continue;
        add_called(call, m_now, behind({"called", "", file, call.line}, line->second));
      }
      for (const Start& start : facts_of(m_now, file).starts) {
        const auto line = lines.find(start.line);
        if (line == lines.end() || start.usr.empty()) continue;
        add_called(call_of(start), m_now, behind({"called", "", file, start.line}, line->second));
      }
    }
  }

  // What a line starts as a thread, or hands to who calls it, is called as if by this line.
  static Call call_of(const Start& start) { return {start.line, 0, start.usr, start.name, false}; }

  // 3 and 4 for deleted lines.
  void collect_deleted_fields(const FileLines& change) {
    const FileFacts& old = facts_of(m_before, change.old_path);
    for (const Access& access : old.accesses) {
      if (!change.removed.contains(access.line)) continue;
      add_field(access.field, change.new_path.empty() ? change.old_path : change.new_path,
                {{"deleted access", "", change.old_path, access.line, true}});
    }
    std::vector<Call> calls(old.calls.begin(), old.calls.end());
    for (const Start& start : old.starts)
      if (!start.usr.empty()) calls.push_back(call_of(start));
    for (const Call& call : calls) {
      if (!change.removed.contains(call.line)) continue;
      const Chain why{{"called", "", change.old_path, call.line, true},
                      {"removed", "", change.old_path, call.line, true}};
      if (!add_called(call, m_now, why)) add_called(call, m_before, why);
    }
  }

  // Adds the fields that a directly called function reads or writes. False if its definition is not known.
  bool add_called(const Call& call, const Program& program, Chain why) {
    bool found = false;
    for (const auto& [file, facts] : program) {
      for (const Function& function : facts.functions) {
        const bool same = call.dependent ? !function.lambda && function.method == call.name
                                         : !function.usr.empty() && function.usr == call.usr;
        if (!same) continue;
        found = true;
        why.front().name = qualified_name_of(function);
        for (const Access& access : facts.accesses) {
          if (function.extent.contains(access.line, access.column)) add_field(access.field, file, why);
        }
      }
    }
    if (!found && !call.dependent) m_sets.missing_callees.insert(call.name);
    return found;
  }

  const std::vector<FileLines>& m_changes;
  const Program& m_now;
  const Program& m_before;
  const ChainedLines& m_macros;
  const CodeOf& m_code;
  LineIndexes m_lines;
  const LockingFunctions m_locking;
  ChainedLines m_users; // the lines that use what changed
  ChainedLines m_typed; // and those that it stands behind (users.h)
  ImpactedSets m_sets;
};

} // namespace

ImpactedSets analyse(const std::vector<FileLines>& changes, const Program& now, const Program& before,
                     const ChainedLines& macros,
                     const std::function<const std::vector<std::string>&(const std::string& file)>& code) {
  return Analyser(changes, now, before, macros, code).run();
}

} // namespace reex::impact
