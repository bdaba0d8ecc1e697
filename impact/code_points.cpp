#include "impact/code_points.h"

#include <algorithm>
#include <filesystem>
#include <tuple>

namespace reex {

const CodePoints::File* CodePoints::find(const std::string& path) const {
  auto found = m_files.find(path);
  if (found == m_files.end()) {
    std::error_code error;
    const std::filesystem::path real = std::filesystem::weakly_canonical(path, error);
    if (!error) found = m_files.find(real.string());
  }
  return found == m_files.end() ? nullptr : &found->second;
}

std::uint8_t CodePoints::frame_bits(const Frame& frame) const {
  const File* file = frame.file.empty() || frame.line == 0 ? nullptr : find(frame.file);
  if (file == nullptr) return 0;
  const auto inside = [&](const std::vector<Extent>& extents) {
    return std::any_of(extents.begin(), extents.end(),
                       [&](const Extent& extent) { return extent.contains_line(frame.line); });
  };
  unsigned bits = 0;
  if (inside(file->classes)) bits |= k_match_class;
  if (inside(file->methods)) bits |= k_match_method;
  if (file->lines.contains(frame.line)) bits |= k_match_line;
  const std::pair<const Extent, bool>* smallest = nullptr;
  for (const auto& access : file->accesses) {
    if (access.first.begin_line > frame.line) break;
    if (!access.first.contains(frame.line, frame.column)) continue;
    // If two ranges contain a position, the one that begins later or ends earlier is the inner one.
    const bool inner = smallest == nullptr ||
                       std::tie(access.first.begin_line, access.first.begin_column) >
                           std::tie(smallest->first.begin_line, smallest->first.begin_column) ||
                       std::tie(access.first.end_line, access.first.end_column) <
                           std::tie(smallest->first.end_line, smallest->first.end_column);
    if (inner) smallest = &access;
  }
  if (smallest != nullptr && smallest->second) bits |= k_match_field;
  return static_cast<std::uint8_t>(bits);
}

bool CodePoints::follows(const Frame& frame) const {
  const File* file = frame.file.empty() || frame.line == 0 ? nullptr : find(frame.file);
  return file != nullptr && file->followed.contains(frame.line);
}

bool CodePoints::touches(const std::string& path, unsigned first, unsigned last) const {
  const File* file = find(path);
  if (file == nullptr) return false;
  const auto meets = [&](const Extent& extent) {
    return extent.begin_line <= last && first <= extent.end_line;
  };
  const auto line = file->lines.lower_bound(first);
  return (line != file->lines.end() && *line <= last) ||
         std::any_of(file->classes.begin(), file->classes.end(), meets) ||
         std::any_of(file->methods.begin(), file->methods.end(), meets) ||
         std::any_of(file->accesses.begin(), file->accesses.end(),
                     [&](const auto& access) { return access.second && meets(access.first); });
}

bool CodePoints::line_impacted(const std::string& path, unsigned line) const {
  const File* file = find(path);
  return file != nullptr && file->lines.contains(line);
}

void CodePoints::add_class_extent(const std::string& file, const Extent& extent) {
  m_files[file].classes.push_back(extent);
}
void CodePoints::add_method_extent(const std::string& file, const Extent& extent) {
  m_files[file].methods.push_back(extent);
}
void CodePoints::add_line(const std::string& file, unsigned line) { m_files[file].lines.insert(line); }
void CodePoints::add_followed(const std::string& file, unsigned line) { m_files[file].followed.insert(line); }
void CodePoints::add_access(const std::string& file, const Extent& extent, bool impacted) {
  bool& kept = m_files[file].accesses[extent];
  kept = kept || impacted;
}

} // namespace reex
