#include "impact/sources/includes.h"

#include <filesystem>
#include <fstream>
#include <iterator>

#include "impact/sources/paths.h"
#include "reex/symbols/resolver.h"

namespace reex::impact {
namespace {

std::vector<std::string> include_folders(const ParseJob& job) {
  std::vector<std::string> folders;
  for (std::size_t i = 0; i < job.arguments.size(); ++i) {
    for (const std::string_view option : {"-I", "-isystem", "-iquote", "-idirafter"}) {
      const std::string& word = job.arguments[i];
      if (!word.starts_with(option)) continue;
      if (word.size() > option.size()) {
        folders.push_back(normalized(word.substr(option.size()), job.directory));
      } else if (i + 1 < job.arguments.size()) {
        folders.push_back(normalized(job.arguments[i + 1], job.directory));
      }
    }
  }
  return folders;
}

} // namespace

const IncludeScanner::File& IncludeScanner::file(const std::string& path) {
  const auto [place, fresh] = m_files.try_emplace(path);
  File& found = place->second;
  if (!fresh) return found;
  if (const auto overlay = m_overlays.find(path); overlay != m_overlays.end()) {
    found.text = overlay->second;
    found.readable = true;
  } else {
    std::error_code error;
    if (!std::filesystem::is_regular_file(path, error)) return found;
    std::ifstream stream(path, std::ios::binary);
    found.readable = static_cast<bool>(stream);
    found.text.assign(std::istreambuf_iterator<char>(stream), {});
  }
  found.includes = includes_of(found.text);
  return found;
}

const std::string* IncludeScanner::text(const std::string& path) {
  const File& found = file(path);
  return found.readable ? &found.text : nullptr;
}

std::set<std::string> IncludeScanner::files_of(const ParseJob& job) {
  const std::vector<std::string> folders = include_folders(job);
  std::set<std::string> seen{job.file};
  std::vector<std::string> pending{job.file};
  while (!pending.empty()) {
    const std::string current = std::move(pending.back());
    pending.pop_back();
    const std::string own_folder = std::filesystem::path(current).parent_path().string();
    const std::vector<Include> includes = file(current).includes;
    for (const Include& include : includes) {
      std::vector<std::string> places;
      if (include.quoted) places.push_back(own_folder);
      places.insert(places.end(), folders.begin(), folders.end());
      for (const std::string& place : places) {
        const std::string path = normalized(include.name, place);
        if (is_system_file(path) || !file(path).readable) continue;
        if (seen.insert(path).second) pending.push_back(path);
        break;
      }
    }
  }
  return seen;
}

} // namespace reex::impact
