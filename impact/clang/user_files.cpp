#include "impact/clang/user_files.h"

#include <filesystem>
#include <string_view>

#include "impact/clang/clang_names.h"
#include "impact/sources/paths.h"
#include "reex/symbols/resolver.h"

namespace reex::impact {

const std::string* UserFiles::path(CXFile file) {
  if (file == nullptr) return nullptr;
  const auto [place, fresh] = m_by_file.try_emplace(file, nullptr);
  if (!fresh) return place->second;
  const std::string name = text_of(clang_getFileName(file));
  std::string found = std::filesystem::path(name).lexically_normal().string();
  if (is_system_file(found)) return nullptr;
  found = normalized(name, m_folder);
  if (is_system_file(found)) return nullptr;
  std::unique_ptr<std::string>& kept = m_paths[found];
  if (!kept) kept = std::make_unique<std::string>(found);
  m_by_file[file] = kept.get();
  return kept.get();
}

std::string_view UserFiles::text(CXFile file, unsigned begin, unsigned end) {
  const auto [place, fresh] = m_texts.try_emplace(file);
  if (fresh) {
    std::size_t size = 0;
    if (const char* contents = clang_getFileContents(m_unit, file, &size); contents != nullptr)
      place->second = {contents, size};
  }
  const std::string_view text = place->second;
  return begin > end || end > text.size() ? std::string_view() : text.substr(begin, end - begin);
}

std::vector<std::string> UserFiles::paths() const {
  std::vector<std::string> found;
  for (const auto& [path, unused] : m_paths) found.push_back(path);
  return found;
}

} // namespace reex::impact
