#include "report/compare/shown_failure.h"

#include <fmt/format.h>

#include <algorithm>

#include "reex/run/finding_kinds.h"

namespace reex {
namespace {

// Less than a page of a run has: an evaluation holds one of each test.
constexpr InterleavingLimits k_limits = {.steps = 300, .stacks = 0};
constexpr std::size_t k_frames = 12; // of a stack
constexpr std::size_t k_around = 8;  // lines of a hunk on each side of a line that was passed
constexpr std::size_t k_lines = 300; // of the whole diff

const Failure* counted_failure(const std::vector<TestRun>& runs) {
  const Failure* first = nullptr;
  const auto rank = [](const Failure& failure) {
    return std::pair(row_of_failure(failure.kind) != nullptr, failure.schedule);
  };
  for (const TestRun& run : runs)
    for (const Failure& failure : run.failures)
      if (failure.schedule != 0 && (first == nullptr || rank(failure) < rank(*first))) first = &failure;
  return first;
}

// Those of the user and of the change, innermost first; of the libraries where the operation is.
void shorten_stack(InterleavingRow& row) {
  std::vector<Frame> kept;
  const Frame* user = user_frame(row.step.stack);
  const auto is_of_interest = [&](const Frame& frame) {
    return kept.size() < k_frames && (kept.empty() || is_of_user(frame));
  };
  for (const Frame& frame : row.step.stack)
    if (&frame == user || frame.changed || (row.with_stack && is_of_interest(frame))) kept.push_back(frame);
  row.step.stack = std::move(kept);
}

void shorten_stacks(std::vector<InterleavingRow>& rows) {
  for (InterleavingRow& row : rows) {
    shorten_stack(row);
    shorten_stacks(row.rows);
  }
}

// The lines of a hunk that were passed, and those near them, as hunks of their own.
class NearLines {
public:
  NearLines(const std::map<unsigned, ThreadSet>& passed, std::size_t& left)
      : m_passed(passed), m_left(left) {}

  std::string of(const DiffHunk& hunk) {
    const std::vector<DiffLine>& lines = hunk.lines;
    std::vector<bool> kept(lines.size());
    for (std::size_t i = 0; i < lines.size(); ++i)
      if (m_passed.contains(lines[i].new_line))
        for (std::size_t near = i - std::min(i, k_around); near < std::min(lines.size(), i + k_around + 1);
             ++near)
          kept[near] = true;
    std::string text;
    for (std::size_t begin = 0, end = 0; begin < lines.size(); begin = std::max(end, begin + 1)) {
      for (end = begin; end < lines.size() && kept[end] && m_left > 0; ++end) --m_left;
      if (end > begin) text += part(hunk, begin, end);
    }
    return text;
  }

private:
  static std::string part(const DiffHunk& hunk, std::size_t begin, std::size_t end) {
    std::string header = hunk.header;
    if (begin != 0 || end != hunk.lines.size()) {
      const auto first =
          std::find_if(hunk.lines.begin() + static_cast<std::ptrdiff_t>(begin), hunk.lines.end(),
                       [](const DiffLine& line) { return line.new_line != 0; });
      header = fmt::format("@@ … +{} @@", first == hunk.lines.end() ? 0 : first->new_line);
    }
    std::string text = header + '\n';
    for (std::size_t i = begin; i < end; ++i) text += hunk.lines[i].sign + hunk.lines[i].text + '\n';
    return text;
  }

  const std::map<unsigned, ThreadSet>& m_passed;
  std::size_t& m_left;
};

ChangeView passed_part(const ChangeView& change, const PassedLines& passed) {
  ChangeView part{change.title, change.root, {}};
  std::size_t left = k_lines;
  for (const FileChange& file : change.changes) {
    const auto found = passed.find(change.root + '/' + file.new_path);
    if (found == passed.end()) continue;
    FileChange kept;
    kept.old_path = file.old_path;
    kept.new_path = file.new_path;
    for (const DiffHunk& hunk : parse_hunks(file.text)) kept.text += NearLines(found->second, left).of(hunk);
    if (!kept.text.empty()) part.changes.push_back(std::move(kept));
  }
  return part;
}

void keep_change(ShownFailure& shown, const RunReport& report, const Failure& failure) {
  const ChangeView& change = *report.change;
  shown.passage = passage_of(change, failure);
  shown.change = passed_part(change, shown.passage.lines);
  const Lines in_diff = lines_of_hunks(change.root, shown.change.changes);
  std::size_t outside = 0;
  for (auto& [file, lines] : shown.passage.lines)
    for (auto line = lines.begin(); line != lines.end();) {
      const std::pair place(file, line->first);
      if (!in_diff.contains(place) && outside++ >= k_lines) {
        shown.passage.steps.erase(place);
        line = lines.erase(line);
        continue;
      }
      if (!in_diff.contains(place)) shown.sources[place] = report.sources.trimmed(file, line->first);
      ++line;
    }
}

} // namespace

std::optional<ShownFailure> shown_failure_of(const RunReport& report) {
  const Failure* failure = counted_failure(report.runs);
  if (failure == nullptr) return std::nullopt;
  ShownFailure shown;
  shown.key = failure->key;
  shown.message = failure->message;
  shown.schedule = failure->schedule;
  shown.preemptions = failure->how.preemptions;
  shown.interleaving = interleaving_of(*failure, report.sources, k_limits);
  shorten_stacks(shown.interleaving.rows);
  shown.change.root = report.root;
  if (report.change != nullptr) keep_change(shown, report, *failure);
  return shown;
}

} // namespace reex
