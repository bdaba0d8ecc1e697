// The files of a unit that belong to the user, with their absolute paths.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include <clang-c/Index.h>

namespace reex::impact {

class UserFiles {
public:
  // Relative names are relative to `folder`, in which the compiler ran.
  UserFiles(CXTranslationUnit unit, std::string folder) : m_unit(unit), m_folder(std::move(folder)) {}

  // The path; null if the file belongs to the system. The pointer stays valid, and is the same for the same
  // path.
  const std::string* path(CXFile file);
  std::string_view text(CXFile file, unsigned begin, unsigned end);
  std::vector<std::string> paths() const;

private:
  CXTranslationUnit m_unit;
  std::string m_folder;
  std::unordered_map<CXFile, const std::string*> m_by_file;
  std::unordered_map<CXFile, std::string_view> m_texts; // libclang looks for the file among all each time
  std::map<std::string, std::unique_ptr<std::string>> m_paths;
};

} // namespace reex::impact
