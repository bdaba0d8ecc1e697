// The source positions that a change has an impact on. During an exploration, the parent asks for the match
// bits (heuristics/match_bits.h) of each machine address once. Matching uses the source position and never a
// name: g++ and clang++, and -O0 and -O2, spell functions differently, but must give the same bits.
//
// Thread safety: collect_impact() fills the object. Afterwards several threads may call the const members.
//
// Cost: frame_bits() takes a few microseconds, most of them to normalize the path.
//
// Errors: none. A position in an unknown file has no bits.
//
// Source: the match modes of CAPP (dissertation, section 4.2.2).
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "heuristics/match_bits.h"
#include "impact/facts/extent.h"
#include "reex/symbols/frame.h"

namespace reex {

class CodePoints {
public:
  // - k_match_class: the position is in the body, or in a method definition, of an impacted class.
  // - k_match_method: it is in the definition of an impacted method, including its lambdas.
  // - k_match_line: it is on an impacted line.
  // - k_match_field: it is an access of an impacted field.
  std::uint8_t frame_bits(const Frame& frame) const;

  // Whether the position is on a line that follows from the change (follow.h). This has no part in the order
  // of the exploration.
  bool follows(const Frame& frame) const;

  bool empty() const { return m_files.empty(); }
  // Whether frame_bits() may give bits for a position on these lines.
  bool touches(const std::string& file, unsigned first, unsigned last) const;
  bool line_impacted(const std::string& file, unsigned line) const;

  void add_class_extent(const std::string& file, const Extent& extent);
  void add_method_extent(const std::string& file, const Extent& extent);
  void add_line(const std::string& file, unsigned line);
  void add_followed(const std::string& file, unsigned line);
  // Adds a range that is an access of an impacted field or, inside such a range, one that is something else
  // (`impacted` is false). A position belongs to the smallest range that contains it; access_groups.h has the
  // rule and the measurements behind it.
  void add_access(const std::string& file, const Extent& extent, bool impacted);

private:
  struct File {
    std::vector<Extent> classes;
    std::vector<Extent> methods;
    std::set<unsigned> lines;
    std::set<unsigned> followed;
    std::map<Extent, bool> accesses;
  };
  const File* find(const std::string& path) const;

  std::map<std::string, File> m_files; // by absolute, normalized path
};

} // namespace reex
