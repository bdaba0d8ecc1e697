// Which source positions are impacted by a change: the matcher that the explorer asks at run time, once per
// machine address (heuristics/match_bits.h). Matching is BY SOURCE POSITION, never by name, so that g++ and
// clang++, -O0 and -O2, which spell functions differently, give the same bits.
//
// Plain data, filled by collect_impact(); const members may be called from several threads.
// Cost: frame_bits() takes a few microseconds, most of it to normalize the path.
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "heuristics/match_bits.h"
#include "reex/symbols/frame.h"

namespace reex {

// A half-open stretch of source text within one file; columns count from 1, in bytes.
struct Extent {
  unsigned begin_line = 0;
  unsigned begin_column = 0;
  unsigned end_line = 0;
  unsigned end_column = 0;

  bool contains_line(unsigned line) const { return begin_line <= line && line <= end_line; }
  bool contains(unsigned line, unsigned column) const;
  auto operator<=>(const Extent&) const = default;
};

class CodePoints {
public:
  // k_match_class: the position lies in a method definition or the body of an impacted class.
  // k_match_method: in the definition of an impacted method (lambdas inside count as part of it).
  // k_match_line: on an impacted line. k_match_field: at an access of an impacted field.
  std::uint8_t frame_bits(const Frame& frame) const;

  bool empty() const { return m_files.empty(); }
  bool line_impacted(const std::string& file, unsigned line) const;

  void add_class_extent(const std::string& file, const Extent& extent);
  void add_method_extent(const std::string& file, const Extent& extent);
  void add_line(const std::string& file, unsigned line);
  // A stretch that stands for an access of an impacted field, or, inside such a one, for something else. A
  // position belongs to the smallest stretch around it (access_groups.h has the rule and the measurements
  // behind it).
  void add_access(const std::string& file, const Extent& extent, bool impacted);

private:
  struct File {
    std::vector<Extent> classes;
    std::vector<Extent> methods;
    std::set<unsigned> lines;
    std::map<Extent, bool> accesses;
  };
  const File* find(const std::string& path) const;

  std::map<std::string, File> m_files; // by absolute, normalized path
};

} // namespace reex
