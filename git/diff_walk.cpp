#include "git/diff_walk.h"

#include <algorithm>
#include <iterator>
#include <memory>

#include "git/error.h"
#include "git/library.h"

namespace reex {
namespace detail {
namespace {

struct PatchDeleter {
  void operator()(git_patch* patch) const { git_patch_free(patch); }
};
using PatchPointer = std::unique_ptr<git_patch, PatchDeleter>;

std::string line_text(const git_diff_line& line) {
  std::string text(line.content, line.content_len);
  while (!text.empty() && (text.back() == '\n' || text.back() == '\r')) text.pop_back();
  return text;
}

// Splits one hunk of a patch, which may contain context lines, into hunks without context.
class HunkSplitter {
public:
  explicit HunkSplitter(std::vector<Hunk>& hunks) : m_hunks(hunks) {}

  void start(const git_diff_hunk& hunk) {
    finish();
    m_old_next = static_cast<unsigned>(hunk.old_lines == 0 ? hunk.old_start + 1 : hunk.old_start);
    m_new_next = static_cast<unsigned>(hunk.new_lines == 0 ? hunk.new_start + 1 : hunk.new_start);
  }

  void line(const git_diff_line& line) {
    if (line.origin == GIT_DIFF_LINE_CONTEXT) {
      finish();
      ++m_old_next;
      ++m_new_next;
    } else if (line.origin == GIT_DIFF_LINE_DELETION) {
      m_current.removed.push_back(line_text(line));
    } else if (line.origin == GIT_DIFF_LINE_ADDITION) {
      m_current.added.push_back(line_text(line));
    }
  }

