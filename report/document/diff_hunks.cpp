#include "report/document/diff_hunks.h"

#include <charconv>

#include "report/text/bytes_text.h"

namespace reex {
namespace {

constexpr std::size_t k_links = 6; // steps that are named beside a line

unsigned new_start(std::string_view header) {
  const std::size_t plus = header.find('+');
  unsigned start = 0;
  if (plus != std::string_view::npos)
    std::from_chars(header.data() + plus + 1, header.data() + header.size(), start);
  return start;
}

} // namespace

std::vector<DiffHunk> parse_hunks(std::string_view text) {
  std::vector<DiffHunk> hunks;
  unsigned next = 0;
  while (!text.empty()) {
    const std::size_t newline = text.find('\n');
    const std::string_view line = text.substr(0, newline);
    text.remove_prefix(newline == std::string_view::npos ? text.size() : newline + 1);
    if (line.starts_with("@@")) {
      hunks.push_back({std::string(line), {}});
      next = new_start(line);
    } else if (!hunks.empty() && !line.empty() &&
               std::string_view(" +-").find(line[0]) != std::string_view::npos) {
      const bool removed = line[0] == '-';
      hunks.back().lines.push_back({line[0], removed ? 0 : next, escape_for_terminal(line.substr(1))});
      if (!removed) ++next;
    }
  }
  return hunks;
}

Lines lines_beside_removed(const std::string& root, const std::vector<FileChange>& changes) {
  Lines beside;
  for (const FileChange& file : changes) {
    for (const DiffHunk& hunk : parse_hunks(file.text)) {
      const auto is_context = [&](std::size_t i) { return hunk.lines[i].sign == ' '; };
      for (std::size_t end = 0, begin = 0; begin < hunk.lines.size(); begin = end + 1) {
        end = begin;
        if (hunk.lines[begin].sign != '-') continue;
        while (end < hunk.lines.size() && hunk.lines[end].sign == '-') ++end;
        const bool has_before = begin > 0;
        const bool has_after = end < hunk.lines.size();
        if ((has_before && !is_context(begin - 1)) || (has_after && !is_context(end))) continue;
        if (has_before) beside.emplace(root + '/' + file.new_path, hunk.lines[begin - 1].new_line);
        if (has_after) beside.emplace(root + '/' + file.new_path, hunk.lines[end].new_line);
      }
    }
  }
  return beside;
}

Lines lines_of_hunks(const std::string& root, const std::vector<FileChange>& changes) {
  Lines lines;
  for (const FileChange& file : changes)
    for (const DiffHunk& hunk : parse_hunks(file.text))
      for (const DiffLine& line : hunk.lines)
        if (line.sign != '-') lines.emplace(root + '/' + file.new_path, line.new_line);
  return lines;
}

PassedLines passed_lines(const Schedule& schedule, const std::vector<ThreadPosition>& where,
                         const Lines& beside) {
  PassedLines passed;
  const auto add = [&](const std::vector<Frame>& stack, int thread) {
    for (const Frame& frame : stack)
      if (frame.changed || beside.contains({frame.file, frame.line}))
        passed[frame.file][frame.line].insert(thread);
  };
  for (const TraceStep& step : schedule.trace) add(step.stack, step.thread);
  for (const ThreadPosition& position : where) add(position.stack, position.thread);
  return passed;
}

Passage passage_of(const ChangeView& change, const Failure& failure) {
  Passage passage;
  passage.lines = passed_lines(failure.how, failure.where, lines_beside_removed(change.root, change.changes));
  for (const TraceStep& step : failure.how.trace) {
    std::set<std::pair<std::string, unsigned>> lines;
    for (const Frame& frame : step.stack)
      if (frame.changed) lines.emplace(frame.file, frame.line);
    for (const auto& line : lines) {
      StepsOfLine& steps = passage.steps[line];
      if (steps.count++ < k_links) steps.first.push_back(step.step);
    }
  }
  return passage;
}

} // namespace reex
