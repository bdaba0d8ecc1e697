#include "impact/call_regions.h"

#include <algorithm>

#include "impact/analysis.h"

namespace reex::impact {
namespace {

constexpr int k_depth = 4; // of functions that lock by calling others that lock

bool is_destructor(const std::string& name) { return name.starts_with('~'); }

} // namespace

LockingFunctions::LockingFunctions(const Program& now, const Program& before, LineIndexes& lines)
    : m_lines(lines) {
  add(now);
  add(before);
  add_overridden(now);
  add_overridden(before);
  // Which destructors release is known before it is asked who keeps a lock in an object.
  for (const bool takers : {false, true}) {
    for (int i = 0; i < k_depth && (!m_takers.empty() || !m_releasers.empty()); ++i) {
      const bool more = add_callers(now, takers);
      if (!add_callers(before, takers) && !more) break;
    }
  }
}

// What both takes and releases lets others in for a while, or is a region of its own.
void LockingFunctions::add(const Program& program) {
  for (const auto& [file, facts] : program) {
    std::map<const Function*, std::pair<std::string, bool>> halves; // what it takes, and whether it releases
    for (const HalfRegion& half : facts.half_regions) {
      const Function* function = m_lines.at(facts, half.line).function;
      if (function == nullptr || function->usr.empty()) continue;
      auto& [lock, releases] = halves[function];
      if (half.takes) lock = half.lock;
      releases = releases || !half.takes;
    }
    for (const auto& [function, half] : halves) {
      if (!half.first.empty() && !half.second) {
        m_takers.emplace(function->usr, half.first);
        m_taker_names.emplace(name_of(*function), function->usr);
        if (is_constructor(*function)) m_constructors.insert(function->usr);
      } else if (half.first.empty()) {
        m_releasers.insert(function->usr);
        m_releaser_names.insert(name_of(*function));
      }
    }
  }
}

// Who calls a virtual function may call each that overrides it.
void LockingFunctions::add_overridden(const Program& program) {
  for (const auto& [file, facts] : program) {
    for (const Shape& shape : facts.shapes) {
      if (shape.overrides.empty()) continue;
      const auto taker = m_takers.find(shape.usr);
      for (const std::string& overridden : shape.overrides) {
        if (taker != m_takers.end()) m_takers.emplace(overridden, taker->second);
        if (m_releasers.contains(shape.usr)) m_releasers.insert(overridden);
      }
    }
  }
}

// A function that calls one that takes and none that releases takes, too, and the other way round. But an
// object that locks in its constructor, or gets what is locked, unlocks in its destructor, before the
// function ends.
bool LockingFunctions::add_callers(const Program& program, bool takers) {
  const std::size_t before = m_takers.size() + m_releasers.size();
  for (const auto& [file, facts] : program) {
    std::map<const Function*, std::pair<std::string, bool>> halves;
    for (const Call& call : facts.calls) {
      if (call.dependent || is_destructor(call.name) || m_constructors.contains(call.usr)) continue;
      const std::string* taken = taker(call);
      const bool released = releases(call);
      if (taken == nullptr && !released) continue;
      if (kept_until(facts, call.line) != 0) continue;
      const Function* function = m_lines.at(facts, call.line).function;
      if (function == nullptr || function->usr.empty()) continue;
      auto& [lock, releases] = halves[function];
      if (taken != nullptr) lock = m_takers.at(*taken);
      releases = releases || released;
    }
    for (const auto& [function, half] : halves) {
      if (m_takers.contains(function->usr) || m_releasers.contains(function->usr)) continue;
      if (!half.first.empty() && half.second) continue;
      if (half.second) {
        m_releasers.insert(function->usr);
      } else if (takers) {
        m_takers.emplace(function->usr, half.first);
        if (is_constructor(*function)) m_constructors.insert(function->usr);
      }
    }
  }
  return m_takers.size() + m_releasers.size() != before;
}

const std::string* LockingFunctions::taker(const Call& call) const {
  if (call.dependent) {
    const auto named = m_taker_names.find(call.name);
    return named == m_taker_names.end() ? nullptr : &named->second;
  }
  const auto found = m_takers.find(call.usr);
  return found == m_takers.end() ? nullptr : &found->first;
}

bool LockingFunctions::releases(const Call& call) const {
  return call.dependent ? m_releaser_names.contains(call.name) : m_releasers.contains(call.usr);
}

unsigned LockingFunctions::kept_until(const FileFacts& facts, unsigned line) const {
  unsigned until = 0;
  for (const ObjectLife& life : facts.lives) {
    if (life.first > line) break;
    if (line <= life.last && m_releasers.contains(life.destructor)) until = std::max(until, life.until);
  }
  return until;
}

std::vector<CallRegion> LockingFunctions::regions(const FileFacts& facts) const {
  std::vector<CallRegion> found;
  if (m_takers.empty()) return found;
  std::set<unsigned> known; // the lines of locks whose regions the parse has found
  for (const Region& region : facts.regions) known.insert(region.taken);
  for (const Call& call : facts.calls) {
    const std::string* usr = taker(call);
    if (usr == nullptr || is_destructor(call.name) || known.contains(call.line)) continue;
    const Function* function = m_lines.at(facts, call.line).function;
    if (function == nullptr) continue;
    unsigned last = kept_until(facts, call.line);
    const unsigned end = last != 0 ? 0 : function->extent.end_line;
    for (auto other = facts.calls.lower_bound({call.line, 0, "", "", false});
         other != facts.calls.end() && other->line <= end; ++other)
      if (!is_destructor(other->name) && releases(*other)) last = other->line;
    if (last == 0) last = function->extent.end_line;
    found.push_back({{call.line, last, m_takers.at(*usr), call.line}, *usr});
  }
  return found;
}

} // namespace reex::impact