  void finish() {
    m_current.old_count = static_cast<unsigned>(m_current.removed.size());
    m_current.new_count = static_cast<unsigned>(m_current.added.size());
    if (m_current.old_count + m_current.new_count == 0) return;
    m_current.old_start = m_current.old_count == 0 ? m_old_next - 1 : m_old_next;
    m_current.new_start = m_current.new_count == 0 ? m_new_next - 1 : m_new_next;
    m_old_next += m_current.old_count;
    m_new_next += m_current.new_count;
    m_hunks.push_back(std::move(m_current));
    m_current = {};
  }

private:
  std::vector<Hunk>& m_hunks;
  Hunk m_current;
  unsigned m_old_next = 1;
  unsigned m_new_next = 1;
};

void read_patch(git_patch* patch, FileChange& change) {
  HunkSplitter splitter(change.hunks);
  for (std::size_t i = 0; i < git_patch_num_hunks(patch); ++i) {
    const git_diff_hunk* hunk = nullptr;
    std::size_t lines = 0;
    if (git_patch_get_hunk(&hunk, &lines, patch, i) != 0) continue;
    splitter.start(*hunk);
    for (std::size_t j = 0; j < lines; ++j) {
      const git_diff_line* line = nullptr;
      if (git_patch_get_line_in_hunk(&line, patch, i, j) == 0) splitter.line(*line);
    }
  }
  splitter.finish();
  git_buf buffer = {};
  if (git_patch_to_buf(&buffer, patch) == 0) change.text.assign(buffer.ptr, buffer.size);
  git_buf_dispose(&buffer);
}

bool wanted(git_delta_t status) {
  return status != GIT_DELTA_UNMODIFIED && status != GIT_DELTA_IGNORED && status != GIT_DELTA_UNTRACKED;
}

FileStatus status_of(git_delta_t status) {
  switch (status) {
  case GIT_DELTA_ADDED:
  case GIT_DELTA_COPIED:
    return FileStatus::added;
  case GIT_DELTA_DELETED:
    return FileStatus::deleted;
  case GIT_DELTA_RENAMED:
    return FileStatus::renamed;
  default:
    return FileStatus::modified;
  }
}

} // namespace

// Extensions of a repository that change nothing of what is read here: libgit2 1.5 opens none that has them.
LibraryUse::LibraryUse() {
  static const int users = [] {
    const char* known[] = {"partialclone", "preciousobjects", "relativeworktrees", "worktreeconfig"};
    const int count = git_libgit2_init();
    git_libgit2_opts(GIT_OPT_SET_EXTENSIONS, known, std::size(known));
    return count;
  }();
  static_cast<void>(users);
}

std::string last_error() {
  const git_error* error = git_error_last();
  std::string text = error != nullptr && error->message != nullptr ? error->message : "unknown error";
  std::replace(text.begin(), text.end(), '\n', ' ');
  return text;
}

git_diff_options diff_options() {
  git_diff_options options = GIT_DIFF_OPTIONS_INIT;
  options.context_lines = 3;
  options.interhunk_lines = 0;
  options.flags = GIT_DIFF_INDENT_HEURISTIC;
  options.ignore_submodules = GIT_SUBMODULE_IGNORE_DIRTY;
  return options;
}

bool is_submodule(const git_diff_delta& delta) {
  return delta.old_file.mode == GIT_FILEMODE_COMMIT || delta.new_file.mode == GIT_FILEMODE_COMMIT;
}

std::vector<FileChange> walk_diff(git_diff* diff, bool find_renames, const std::string& remedy) {
  const auto require = [&remedy](int status, const std::string& what) {
    if (status != 0) throw RepositoryError(what + " cannot be read (" + last_error() + "): " + remedy);
  };
  if (find_renames) {
    git_diff_find_options options = GIT_DIFF_FIND_OPTIONS_INIT;
    options.flags = GIT_DIFF_FIND_RENAMES;
    require(git_diff_find_similar(diff, &options), "the changed files");
  }
  std::vector<FileChange> changes;
  for (std::size_t i = 0; i < git_diff_num_deltas(diff); ++i) {
    const git_diff_delta* delta = git_diff_get_delta(diff, i);
    if (!wanted(delta->status) || is_submodule(*delta)) continue;
    if (delta->status == GIT_DELTA_CONFLICTED) // libgit2 compares no side of it
      throw RepositoryError(std::string(delta->new_file.path) +
                            " is not merged: resolve it, and `git add` it");
    FileChange change;
    change.status = status_of(delta->status);
    if (change.status != FileStatus::added && delta->old_file.path != nullptr) {
      change.old_path = delta->old_file.path;
    }
    if (change.status != FileStatus::deleted && delta->new_file.path != nullptr) {
      change.new_path = delta->new_file.path;
    }
    git_patch* raw = nullptr;
    require(git_patch_from_diff(&raw, diff, i), delta->new_file.path);
    const PatchPointer patch(raw);
    if (raw != nullptr) read_patch(raw, change);
    change.binary = (git_diff_get_delta(diff, i)->flags & GIT_DIFF_FLAG_BINARY) != 0;
    // A changed mode, or a file with a new time but the same content, is not a change of the code.
    if (change.status == FileStatus::modified && !change.binary && change.hunks.empty()) continue;
    changes.push_back(std::move(change));
  }
  return changes;
}

} // namespace detail

namespace {

// libgit2 needs git's header lines. The output of `diff -u` has none, so this function makes them from the
// ---/+++ lines, whether or not these paths begin with a/ and b/.
std::string with_git_headers(std::string_view text) {
  if (text.find("diff --git ") != std::string_view::npos) return std::string(text);
  std::string result;
  const auto path_of = [](std::string_view line) {
    std::string_view path = line.substr(4);
    path = path.substr(0, path.find('\t'));
    while (!path.empty() && (path.back() == '\r' || path.back() == ' ')) path.remove_suffix(1);
    if (path.starts_with("a/") || path.starts_with("b/")) path.remove_prefix(2);
    return std::string(path);
  };
  std::vector<std::string_view> lines;
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = std::min(text.find('\n', begin), text.size());
    lines.push_back(text.substr(begin, end - begin));
    begin = end + 1;
  }
  for (std::size_t i = 0; i < lines.size(); ++i) {
    if (lines[i].starts_with("--- ") && i + 1 < lines.size() && lines[i + 1].starts_with("+++ ")) {
      std::string from = path_of(lines[i]);
      std::string to = path_of(lines[i + 1]);
      const bool is_new = from == "/dev/null";
      const bool is_gone = to == "/dev/null";
      if (is_new || (!is_gone && from != to)) from = to;
      if (is_gone) to = from;
      result += "diff --git a/" + from + " b/" + to + "\n";
      if (is_new) result += "new file mode 100644\n";
      if (is_gone) result += "deleted file mode 100644\n";
      result += is_new ? "--- /dev/null\n" : "--- a/" + from + "\n";
      result += is_gone ? "+++ /dev/null\n" : "+++ b/" + to + "\n";
      ++i;
    } else {
      result.append(lines[i]).push_back('\n');
    }
  }
  return result;
}

} // namespace

namespace detail {

std::vector<FileChange> read_diff(std::string_view text) {
  const LibraryUse use;
  std::string complete = with_git_headers(text);
  if (complete.back() != '\n') complete.push_back('\n');
  git_diff* raw = nullptr;
  if (git_diff_from_buffer(&raw, complete.data(), complete.size()) != 0) {
    throw RepositoryError("the diff cannot be read (" + last_error() +
                          "): give the output of `git diff` or `diff -u`");
  }
  const std::unique_ptr<git_diff, void (*)(git_diff*)> diff(raw, git_diff_free);
  return walk_diff(diff.get(), false, "give the output of `git diff` or `diff -u`");
}

} // namespace detail

} // namespace reex
