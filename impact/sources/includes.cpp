#include "impact/sources/includes.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <functional>
#include <iterator>
#include <string_view>

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
    const std::vector<Include> includes = file(current).includes;
    for (const Include& include : includes) {
      std::string path = find(include, current, folders);
      if (!path.empty() && seen.insert(path).second) pending.push_back(std::move(path));
    }
  }
  return seen;
}

std::string IncludeScanner::find(const Include& include, const std::string& from,
                                 const std::vector<std::string>& folders) {
  std::vector<std::string> places;
  if (include.quoted) places.push_back(std::filesystem::path(from).parent_path().string());
  places.insert(places.end(), folders.begin(), folders.end());
  for (const std::string& place : places)
    if (const std::string& path = at(place, include.name); !path.empty()) return path;
  return "";
}

// Nearly all units ask for the same headers in the same folders, and the disk answers each time by links.
const std::string& IncludeScanner::at(const std::string& folder, const std::string& name) {
  const auto [known, fresh] = m_found[folder].try_emplace(name);
  if (!fresh) return known->second;
  std::string path = normalized(name, folder);
  if (!is_system_file(path) && file(path).readable) known->second = std::move(path);
  return known->second;
}

SystemIncludes IncludeScanner::system_includes_of(const ParseJob& job) {
  SystemIncludes found;
  const std::vector<std::string> folders = include_folders(job);
  std::set<std::string> asked; // names of the system
  std::set<std::string> entered;
  const std::function<void(const std::string&)> enter = [&](const std::string& current) {
    if (!entered.insert(current).second) return;
    const std::vector<Include> includes = file(current).includes;
    for (const Include& include : includes) {
      if (include.conditional) continue;
      const std::string path = find(include, current, folders);
      if (!path.empty())
        enter(path);
      else if (asked.insert(include.name).second)
        found.headers.push_back(include);
    }
  };
  enter(job.file);
  for (const std::string& path : files_of(job)) {
    const std::string& text = file(path).text;
    for (std::size_t begin = 0; begin < text.size();) {
      const std::size_t end = std::min(text.find('\n', begin), text.size());
      const std::string_view line = std::string_view(text).substr(begin, end - begin);
      begin = end + 1;
      for (std::string name : {defined_macro(line), undefined_macro(line)})
        if (!name.empty()) found.user_macros.insert(std::move(name));
    }
  }
  return found;
}

} // namespace reex::impact
