// The hunks of a change's diff, and which of its lines an execution passed.
#pragma once

#include <map>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "git/change.h"
#include "reex/run/result.h"
#include "report/change_excerpt.h"

namespace reex {

struct DiffLine {
  char sign = ' ';
  unsigned new_line = 0; // 0 for a removed line
  std::string text;      // without the sign; safe for a terminal
};

struct DiffHunk {
  std::string header;
  std::vector<DiffLine> lines;
};

std::vector<DiffHunk> parse_hunks(std::string_view diff);

using ThreadSet = std::set<int>;
using PassedLines = std::map<std::string, std::map<unsigned, ThreadSet>>; // file -> line -> threads

// The lines that are left directly before and behind lines that were removed, where no line has come instead.
using Lines = std::set<std::pair<std::string, unsigned>>; // file, line
Lines lines_beside_removed(const std::string& root, const std::vector<FileChange>& changes);

// All lines of the new side that the hunks show, changed or around what has changed.
Lines lines_of_hunks(const std::string& root, const std::vector<FileChange>& changes);

// The changed lines on the stacks of the steps and of the positions, and those of `beside`.
PassedLines passed_lines(const Schedule& schedule, const std::vector<ThreadPosition>& where,
                         const Lines& beside);

// The steps with a line on their stack: the first few, and how many there are.
struct StepsOfLine {
  std::vector<unsigned> first;
  std::size_t count = 0;
};
using StepsOfLines = std::map<std::pair<std::string, unsigned>, StepsOfLine>; // by file and line

// Where an execution passed the change.
struct Passage {
  PassedLines lines;
  StepsOfLines steps;
};
Passage passage_of(const ChangeView& change, const Failure& failure);

} // namespace reex
