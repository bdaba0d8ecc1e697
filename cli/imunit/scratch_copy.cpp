#include "cli/imunit/scratch_copy.h"

#include <cerrno>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <system_error>

#include <fmt/format.h>

#include "cli/terminal/command_error.h"
#include "report/shell_quote.h"

namespace reex {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t k_most_output = 2000; // of a command that fails

std::string read(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  std::stringstream text;
  text << file.rdbuf();
  return text.str();
}

void write_file(const fs::path& path, const std::string& text) {
  std::ofstream file(path, std::ios::binary | std::ios::trunc);
  file << text << std::flush;
  if (!file)
    throw UsageError(fmt::format("{} cannot be written: free space in {}", path.string(),
                                 fs::temp_directory_path().string()));
}

std::string replaced(std::string text, const std::string& from, const std::string& to) {
  for (std::size_t at = 0; (at = text.find(from, at)) != std::string::npos; at += to.size())
    text.replace(at, from.size(), to);
  return text;
}

// The build folder of CMake that the binary is in, relative to the root; "" for none.
std::string cmake_folder(const fs::path& root, fs::path folder) {
  for (; folder.string().size() > root.string().size(); folder = folder.parent_path()) {
    std::error_code ignored;
    if (fs::exists(folder / "CMakeCache.txt", ignored)) return folder.lexically_relative(root).string();
  }
  return "";
}

void copy_tree(const fs::path& from, const fs::path& to, const fs::path& without) {
  fs::create_directories(to);
  for (const fs::directory_entry& entry : fs::directory_iterator(from)) {
    const std::string name = entry.path().filename().string();
    if (name == ".git" || name == ".reex" || entry.path() == without) continue;
    std::error_code ignored;
    if (fs::exists(entry.path() / "CMakeCache.txt", ignored)) continue; // other build folders
    if (entry.is_symlink())
      fs::copy_symlink(entry.path(), to / name);
    else if (entry.is_directory())
      copy_tree(entry.path(), to / name, without);
    else if (entry.is_regular_file())
      fs::copy_file(entry.path(), to / name);
  }
}

} // namespace

ScratchCopy::ScratchCopy(const std::string& root, const std::string& binary) : m_root(root) {
  if (!binary.starts_with(root + '/'))
    throw UsageError(fmt::format(
        "{} is not below {}: a verification builds a copy of the project, with the test", binary, root));
  std::string name = (fs::temp_directory_path() / "reex-migration-XXXXXX").string();
  if (mkdtemp(name.data()) == nullptr) throw std::system_error(errno, std::generic_category(), name);
  m_folder = name;
  m_cmake = cmake_folder(root, fs::path(binary).parent_path());
  try {
    copy_tree(root, m_folder + "/tree", m_cmake.empty() ? fs::path() : fs::path(root) / m_cmake);
    if (m_cmake.empty()) return;
    const fs::path cache = fs::path(m_folder) / "tree" / m_cmake / "CMakeCache.txt";
    fs::create_directories(cache.parent_path());
    write_file(cache, replaced(read(fs::path(root) / m_cmake / "CMakeCache.txt"), root, m_folder + "/tree"));
  } catch (...) {
    std::error_code ignored;
    fs::remove_all(m_folder, ignored);
    throw;
  }
}

ScratchCopy::~ScratchCopy() {
  std::error_code ignored;
  fs::remove_all(m_folder, ignored);
}

std::string ScratchCopy::of(const std::string& path) const {
  return m_folder + "/tree" + path.substr(m_root.size());
}

void ScratchCopy::write(const std::string& path, const std::string& text) const {
  write_file(of(path), text);
}

std::string ScratchCopy::run(const std::string& command) const {
  const std::string line = fmt::format("cd {} && ( {}\n) > {} 2>&1 < /dev/null",
                                       shell_quote(m_folder + "/tree"), command, shell_quote(output()));
  if (std::system(line.c_str()) == 0) return ""; // NOLINT(cert-env33-c): the user's command
  std::string text = read(output());
  if (text.size() > k_most_output) text = text.substr(text.size() - k_most_output);
  return text.empty() ? "it failed and printed nothing" : text;
}

std::string ScratchCopy::build(const std::string& command) {
  if (!m_cmake.empty()) {
    const std::string problem = run("cmake " + shell_quote(m_cmake));
    if (!problem.empty()) return problem;
  }
  return run(command);
}

} // namespace reex
