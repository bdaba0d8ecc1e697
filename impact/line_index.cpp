#include "impact/line_index.h"

namespace reex::impact {
namespace {

void take_if_inner(const Function*& innermost, const Function& function) {
  if (innermost == nullptr || within(function.extent, innermost->extent)) innermost = &function;
}

} // namespace

LineIndex::LineIndex(const FileFacts& facts) {
  for (const Function& function : facts.functions) {
    for (unsigned line = function.extent.begin_line; line <= function.extent.end_line; ++line) {
      take_if_inner(m_lines[line].function, function);
      if (!function.lambda) take_if_inner(m_lines[line].named, function);
    }
  }
  for (const StatementLines& statement : facts.statements)
    for (const unsigned line : statement) m_lines[line].statements.push_back(&statement);
  for (const LocalValue& value : facts.values)
    for (const unsigned line : value.set_on) m_lines[line].values.push_back(&value);
  for (const Decision& decision : facts.decisions) {
    add(decision.from, decision.to, decision, &Line::decisions);
    if (decision.loop) add(decision.first, decision.last, decision, &Line::loops);
  }
  for (const Region& region : facts.regions) add(region.first, region.taken, region, &Line::regions);
  for (const FieldWrite& write : facts.writes) add(write.first, write.last, write, &Line::writes);
}

template <typename Item>
void LineIndex::add(unsigned first, unsigned last, const Item& item, std::vector<const Item*> Line::*list) {
  for (unsigned line = first; line <= last; ++line) (m_lines[line].*list).push_back(&item);
}

const LineIndex::Line& LineIndex::at(unsigned line) const {
  static const Line none;
  const auto found = m_lines.find(line);
  return found == m_lines.end() ? none : found->second;
}

const LineIndex::Line& LineIndexes::at(const FileFacts& facts, unsigned line) {
  auto index = m_indexes.find(&facts);
  if (index == m_indexes.end()) index = m_indexes.emplace(&facts, facts).first;
  return index->second.at(line);
}

} // namespace reex::impact
