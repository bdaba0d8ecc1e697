#include "git/fake_repository.h"

#include <algorithm>
#include <memory>
#include <set>

#include <git2.h>

#include "git/diff_walk.h"

namespace reex {
namespace {

std::vector<Hunk> hunks_of(const std::string& from, const std::string& to) {
  git_patch* raw = nullptr;
  const git_diff_options options = detail::diff_options();
  if (git_patch_from_buffers(&raw, from.data(), from.size(), "old", to.data(), to.size(), "new", &options) !=
      0) {
    throw RepositoryError("the diff cannot be made (" + detail::last_error() + ")");
  }
  const std::unique_ptr<git_patch, void (*)(git_patch*)> patch(raw, git_patch_free);
  git_buf buffer = {};
  git_patch_to_buf(&buffer, raw);
  const std::string text(buffer.ptr == nullptr ? "" : buffer.ptr, buffer.size);
  git_buf_dispose(&buffer);
  const std::vector<FileChange> parsed = text.empty() ? std::vector<FileChange>{} : parse_diff(text);
  return parsed.empty() ? std::vector<Hunk>{} : parsed[0].hunks;
}

// Finds a rename only if the contents are equal, which is enough for a fake.
std::vector<FileChange> diff_trees(const FakeRepository::Tree& from, const FakeRepository::Tree& to) {
  const detail::LibraryUse use;
  std::vector<FileChange> changes;
  std::set<std::string> renamed;
  for (const auto& [path, text] : to) {
    const auto old = from.find(path);
    if (old != from.end() && old->second == text) continue;
    FileChange change;
    change.new_path = path;
    if (old != from.end()) {
      change.old_path = path;
      change.hunks = hunks_of(old->second, text);
    } else {
      const auto same = std::find_if(from.begin(), from.end(), [&](const auto& entry) {
        return entry.second == text && !to.contains(entry.first) && !renamed.contains(entry.first);
      });
      change.status = same == from.end() ? FileStatus::added : FileStatus::renamed;
      if (same != from.end()) {
        change.old_path = same->first;
        renamed.insert(same->first);
      } else {
        change.hunks = hunks_of("", text);
      }
    }
    changes.push_back(std::move(change));
  }
  for (const auto& [path, text] : from) {
    if (to.contains(path) || renamed.contains(path)) continue;
    FileChange change;
    change.old_path = path;
    change.status = FileStatus::deleted;
    change.hunks = hunks_of(text, "");
    changes.push_back(std::move(change));
  }
  return changes;
}

} // namespace

std::string FakeRepository::commit(Tree tree) {
  m_commits.push_back(tree);
  m_staged = tree;
  m_working = std::move(tree);
  return "c" + std::to_string(m_commits.size());
}

std::string FakeRepository::resolve(const std::string& revision) {
  std::size_t number = 0;
  try {
    if (revision == "HEAD") {
      number = m_commits.size();
    } else if (revision.starts_with("HEAD~")) {
      number = m_commits.size() - std::stoul(revision.substr(5));
    } else if (revision.starts_with("c")) {
      number = std::stoul(revision.substr(1));
    }
  } catch (const std::logic_error&) {
    number = 0;
  }
  if (number < 1 || number > m_commits.size()) {
    throw RepositoryError("unknown revision '" + revision +
                          "': name a commit that `git log` shows, or fetch it");
  }
  return "c" + std::to_string(number);
}

std::string FakeRepository::merge_base(const std::string& one, const std::string& two) {
  const std::string a = resolve(one);
  const std::string b = resolve(two);
  return std::stoul(a.substr(1)) < std::stoul(b.substr(1)) ? a : b;
}

std::vector<FileChange> FakeRepository::diff_commits(const std::string& base, const std::string& head) {
  return diff_trees(m_commits[std::stoul(resolve(base).substr(1)) - 1],
                    m_commits[std::stoul(resolve(head).substr(1)) - 1]);
}

std::vector<FileChange> FakeRepository::diff_staged(const std::string& base) {
  return diff_trees(m_commits[std::stoul(resolve(base).substr(1)) - 1], m_staged);
}

std::vector<FileChange> FakeRepository::diff_working_tree(const std::string& base) {
  return diff_trees(m_commits[std::stoul(resolve(base).substr(1)) - 1], m_working);
}

std::optional<std::string> FakeRepository::content(const std::string& revision, const std::string& path) {
  const Tree& tree = m_commits[std::stoul(resolve(revision).substr(1)) - 1];
  const auto found = tree.find(path);
  if (found == tree.end()) return std::nullopt;
  return found->second;
}

std::optional<std::string> FakeRepository::staged_content(const std::string& path) {
  const auto found = m_staged.find(path);
  if (found == m_staged.end()) return std::nullopt;
  return found->second;
}

} // namespace reex
