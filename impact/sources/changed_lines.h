// The lines of code that a change touches, on both sides. These are the partial code points of section 4.2.1
// (dissertation) of which only L is known.
#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>

#include "git/change.h"

namespace reex::impact {

struct FileLines {
  std::string old_path;       // absolute; "" for an added file
  std::string new_path;       // absolute; "" for a deleted file
  std::vector<Hunk> hunks;    // without lines whose code is the same on both sides, and without texts
  std::set<unsigned> changed; // added or rewritten lines, by their new numbers
  // For each place where code was deleted and none added: the number of the new line before it, and that of
  // the first deleted line.
  std::map<unsigned, unsigned> deletions;
  std::set<unsigned> removed;    // removed or rewritten lines, by their old numbers
  std::vector<std::string> code; // the new side, see code_of_lines()
  std::vector<std::string> old_code;
};

// `root` makes the paths absolute. Hunks that change only white space, line ends of statements and comments
// are ignored.
FileLines changed_lines(const FileChange& change, const std::string& root, const std::string& old_text,
                        const std::string& new_text);

} // namespace reex::impact
