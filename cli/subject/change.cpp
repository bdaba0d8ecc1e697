#include "cli/subject/change.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <iterator>
#include <set>

#include "cli/terminal/command_error.h"
#include "git/repository.h"

namespace reex {
namespace {

std::optional<std::string> root_of(const std::string& path) {
  const std::string root = root_of_repository(path);
  return root.empty() ? std::nullopt : std::optional(root);
}

bool has_sources_of(const std::string& root, const BinaryInfo& binary) {
  return std::any_of(binary.units.begin(), binary.units.end(),
                     [&](const CompileUnit& unit) { return unit.name.starts_with(root + '/'); });
}

std::string read_diff(const std::string& path) {
  if (path == "-") return {std::istreambuf_iterator<char>(std::cin), std::istreambuf_iterator<char>()};
  std::ifstream in(path, std::ios::binary);
  if (!in || std::filesystem::is_directory(path)) {
    throw CommandError(ExitStatus::unresolved,
                       fmt::format("the diff {} cannot be read: give a file, or - for standard input", path));
  }
  return {std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
}

void check_contradictions(const ChangeOptions& options) {
  const auto refuse = [](bool both, const char* one, const char* other) {
    if (both) throw UsageError(fmt::format("{} and {} contradict each other: give one of them", one, other));
  };
  refuse(options.all && options.given(), "--all", "a change");
  refuse(options.staged && options.worktree, "--staged", "--worktree");
  refuse(options.staged && options.head.has_value(), "--staged", "--head");
  refuse(options.worktree && options.head.has_value(), "--worktree", "--head");
  refuse(!options.diff.empty() && (options.staged || options.worktree || options.head || options.merge_base),
         "--diff", "--head, --merge-base, --staged or --worktree");
  if (options.head && options.base.empty())
    throw UsageError("--head needs --base: give the revision to compare with");
  if (options.merge_base && options.base.empty()) {
    throw UsageError("--merge-base needs --base: give the branch to compare with");
  }
}

ImpactRequest request_of(const ChangeOptions& options, const BinaryInfo* binary,
                         const std::string& output_folder) {
  ImpactRequest request;
  request.base = options.base;
  if (request.base.empty() && options.diff.empty()) request.base = "HEAD";
  request.head = options.head;
  request.merge_base = options.merge_base;
  request.staged = options.staged;
  if (!options.diff.empty()) request.diff_text = read_diff(options.diff);
  if (binary != nullptr) request.binary = binary->path;
  request.cache = !options.no_cache;
  request.cache_parent = output_folder;
  request.why = options.why;
  request.reach = options.select && binary != nullptr;
  if (!options.compile_commands.empty()) request.compile_commands = options.compile_commands;
  return request;
}

// A diff needs no repository: then its paths are relative to the folder.
std::string folder_of_change(const ChangeOptions& options, const BinaryInfo* binary) {
  const std::string folder = options.repository.empty() ? "." : options.repository;
  if (options.diff.empty() || !std::filesystem::is_directory(folder))
    return require_repository(options, binary);
  return discover_repository(options, binary).value_or(folder);
}

// Of a commit's full name, what a reader can compare.
std::string shortened(const std::string& revision) {
  constexpr std::size_t k_full = 40;
  constexpr std::size_t k_short = 10;
  const bool full =
      revision.size() == k_full && revision.find_first_not_of("0123456789abcdef") == std::string::npos;
  return full ? revision.substr(0, k_short) : revision;
}

} // namespace

std::string change_title(const ChangeOptions& options) {
  if (!options.diff.empty()) return options.diff == "-" ? "the diff given" : options.diff;
  const std::string base = options.base.empty() ? "HEAD" : shortened(options.base);
  const std::string from = options.merge_base ? "merge base with " + base : base;
  if (options.head) return fmt::format("{} to {}", from, shortened(*options.head));
  return fmt::format("{} to {}", from, options.staged ? "what is staged" : "the files on disk");
}

std::optional<std::string> discover_repository(const ChangeOptions& options, const BinaryInfo* binary) {
  if (!options.repository.empty()) return root_of(options.repository);
  const auto here = root_of(".");
  if (binary == nullptr) return here;
  const auto beside = root_of(std::filesystem::path(binary->path).parent_path().string());
  if (!here || !beside || *here == *beside) return here ? here : beside;
  return !has_sources_of(*here, *binary) && has_sources_of(*beside, *binary) ? beside : here;
}

std::string require_repository(const ChangeOptions& options, const BinaryInfo* binary) {
  if (auto root = discover_repository(options, binary)) return *root;
  std::vector<std::string> places = {options.repository.empty() ? "." : options.repository};
  if (options.repository.empty() && binary != nullptr)
    places.push_back(std::filesystem::path(binary->path).parent_path().string());
  for (const std::string& place : places) try {
      open_repository(place);
    } catch (const NoRepository&) {
    } catch (const RepositoryError& error) { // it is there, and cannot be opened
      throw CommandError(ExitStatus::unresolved, error.what());
    }
  throw CommandError(
      ExitStatus::unresolved,
      options.repository.empty()
          ? "neither the current folder nor the test lies in a git repository: give --repo DIR"
          : fmt::format("{} is no git repository: give --repo another folder", options.repository));
}

std::vector<std::string> changed_files(const ChangeOptions& options, const std::string& root) {
  check_contradictions(options);
  std::vector<FileChange> changes;
  try {
    if (!options.diff.empty()) {
      changes = parse_diff(read_diff(options.diff));
    } else {
      const auto repository = open_repository(root);
      const std::string head = options.head.value_or("HEAD");
      std::string base = options.base.empty() ? "HEAD" : options.base;
      if (options.merge_base) base = repository->merge_base(base, head);
      changes = options.head     ? repository->diff_commits(base, head)
                : options.staged ? repository->diff_staged(base)
                                 : repository->diff_working_tree(base);
    }
  } catch (const RepositoryError& error) {
    throw CommandError(ExitStatus::unresolved, error.what());
  }
  std::set<std::string> files;
  for (const FileChange& change : changes)
    for (const std::string& path : {change.old_path, change.new_path})
      if (!path.empty()) files.insert(path);
  return {files.begin(), files.end()};
}

std::optional<Change> change_under_test(const ChangeOptions& options, const BinaryInfo* binary,
                                        const std::string& output_folder, Analysis analysis) {
  check_contradictions(options);
  if (options.all || !options.given()) return std::nullopt;
  ImpactRequest request = request_of(options, binary, output_folder);
  request.repository = folder_of_change(options, binary);
  try {
    Change change;
    request.parses = analysis == Analysis::now;
    change.impact = collect_impact(request);
    if (change.impact.units_left_out != 0) change.beside = std::make_unique<ChangeBeside>(std::move(request));
    change.view = {change_title(options), change.impact.root, change.impact.changes};
    return change;
  } catch (const RepositoryError& error) {
    throw CommandError(ExitStatus::unresolved, error.what());
  }
}

void take_analysis(Change& change) {
  change.impact = change.beside->impact();
  change.beside.reset();
}

} // namespace reex
