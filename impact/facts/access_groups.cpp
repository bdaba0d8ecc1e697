#include "impact/facts/access_groups.h"

namespace reex::impact {

int AccessGroups::add(const std::string* file, const Extent& extent) {
  const int number = static_cast<int>(m_nodes.size());
  m_nodes.push_back({file, extent, {}, number});
  return number;
}

void AccessGroups::add_fields(int node, const std::set<Field>& fields) {
  if (node >= 0) m_nodes[static_cast<std::size_t>(node)].fields.insert(fields.begin(), fields.end());
}

int AccessGroups::root(int node) {
  Node& here = m_nodes[static_cast<std::size_t>(node)];
  if (here.parent != node) here.parent = root(here.parent);
  return here.parent;
}

void AccessGroups::join(int one, int two) {
  if (one < 0 || two < 0) return;
  m_nodes[static_cast<std::size_t>(root(one))].parent = root(two);
}

int AccessGroups::smallest_at(const std::string* file, unsigned line, unsigned column) const {
  int found = -1;
  for (std::size_t i = 0; i < m_nodes.size(); ++i) {
    if (m_nodes[i].file != file || !m_nodes[i].extent.contains(line, column)) continue;
    if (found < 0 || within(m_nodes[i].extent, m_nodes[static_cast<std::size_t>(found)].extent)) {
      found = static_cast<int>(i);
    }
  }
  return found;
}

void AccessGroups::flush(Program& program, const std::set<Field>& dropped) {
  std::map<int, std::set<Field>> groups;
  for (std::size_t i = 0; i < m_nodes.size(); ++i) {
    std::set<Field>& fields = groups[root(static_cast<int>(i))];
    for (const Field& field : m_nodes[i].fields) {
      if (!dropped.contains(field)) fields.insert(field);
    }
  }
  for (std::size_t i = 0; i < m_nodes.size(); ++i) {
    const std::set<Field>& fields = groups[root(static_cast<int>(i))];
    program[*m_nodes[i].file].positions[m_nodes[i].extent].insert(fields.begin(), fields.end());
  }
  m_nodes.clear();
}

} // namespace reex::impact
