#include "impact/sides.h"

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <sstream>

namespace reex::impact {
namespace {

std::string read_file(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

std::vector<FileChange> changes_of(const ImpactRequest& request, Repository& repository, Sides& sides) {
  sides.base = repository.resolve(request.base);
  if (request.head) sides.head = repository.resolve(*request.head);
  if (request.merge_base) sides.base = repository.merge_base(sides.base, request.head.value_or("HEAD"));
  if (request.staged) return repository.diff_staged(sides.base);
  if (sides.head) return repository.diff_commits(sides.base, *sides.head);
  return repository.diff_working_tree(sides.base);
}

// If the new side is a commit or the index, this adds overlays for the files that differ on disk.
void overlay_new_side(const ImpactRequest& request, Repository& repository, const std::string& root,
                      const std::function<bool(const std::string&)>& is_code, Sides& sides,
                      std::vector<std::string>& notes) {
  if (!sides.head && !request.staged) return;
  const std::string against = sides.head.value_or(sides.base);
  std::string differing;
  std::size_t count = 0;
  for (const FileChange& change : repository.diff_working_tree(against)) {
    const std::string& path = change.old_path.empty() ? change.new_path : change.old_path;
    if (!is_code(path)) continue;
    const std::optional<std::string> text =
        request.staged ? repository.staged_content(path) : repository.content(against, path);
    if (!text || *text == read_file(root + "/" + path)) continue;
    sides.now[root + "/" + path] = *text;
    if (count++ == 0) differing = path;
  }
  if (count == 0) return;
  notes.push_back(differing +
                  (count > 1 ? " and " + std::to_string(count - 1) + " more differ" : " differs") +
                  " on disk from " + (request.staged ? "what is staged" : "the analysed commit") +
                  ": a test built from the files on disk is not what is analysed");
}

bool exists(const std::string& path) {
  std::error_code error;
  return std::filesystem::exists(path, error);
}

std::string without_end(std::string line) {
  while (!line.empty() && line.back() == '\r') line.pop_back();
  return line;
}

// The first line of the file on disk that is not what the unified diff says of its new side; 0 if all are.
unsigned misfit(const std::string& diff, const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream file(text);
  for (std::string line; std::getline(file, line);) lines.push_back(without_end(std::move(line)));
  std::istringstream patch(diff);
  unsigned next = 0; // 0: before the first hunk
  for (std::string line; std::getline(patch, line);) {
    if (line.starts_with("@@ ")) {
      const std::size_t plus = line.find('+');
      next = plus == std::string::npos
                 ? 0
                 : static_cast<unsigned>(std::strtoul(line.c_str() + plus + 1, nullptr, 10));
      continue;
    }
    if (next == 0 || line.starts_with('-') || line.starts_with('\\')) continue;
    const std::string expected = without_end(line.empty() ? "" : line.substr(1));
    if (next > lines.size() || lines[next - 1] != expected) return next;
    ++next;
  }
  return 0;
}

// A diff that is given as text must lead to the files on disk, because these are analysed and built.
void require_fit(const std::vector<FileChange>& changes, const std::string& root) {
  const auto refuse = [](const std::string& what) {
    throw RepositoryError("the diff does not fit the files on disk (" + what +
                          "): give one whose new side they are, or apply it and build the test again");
  };
  for (const FileChange& change : changes) {
    if (change.binary) continue;
    if (change.new_path.empty()) {
      if (exists(root + "/" + change.old_path)) refuse(change.old_path + " is still there");
      continue;
    }
    const std::string path = root + "/" + change.new_path;
    if (!exists(path)) refuse(change.new_path + " is not there");
    if (const unsigned line = misfit(change.text, read_file(path)); line != 0)
      refuse("line " + std::to_string(line) + " of " + change.new_path + " is another one");
  }
}

} // namespace

Sides read_sides(const ImpactRequest& request, Repository* repository, const std::string& root,
                 const std::function<bool(const std::string&)>& is_code, std::vector<std::string>& notes) {
  Sides sides;
  if (request.diff_text) {
    sides.changes = parse_diff(*request.diff_text);
    require_fit(sides.changes, root);
  } else {
    sides.changes = changes_of(request, *repository, sides);
    overlay_new_side(request, *repository, root, is_code, sides, notes);
  }
  for (const FileChange& change : sides.changes) {
    const std::string& name = change.new_path.empty() ? change.old_path : change.new_path;
    if (change.binary || !is_code(name)) continue;
    std::string new_text;
    if (!change.new_path.empty()) {
      const auto overlay = sides.now.find(root + "/" + change.new_path);
      new_text = overlay != sides.now.end() ? overlay->second : read_file(root + "/" + change.new_path);
    }
    std::string old_text;
    if (!change.old_path.empty()) {
      const std::optional<std::string> stored =
          sides.base.empty() ? std::nullopt : repository->content(sides.base, change.old_path);
      old_text = stored ? *stored : old_content(change, new_text);
      sides.before[root + "/" + change.old_path] = old_text;
    }
    sides.lines.push_back(changed_lines(change, root, old_text, new_text));
  }
  // A file that has an overlay on the new side, but was not changed, has the same text on the old side.
  for (const auto& [path, text] : sides.now) sides.before.try_emplace(path, text);
  return sides;
}

} // namespace reex::impact
