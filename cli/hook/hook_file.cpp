#include "cli/hook/hook_file.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <optional>
#include <sstream>

#include "cli/hook/hook_script.h"
#include "cli/terminal/command_error.h"
#include "reex/process/captured_process.h"
#include "reex/process/environment.h"

namespace reex {
namespace {

namespace fs = std::filesystem;

constexpr const char* k_hook = "pre-push";
// What other tools name the hook that they found: pre-commit runs it, lefthook does not.
constexpr const char* k_not_run = "pre-push.old";
constexpr std::array<const char*, 3> k_names = {k_hook, "pre-push.legacy", k_not_run};

struct GitAnswer {
  int status = 0;
  std::string text; // without the line feed at its end
};

// git itself knows best which configuration files there are, and what is meant by core.hooksPath.
GitAnswer git(std::vector<std::string> words) {
  constexpr std::chrono::seconds k_limit{20};
  words.insert(words.begin(), {"/usr/bin/env", "git"}); // by PATH
  CapturedProcess process = run_captured(words, environment_of_test(), k_limit);
  constexpr int k_not_found = 127;
  if (process.end != CapturedProcess::End::exited || process.code == k_not_found)
    throw CommandError(ExitStatus::unresolved, "git cannot be run: install it, and have it in PATH");
  while (process.stdout_text.ends_with('\n')) process.stdout_text.pop_back();
  return {process.code, process.stdout_text};
}

fs::path hooks_folder() {
  const GitAnswer answer = git({"rev-parse", "--git-path", "hooks"});
  if (answer.status != 0 || answer.text.empty())
    throw CommandError(ExitStatus::unresolved, "no git repository here: run reex hook inside one");
  return fs::absolute(answer.text).lexically_normal();
}

// Where hooks lie for more than this repository, installing one here would install it there.
void refuse_shared_folder(const fs::path& folder) {
  const GitAnswer answer = git({"config", "--show-scope", "--get", "core.hooksPath"});
  const std::string scope = answer.text.substr(0, answer.text.find('\t'));
  if (answer.status != 0 || scope == "local" || scope == "worktree") return;
  throw UsageError(
      fmt::format("core.hooksPath is set for more than this repository ({}: {}): add what reex hook "
                  "print prints to {} by hand",
                  scope, folder.string(), (folder / k_hook).string()));
}

std::string read(const fs::path& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

bool is_there(const fs::path& path) {
  std::error_code error;
  return fs::exists(fs::symlink_status(path, error));
}

bool is_ours(const fs::path& path) {
  std::error_code error;
  return fs::is_regular_file(fs::symlink_status(path, error)) && is_hook_script(read(path));
}

[[noreturn]] void refuse_to_chain(const fs::path& path, const std::string& why) {
  throw UsageError(
      fmt::format("{} {}, so it cannot be kept under another name: add what reex hook print prints to "
                  "it by hand",
                  path.string(), why));
}

// A hook that is run under another name must not depend on its name.
void check_that_it_chains(const fs::path& path) {
  std::error_code error;
  if (!fs::is_regular_file(path, error)) refuse_to_chain(path, "is no file, or leads nowhere");
  if (git({"ls-files", "--error-unmatch", "--", path.string()}).status == 0)
    refuse_to_chain(path, "is a file of the project");
  const std::string text = read(path);
  if (!text.starts_with("#!")) refuse_to_chain(path, "is no script");
  for (const char* word : {"basename", "##*/", "argv[0]", "PROGRAM_NAME", "$BASH_SOURCE\"", "husky"})
    if (text.find(word) != std::string::npos)
      refuse_to_chain(path, fmt::format("goes by its own name ('{}')", word));
}

[[noreturn]] void fail(const fs::path& path, const std::string& why) {
  throw UsageError(fmt::format("{} cannot be written ({}): check who owns it", path.string(), why));
}

void rename_or_fail(const fs::path& from, const fs::path& to) {
  std::error_code error;
  fs::rename(from, to, error);
  if (error) fail(to, error.message());
}

// Writes the file beside its place; the caller renames it.
fs::path write_beside(const fs::path& path, const std::string& text) {
  const fs::path beside = path.string() + ".new";
  std::error_code error;
  fs::create_directories(path.parent_path(), error);
  errno = 0;
  std::ofstream out(beside, std::ios::binary | std::ios::trunc);
  out << text;
  out.close();
  if (!out) fail(path, errno != 0 ? std::strerror(errno) : "I/O error");
  using fs::perms;
  fs::permissions(beside,
                  perms::owner_all | perms::group_read | perms::group_exec | perms::others_read |
                      perms::others_exec,
                  error);
  if (error) fail(path, error.message());
  return beside;
}

std::vector<std::string> tests_of_configuration() {
  std::vector<std::string> values;
  std::istringstream lines(git({"config", "--local", "--get-all", "reex.test"}).text);
  for (std::string line; std::getline(lines, line);) values.push_back(line);
  return values;
}

void configure_tests(const std::vector<std::string>& binaries) {
  git({"config", "--local", "--unset-all", "reex.test"});
  for (const std::string& binary : binaries)
    if (git({"config", "--local", "--add", "reex.test", binary}).status != 0)
      throw UsageError("git config reex.test cannot be set: check who owns the repository's configuration");
}

// The hook's script, whatever other tools have named it since.
std::optional<fs::path> installed(const fs::path& folder) {
  for (const char* name : k_names)
    if (is_ours(folder / name)) return folder / name;
  return std::nullopt;
}

// Whether the hook that was kept is also the one that has taken the place of reex's since: its tool was
// installed again, and has named reex's hook differently.
bool is_back(const fs::path& folder) {
  const fs::path kept = folder / k_kept_hook;
  const fs::path now = folder / k_hook;
  return is_there(kept) && is_there(now) && !is_ours(now) && read(kept) == read(now);
}

void remove_or_fail(const fs::path& path) {
  std::error_code error;
  fs::remove(path, error);
  if (error) fail(path, error.message());
}

} // namespace

HookReport install_hook(const std::string& reex, const std::vector<std::string>& binaries) {
  const fs::path folder = hooks_folder();
  refuse_shared_folder(folder);
  const auto before = installed(folder);
  const bool runs = before && before->filename() != k_not_run;
  const fs::path path = runs ? *before : folder / k_hook;
  const fs::path kept = folder / k_kept_hook;
  if (before && is_back(folder)) remove_or_fail(kept);
  const bool other = !runs && is_there(path);
  if (other && is_there(kept))
    throw UsageError(fmt::format("{} and {} are both there: remove the one that is out of date",
                                 path.string(), kept.string()));
  if (other) check_that_it_chains(path);
  HookScript script = before ? read_hook_script(read(path)) : HookScript();
  script.reex = reex;
  script.chains = other || is_there(kept);
  if (!binaries.empty()) {
    if (!script.sets_tests) script.tests_before = tests_of_configuration();
    script.sets_tests = true;
  }
  const std::string text = script_text(script);
  HookReport report;
  if (runs && read(path) == text) {
    report.lines.push_back(fmt::format("{} is installed already", path.string()));
  } else {
    const fs::path beside = write_beside(path, text);
    if (other) rename_or_fail(path, kept);
    rename_or_fail(beside, path);
    report.lines.push_back(fmt::format("{} is installed", path.string()));
  }
  if (before && !runs) {
    remove_or_fail(*before);
    report.lines.push_back(
        fmt::format("another tool had named reex's hook {}, where git did not run it: this is removed",
                    before->filename().string()));
  }
  if (script.chains)
    report.lines.push_back(fmt::format("the hook that was there is kept as {}, and runs first", k_kept_hook));
  if (!binaries.empty()) configure_tests(binaries);
  return report;
}

HookReport uninstall_hook() {
  const fs::path folder = hooks_folder();
  const fs::path kept = folder / k_kept_hook;
  HookReport report;
  const auto path = installed(folder);
  if (!path) {
    report.lines.push_back(fmt::format("no hook of reex is installed in {}", folder.string()));
    if (is_there(kept))
      report.lines.push_back(
          fmt::format("{} is the hook that was there before reex's: another tool has replaced "
                      "reex's since",
                      kept.string()));
    return report;
  }
  const HookScript script = read_hook_script(read(*path));
  if (is_back(folder)) remove_or_fail(kept);
  if (is_there(kept)) {
    rename_or_fail(kept, *path);
    report.lines.push_back(fmt::format("{} is again the hook that was there before", path->string()));
  } else {
    remove_or_fail(*path);
    report.lines.push_back(fmt::format("{} is removed", path->string()));
  }
  if (script.sets_tests) configure_tests(script.tests_before);
  return report;
}

} // namespace reex
