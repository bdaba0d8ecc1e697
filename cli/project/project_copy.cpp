#include "cli/project/project_copy.h"

#include <cstdlib>
#include <fstream>
#include <sstream>
#include <system_error>

#include <fmt/format.h>

#include "cli/terminal/command_error.h"
#include "reex/process/captured_process.h"
#include "reex/process/environment.h"
#include "report/text/shell_quote.h"

namespace reex {
namespace {

namespace fs = std::filesystem;

constexpr std::uintmax_t k_most_bytes = std::uintmax_t{2} << 30;
constexpr std::chrono::minutes k_longest{30}; // of a build
constexpr std::size_t k_tail = 2000;          // bytes
constexpr std::size_t k_errors = 6;
constexpr const char* k_cache = "CMakeCache.txt";

bool is_left_out(const fs::path& folder) {
  const std::string name = folder.filename().string();
  return name == ".git" || name == ".reex" || fs::exists(folder / k_cache);
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
            "{} has more than 2 GiB of files, which would be copied: call reex in a smaller project",
            from.string()));
      fs::copy_file(entry.path(), target);
      fs::last_write_time(target, entry.last_write_time());
    }
  }
}

bool is_below(const fs::path& root, const fs::path& path) {
  const fs::path inside = path.lexically_relative(root);
  return !inside.empty() && *inside.begin() != "..";
}

// Relative to the root.
fs::path cmake_folder(const fs::path& root, fs::path folder) {
  for (; folder != root && is_below(root, folder); folder = folder.parent_path())
    if (fs::exists(folder / k_cache)) return folder.lexically_relative(root);
  return {};
}

std::string read(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  std::ostringstream text;
  text << file.rdbuf();
  return std::move(text).str();
}

void write_file(const fs::path& path, const std::string& text) {
  std::ofstream file(path, std::ios::binary | std::ios::trunc);
  file << text;
  if (!file.flush())
    throw UsageError(fmt::format("{} cannot be written: make room there, or set TMPDIR", path.string()));
}

std::string replaced(std::string text, const std::string& from, const std::string& to) {
  for (std::size_t at = 0; (at = text.find(from, at)) != std::string::npos; at += to.size())
    text.replace(at, from.size(), to);
  return text;
}

std::string tail_of(const std::string& text) {
  if (text.size() <= k_tail) return text;
  const std::size_t newline = text.find('\n', text.size() - k_tail);
  return newline == std::string::npos ? text.substr(text.size() - k_tail) : text.substr(newline + 1);
}

// The first errors of a compiler or linker; of other texts the end.
std::string errors_of(const std::string& text) {
  std::string errors;
  std::size_t count = 0;
  std::istringstream lines(text);
  for (std::string line; count < k_errors && std::getline(lines, line);) {
    if (line.find("error: ") == std::string::npos && line.find("undefined reference") == std::string::npos)
      continue;
    errors += (errors.empty() ? "" : "\n") + line;
    ++count;
  }
  return errors.empty() ? tail_of(text) : errors;
}

// "" if the command ends with 0; else why not, as `told` says it.
std::string outcome(const fs::path& folder, const std::string& command,
                    std::string (*told)(const std::string& text)) {
  const CapturedProcess ran =
      run_captured({"/bin/sh", "-c", command}, clean_environment(), k_longest, folder.string());
  if (ran.end == CapturedProcess::End::exited && ran.code == 0) return "";
  if (ran.end == CapturedProcess::End::timed_out) return "it took longer than 30 minutes";
  const std::string said = told(ran.stdout_text + ran.stderr_text);
  return said.empty() ? "it failed and printed nothing" : said;
}

} // namespace

ProjectCopy::ProjectCopy(const fs::path& root, const fs::path& binary) : m_root(fs::canonical(root)) {
  if (!is_below(m_root, binary))
    throw UsageError(fmt::format("{} is not below {}: the test is built in a copy of that folder",
                                 binary.string(), m_root.string()));
  std::string pattern = (fs::temp_directory_path() / "reex-copy-XXXXXX").string();
  if (mkdtemp(pattern.data()) == nullptr)
    throw UsageError(fmt::format("{}: no folder can be made there: set TMPDIR", pattern));
  m_folder = fs::canonical(pattern);
  m_copy = m_folder / "tree";
  m_cmake = cmake_folder(m_root, binary.parent_path());
  try {
    copy(binary);
  } catch (const fs::filesystem_error& error) {
    std::error_code ignored;
    fs::remove_all(m_folder, ignored);
    throw UsageError(fmt::format("the project cannot be copied: {}", error.what()));
  } catch (...) {
    std::error_code ignored;
    fs::remove_all(m_folder, ignored);
    throw;
  }
}

void ProjectCopy::copy(const fs::path& binary) const {
  std::uintmax_t bytes = 0;
  copy_folder(m_root, m_copy, bytes);
  if (m_cmake.empty()) {
    fs::create_directories(at(binary).parent_path());
    return;
  }
  fs::create_directories(m_copy / m_cmake);
  write_file(m_copy / m_cmake / k_cache,
             replaced(read(m_root / m_cmake / k_cache), m_root.string(), m_copy.string()));
}

ProjectCopy::~ProjectCopy() {
  std::error_code ignored;
  fs::remove_all(m_folder, ignored);
}

fs::path ProjectCopy::at(const fs::path& original) const {
  if (!is_below(m_root, original))
    throw UsageError(fmt::format("{} is not below {}: call reex in the project's root", original.string(),
                                 m_root.string()));
  return m_copy / original.lexically_relative(m_root);
}

void ProjectCopy::write(const fs::path& original, const std::string& text) const {
  write_file(at(original), text);
}

std::string ProjectCopy::run(const std::string& command) const { return outcome(m_copy, command, tail_of); }

std::string ProjectCopy::build(const std::string& command) const {
  if (!m_cmake.empty()) {
    const std::string configure = "cmake " + shell_quote(m_cmake.string());
    if (std::string problem = outcome(m_copy, configure, errors_of); !problem.empty()) return problem;
  }
  return outcome(m_copy, command, errors_of);
}

} // namespace reex
