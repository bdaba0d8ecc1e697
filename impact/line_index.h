// What the facts of a file say of one of its lines, for who asks of many of them.
//
// Callers: analyse(), and what it calls. An index refers to the facts, which must outlive it.
//
// Cost: once for each line of each function, statement, loop and condition; then a look-up.
#pragma once

#include <unordered_map>
#include <vector>

#include "impact/facts/facts.h"

namespace reex::impact {

class LineIndex {
public:
  // The lists are in the order of the facts.
  struct Line {
    const Function* function = nullptr; // the innermost one, null if there is none
    const Function* named = nullptr;    // the innermost one that is no lambda
    std::vector<const StatementLines*> statements;
    std::vector<const LocalValue*> values;  // that are set on the line
    std::vector<const Decision*> decisions; // whose condition has the line
    std::vector<const Decision*> loops;     // whose condition or body has it
    std::vector<const Region*> regions; // that begin there, or before it, and take their lock there or behind
    std::vector<const FieldWrite*> writes; // whose expression has it
  };

  explicit LineIndex(const FileFacts& facts);

  const Line& at(unsigned line) const;

private:
  template <typename Item>
  void add(unsigned first, unsigned last, const Item& item, std::vector<const Item*> Line::*list);

  std::unordered_map<unsigned, Line> m_lines;
};

// The indexes of many files, each made when it is first asked.
class LineIndexes {
public:
  const LineIndex::Line& at(const FileFacts& facts, unsigned line);

private:
  std::unordered_map<const FileFacts*, LineIndex> m_indexes;
};

} // namespace reex::impact
