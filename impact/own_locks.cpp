#include "impact/own_locks.h"

#include <algorithm>
#include <cctype>
#include <map>
#include <set>
#include <string_view>
#include <utility>

#include "impact/analysis.h"

namespace reex::impact {
namespace {

// Of methods of one class that call each other.
constexpr int k_depth = 2;

struct Place {
  std::string file;
  unsigned line = 0;
  auto operator<=>(const Place&) const = default;
};

class Search {
public:
  Search(const std::vector<FileLines>& changes, const Program& now, const Program& before)
      : m_changes(changes), m_sides{&now, &before} {
    for (const Program* side : m_sides)
      for (const auto& [file, facts] : *side)
        for (const Declaration& one : facts.declarations)
          if (!one.field.name.empty()) m_declared[side == &now ? 0 : 1].insert(one.field);
  }

  std::vector<OwnRegion> run() {
    std::map<Field, Place> gone;
    for (const FileLines& change : m_changes) {
      const auto facts = m_sides[1]->find(change.old_path);
      if (facts == m_sides[1]->end()) continue;
      for (const Declaration& one : facts->second.declarations) {
        const auto line = change.removed.lower_bound(one.first);
        if (one.field.name.empty() || !one.field.class_name.empty() || m_declared[0].contains(one.field) ||
            line == change.removed.end() || *line > one.last)
          continue;
        gone.try_emplace(one.field, Place{change.old_path, one.first});
      }
    }
    if (gone.empty()) return {};
    for (const auto& [file, facts] : *m_sides[1])
      for (const Access& access : facts.accesses)
        if (const auto found = gone.find(access.field); found != gone.end() && stayed(file, access.line))
          used(file, facts, access.line, found->second);
    return std::move(m_found);
  }

private:
  bool stayed(const std::string& file, unsigned line) const {
    return std::none_of(m_changes.begin(), m_changes.end(), [&](const FileLines& change) {
      return change.old_path == file && change.removed.contains(line);
    });
  }

  // Of a function that returns the object, who calls it uses the object as well.
  void used(const std::string& file, const FileFacts& facts, unsigned line, const Place& declared) {
    called_on(facts, line, declared);
    const Function* function = function_at(facts, line, false);
    if (function == nullptr || !facts.results.contains(line)) return;
    for (const auto& [other, theirs] : *m_sides[1])
      for (const Call& call : theirs.calls)
        if (call.usr == function->usr && (other != file || call.line != line))
          called_on(theirs, call.line, declared);
  }

  void called_on(const FileFacts& facts, unsigned line, const Place& declared) {
    for (auto call = facts.calls.lower_bound({line, 0, "", "", false});
         call != facts.calls.end() && call->line == line; ++call)
      method(*call, "", declared, 1);
  }

  void method(const Call& call, const std::string& of_class, const Place& declared, int depth) {
    for (const bool old : {false, true}) {
      for (const auto& [file, facts] : *m_sides[old]) {
        for (const Function& function : facts.functions) {
          if (function.lambda || function.class_name.empty() || !is(function, call) ||
              (!of_class.empty() && function.class_name != of_class))
            continue;
          add_regions(old, file, facts, function, declared);
          if (depth == k_depth) continue;
          for (auto inner = facts.calls.lower_bound({function.extent.begin_line, 0, "", "", false});
               inner != facts.calls.end() && inner->line <= function.extent.end_line; ++inner)
            method(*inner, function.class_name, declared, depth + 1);
        }
      }
    }
  }

  // A template knows the method's name only.
  static bool is(const Function& function, const Call& call) {
    return call.dependent ? function.method == call.name : !call.usr.empty() && function.usr == call.usr;
  }

  void add_regions(bool old, const std::string& file, const FileFacts& facts, const Function& function,
                   const Place& declared) {
    for (const Region& region : facts.regions)
      if (function.extent.begin_line <= region.first && region.last <= function.extent.end_line &&
          locks_own(region.lock, function.class_name))
        m_found.push_back({old, file, region, declared.file, declared.line});
  }

  // Whether a word of what is locked names a member of the class. Static members are not told from others.
  bool locks_own(std::string_view lock, const std::string& class_name) const {
    const auto in_word = [](unsigned char c) { return std::isalnum(c) != 0 || c == '_'; };
    for (auto from = lock.begin(); from != lock.end();) {
      from = std::find_if(from, lock.end(), in_word);
      const auto to = std::find_if_not(from, lock.end(), in_word);
      const Field member{class_name, std::string(from, to)};
      if (from != to && (m_declared[0].contains(member) || m_declared[1].contains(member))) return true;
      from = to;
    }
    return false;
  }

  const std::vector<FileLines>& m_changes;
  const Program* m_sides[2]; // the new one, the old one
  std::set<Field> m_declared[2];
  std::vector<OwnRegion> m_found;
};

} // namespace

std::vector<OwnRegion> regions_no_longer_shared(const std::vector<FileLines>& changes, const Program& now,
                                                const Program& before) {
  return Search(changes, now, before).run();
}

} // namespace reex::impact
