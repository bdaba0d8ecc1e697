#include "impact/program_index.h"

#include <set>
#include <utility>

#include "impact/analysis.h"

namespace reex::impact {
namespace {

template <typename Item>
const std::vector<Item>& found_in(const std::map<std::string, std::vector<Item>>& items,
                                  const std::string& key) {
  static const std::vector<Item> none;
  const auto found = items.find(key);
  return found == items.end() ? none : found->second;
}

} // namespace

const std::string& key_of(const Call& call) { return call.dependent ? call.name : call.usr; }

ProgramIndex::ProgramIndex(const Program& now, const Program& before, const LockingFunctions& locking,
                           LineIndexes& lines)
    : m_sides{&now, &before}, m_locking(locking), m_lines(lines) {
  for (const bool old : {false, true}) {
    for (const auto& [file, facts] : *m_sides[old]) {
      for (const Call& call : facts.calls) m_calls[key_of(call)].push_back({old, &file, call.line});
      for (const Shape& shape : facts.shapes)
        if (shape.kind == Shape::Kind::declaration && !shape.overrides.empty()) {
          std::vector<std::string>& all = m_overridden[shape.usr];
          all.insert(all.end(), shape.overrides.begin(), shape.overrides.end());
        }
      for (const Use& one : facts.uses)
        if (one.usr.ends_with("#library")) m_calls_in_library[one.usr].push_back({old, &file, one.line});
    }
  }
}

const FileFacts* ProgramIndex::facts(bool old, const std::string& file) const {
  const auto found = m_sides[old]->find(file);
  return found == m_sides[old]->end() ? nullptr : &found->second;
}

const LineIndex::Line& ProgramIndex::line(bool old, const std::string& file, unsigned line) {
  return m_lines.at(m_sides[old]->at(file), line);
}

void ProgramIndex::for_callers(const Function& function,
                               const std::function<void(const CallPlace&)>& use) const {
  std::set<std::string> called{function.usr, name_of(function)}; // a template knows the name only
  if (const auto found = m_overridden.find(function.usr); found != m_overridden.end())
    called.insert(found->second.begin(), found->second.end());
  for (const std::string& name : called)
    for (const CallPlace& call : calls(name)) use(call);
}

void ProgramIndex::for_callers_in_library(const Function& function,
                                          const std::function<void(const CallPlace&)>& use) const {
  const std::size_t of_class = function.usr.rfind("@F@operator");
  if (of_class == std::string::npos) return;
  for (const CallPlace& call : found_in(m_calls_in_library, function.usr.substr(0, of_class) + "#library"))
    use(call);
}

void ProgramIndex::for_guarded(const Function& function,
                               const std::function<void(const CallPlace&)>& use) const {
  for (const bool old : {false, true})
    for (const auto& [file, facts] : *m_sides[old])
      for (const GuardedCall& call : facts.guarded)
        if (call.usr.empty() ? call.name == name_of(function) : call.usr == function.usr)
          for (const Region& region : facts.regions)
            if (region.taken == call.line)
              for (const unsigned line : region.lines()) use({old, &file, line});
}

const std::vector<ProgramIndex::CallPlace>& ProgramIndex::calls(const std::string& key) const {
  return found_in(m_calls, key);
}

const std::vector<ProgramIndex::Definition>& ProgramIndex::definitions(const std::string& key) {
  if (m_definitions.empty()) find_definitions();
  return found_in(m_definitions, key);
}

const std::vector<ProgramIndex::Read>& ProgramIndex::reads(const std::string& field_name) {
  if (m_reads.empty()) find_reads();
  return found_in(m_reads, field_name);
}

const std::vector<ProgramIndex::RegionPlace>& ProgramIndex::regions_by(const std::string& taker) {
  if (!m_has_regions) find_regions();
  return found_in(m_regions, taker);
}

const std::vector<Region>& ProgramIndex::regions_at(bool old, const std::string& file, unsigned line) {
  static const std::vector<Region> none;
  if (!m_has_regions) find_regions();
  const auto lines = m_regions_at[old].find(file);
  if (lines == m_regions_at[old].end()) return none;
  const auto found = lines->second.find(line);
  return found == lines->second.end() ? none : found->second;
}

void ProgramIndex::find_definitions() {
  for (const bool old : {false, true}) {
    for (const auto& [file, facts] : *m_sides[old]) {
      for (const Function& function : facts.functions) {
        if (function.usr.empty() || function.lambda) continue;
        m_definitions[function.usr].push_back({old, &file, &function});
        if (const std::string name = name_of(function); m_calls.contains(name))
          m_definitions[name].push_back({old, &file, &function});
      }
    }
  }
  std::map<std::string, std::set<std::string>> overriders;
  for (const Program* side : m_sides)
    for (const auto& [file, facts] : *side)
      for (const Shape& shape : facts.shapes)
        if (shape.kind == Shape::Kind::declaration)
          for (const std::string& base : shape.overrides) overriders[base].insert(shape.usr);
  for (const auto& [base, usrs] : overriders)
    for (const std::string& usr : usrs)
      if (const auto found = m_definitions.find(usr); found != m_definitions.end()) {
        const std::vector<Definition> more = found->second;
        std::vector<Definition>& all = m_definitions[base];
        all.insert(all.end(), more.begin(), more.end());
      }
}

void ProgramIndex::find_reads() {
  for (const bool old : {false, true}) {
    for (const auto& [file, facts] : *m_sides[old]) {
      std::set<std::pair<unsigned, unsigned>> written;
      for (const FieldWrite& write : facts.writes) written.insert({write.line, write.column});
      for (const Access& access : facts.accesses)
        if (!written.contains({access.line, access.column}))
          m_reads[access.field.name].push_back({old, &file, access.line, &access.field});
    }
  }
}

void ProgramIndex::find_regions() {
  for (const bool old : {false, true}) {
    for (const auto& [file, facts] : *m_sides[old]) {
      for (const CallRegion& one : m_locking.regions(facts)) {
        m_regions[one.taker].push_back({old, &file, one.region});
        m_regions_at[old][file][one.region.first].push_back(one.region);
      }
    }
  }
  m_has_regions = true;
}

} // namespace reex::impact
