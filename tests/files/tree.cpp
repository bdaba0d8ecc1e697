#include "tests/files/tree.h"

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <iterator>
#include <sys/stat.h>

namespace reex {

namespace fs = std::filesystem;

Tree::Tree() : m_root((fs::canonical(fs::temp_directory_path()) / "reex-tree-XXXXXX").string()) {
  if (mkdtemp(m_root.data()) == nullptr) ADD_FAILURE() << "cannot make " << m_root;
}

Tree::~Tree() {
  std::error_code ignored;
  fs::remove_all(m_root, ignored);
}

FilePlace Tree::place(const std::string& name) const {
  const std::size_t slash = name.rfind('/');
  if (slash == std::string::npos) return {m_root, name};
  return {path(name.substr(0, slash)), name.substr(slash + 1)};
}

void Tree::write(const std::string& name, const std::string& content) const {
  std::ofstream(path(name)) << content;
}

std::string Tree::read(const std::string& name) const {
  std::ifstream file(path(name));
  return {std::istreambuf_iterator<char>(file), {}};
}

std::map<std::string, std::string> Tree::entries() const {
  std::map<std::string, std::string> found;
  for (const auto& entry : fs::recursive_directory_iterator(m_root)) {
    struct stat status {};
    if (lstat(entry.path().c_str(), &status) != 0) continue;
    const std::string name = entry.path().string().substr(m_root.size() + 1);
    std::string& text = found[name];
    for (const auto value : {status.st_ino, std::uint64_t{status.st_mode}, std::uint64_t{status.st_nlink},
                             static_cast<std::uint64_t>(status.st_mtim.tv_sec),
                             static_cast<std::uint64_t>(status.st_mtim.tv_nsec)})
      text += std::to_string(value) + " ";
    if (S_ISREG(status.st_mode)) text += read(name);
    if (S_ISLNK(status.st_mode)) text += fs::read_symlink(entry.path()).string();
  }
  return found;
}

} // namespace reex
