#include "reex/symbols/maps.h"

#include <charconv>
#include <fstream>
#include <iterator>

namespace reex {
namespace {

bool read_hex(std::string_view& text, std::uint64_t& value, char terminator) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value, 16);
  if (error != std::errc() || end == text.data() + text.size() || *end != terminator) return false;
  text.remove_prefix(static_cast<std::size_t>(end - text.data()) + 1);
  return true;
}

} // namespace

std::vector<MappedModule> parse_maps(std::string_view text) {
  std::vector<MappedModule> modules;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    std::string_view line = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));

    MappedModule module;
    if (!read_hex(line, module.start, '-') || !read_hex(line, module.end, ' ')) continue;
    if (line.size() < 5 || line[2] != 'x') continue;
    module.writable = line[1] == 'w';
    line.remove_prefix(5);
    if (!read_hex(line, module.file_offset, ' ')) continue;
    const std::size_t slash = line.find('/');
    if (slash == std::string_view::npos) continue;
    module.path = line.substr(slash);
    constexpr std::string_view k_deleted = " (deleted)";
    if (module.path.ends_with(k_deleted)) module.path.resize(module.path.size() - k_deleted.size());
    modules.push_back(std::move(module));
  }
  return modules;
}

std::vector<MappedModule> read_maps(pid_t pid) try {
  std::ifstream file("/proc/" + std::to_string(pid) + "/maps");
  return parse_maps(std::string(std::istreambuf_iterator<char>(file), {}));
} catch (const std::ios_base::failure&) { // it has ended meanwhile
  return {};
}

} // namespace reex
