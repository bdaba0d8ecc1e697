#include "cli/promote/project_copy.h"

#include <cstdlib>
#include <fstream>
#include <system_error>

#include <fmt/format.h>

#include "cli/terminal/command_error.h"
#include "reex/process/captured_process.h"
#include "reex/process/environment.h"

namespace reex {
namespace {

namespace fs = std::filesystem;

constexpr std::uintmax_t k_most_bytes = std::uintmax_t{2} << 30;
constexpr std::chrono::minutes k_longest_build{30};
constexpr std::size_t k_tail = 2000;

bool is_left_out(const fs::path& folder) {
  const std::string name = folder.filename().string();
  return name == ".git" || name == ".reex" || fs::exists(folder / "CMakeCache.txt");
}

void copy_folder(const fs::path& from, const fs::path& to, std::uintmax_t& bytes) {
  fs::create_directories(to);
  for (const fs::directory_entry& entry : fs::directory_iterator(from)) {
    const fs::path target = to / entry.path().filename();
    if (entry.is_symlink()) {
      fs::copy_symlink(entry.path(), target);
    } else if (entry.is_directory()) {
      if (!is_left_out(entry.path())) copy_folder(entry.path(), target, bytes);
    } else if (entry.is_regular_file()) {
      bytes += entry.file_size();
      if (bytes > k_most_bytes)
        throw UsageError(fmt::format(
            "{} has more than 2 GiB of files: promote copies the project, so run it in a smaller one",
            from.string()));
      fs::copy_file(entry.path(), target);
      fs::last_write_time(target, entry.last_write_time()); // make shall see what was built
    }
  }
}

std::string tail_of(const std::string& text) {
  if (text.size() <= k_tail) return text;
  const std::size_t newline = text.find('\n', text.size() - k_tail);
  return newline == std::string::npos ? text.substr(text.size() - k_tail) : text.substr(newline + 1);
}

} // namespace

ProjectCopy::ProjectCopy(const fs::path& root) : m_root(fs::canonical(root)) {
  std::string pattern = (fs::temp_directory_path() / "reex-promote-XXXXXX").string();
  if (mkdtemp(pattern.data()) == nullptr)
    throw UsageError(fmt::format("{}: no folder can be made there: set TMPDIR", pattern));
  m_copy = fs::canonical(pattern);
  try {
    std::uintmax_t bytes = 0;
    copy_folder(m_root, m_copy, bytes);
  } catch (const fs::filesystem_error& error) {
    std::error_code ignored;
    fs::remove_all(m_copy, ignored);
    throw UsageError(fmt::format("the project cannot be copied: {}", error.what()));
  } catch (...) {
    std::error_code ignored;
    fs::remove_all(m_copy, ignored);
    throw;
  }
}

ProjectCopy::~ProjectCopy() {
  std::error_code ignored;
  fs::remove_all(m_copy, ignored);
}

bool ProjectCopy::holds(const fs::path& original) const {
  const fs::path inside = original.lexically_relative(m_root);
  return !inside.empty() && *inside.begin() != "..";
}

fs::path ProjectCopy::at(const fs::path& original) const {
  if (!holds(original))
    throw UsageError(fmt::format("{} is not below {}: call reex in the project's root", original.string(),
                                 m_root.string()));
  return m_copy / original.lexically_relative(m_root);
}

void ProjectCopy::write(const fs::path& original, const std::string& text) const {
  const fs::path path = at(original);
  std::ofstream file(path, std::ios::binary | std::ios::trunc);
  file << text;
  if (!file.flush())
    throw UsageError(fmt::format("{} cannot be written: make room there, or set TMPDIR", path.string()));
}

bool ProjectCopy::build(const std::string& command, std::string& said) const {
  const CapturedProcess ran =
      run_captured({"/bin/sh", "-c", command}, clean_environment(), k_longest_build, m_copy.string());
  if (ran.end == CapturedProcess::End::exited && ran.code == 0) return true;
  said = tail_of(ran.stdout_text + ran.stderr_text);
  return false;
}

} // namespace reex
