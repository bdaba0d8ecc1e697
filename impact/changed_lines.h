// The lines that a change touches, of both sides, without those that hold no code: the partial code points of
// section 4.2.1 in which only L is known.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "git/change.h"

namespace reex::impact {

struct FileLines {
  std::string old_path; // absolute; "" for an added file
  std::string new_path; // absolute; "" for a deleted file
  std::vector<Hunk> hunks;
  std::set<unsigned> changed;      // new lines that were written
  std::vector<unsigned> deletions; // the new line before each place where code stood and none came instead
  std::set<unsigned> removed;      // old lines that are gone
  std::vector<std::string> code;   // the new side, see code_of_lines()
};

// `root` makes the paths absolute. Hunks that change white space and comments only are left out.
FileLines changed_lines(const FileChange& change, const std::string& root, const std::string& old_text,
                        const std::string& new_text);

} // namespace reex::impact
