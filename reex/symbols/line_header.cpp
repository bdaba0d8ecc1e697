#include "reex/symbols/line_header.h"

#include <cstdint>
#include <cstring>
#include <stdexcept>
#include <vector>

#include <dwarf.h>

namespace reex::detail {
namespace {

struct Damaged : std::runtime_error {
  Damaged() : std::runtime_error("damaged line table") {}
};

class Reader {
public:
  explicit Reader(std::string_view bytes) : m_bytes(bytes) {}

  bool at_end() const { return m_bytes.empty(); }
  std::string_view take(std::size_t size) {
    if (size > m_bytes.size()) throw Damaged();
    const std::string_view taken = m_bytes.substr(0, size);
    m_bytes.remove_prefix(size);
    return taken;
  }
  std::uint64_t number(std::size_t size) {
    std::uint64_t value = 0;
    std::memcpy(&value, take(size).data(), size);
    return value;
  }
  std::uint64_t uleb() {
    std::uint64_t value = 0;
    for (unsigned shift = 0; shift < 64; shift += 7) {
      const std::uint64_t byte = number(1);
      value |= (byte & 0x7f) << shift;
      if ((byte & 0x80) == 0) break;
    }
    return value;
  }
  std::string_view string() {
    const std::size_t end = m_bytes.find('\0');
    if (end == std::string_view::npos) throw Damaged();
    const std::string_view text = take(end);
    take(1);
    return text;
  }

private:
  std::string_view m_bytes;
};

std::string_view string_at(std::string_view section, std::uint64_t offset) {
  if (offset >= section.size()) return {};
  section.remove_prefix(offset);
  return section.substr(0, section.find('\0'));
}

struct Sections {
  std::string_view line_str;
  std::string_view str;
};

struct Entry {
  std::string path;
  std::uint64_t directory = 0;
  std::string_view md5;
};

void read_attribute(Reader& reader, const Sections& sections, std::size_t offset_size, std::uint64_t content,
                    std::uint64_t form, Entry& entry) {
  std::string_view text;
  std::uint64_t value = 0;
  switch (form) {
  case DW_FORM_string:
    text = reader.string();
    break;
  case DW_FORM_line_strp:
    text = string_at(sections.line_str, reader.number(offset_size));
    break;
  case DW_FORM_strp:
    text = string_at(sections.str, reader.number(offset_size));
    break;
  case DW_FORM_udata:
    value = reader.uleb();
    break;
  case DW_FORM_data1:
    value = reader.number(1);
    break;
  case DW_FORM_data2:
    value = reader.number(2);
    break;
  case DW_FORM_data4:
    value = reader.number(4);
    break;
  case DW_FORM_data8:
    value = reader.number(8);
    break;
  case DW_FORM_data16:
    text = reader.take(16);
    break;
  case DW_FORM_block:
    text = reader.take(reader.uleb());
    break;
  default:
    throw Damaged();
  }
  if (content == DW_LNCT_path) entry.path = text;
  if (content == DW_LNCT_directory_index) entry.directory = value;
  if (content == DW_LNCT_MD5 && form == DW_FORM_data16) entry.md5 = text;
}

std::vector<Entry> read_entries(Reader& reader, const Sections& sections, std::size_t offset_size) {
  std::vector<std::pair<std::uint64_t, std::uint64_t>> format(reader.number(1));
  for (auto& [content, form] : format) {
    content = reader.uleb();
    form = reader.uleb();
  }
  std::vector<Entry> entries;
  const std::uint64_t count = reader.uleb();
  if (format.empty() && count != 0) throw Damaged(); // entries of no bytes: as many as one likes
  for (std::uint64_t i = 0; i < count; ++i) {
    Entry& entry = entries.emplace_back();
    for (const auto& [content, form] : format) {
      read_attribute(reader, sections, offset_size, content, form, entry);
    }
  }
  return entries;
}

std::string hex(std::string_view bytes) {
  static constexpr char k_digits[] = "0123456789abcdef";
  std::string text;
  for (const char c : bytes) {
    const auto byte = static_cast<unsigned char>(c);
    text.push_back(k_digits[byte >> 4]);
    text.push_back(k_digits[byte & 15]);
  }
  return text;
}

void read_unit(Reader reader, const Sections& sections, std::size_t offset_size,
               std::map<std::string, std::string>& md5s) {
  if (reader.number(2) != 5) return;
  reader.take(2);           // address size, segment selector size
  reader.take(offset_size); // header length
  reader.take(5);           // instruction length, operations, default_is_stmt, line base, line range
  const std::uint64_t opcode_base = reader.number(1);
  reader.take(opcode_base == 0 ? 0 : opcode_base - 1);
  const std::vector<Entry> directories = read_entries(reader, sections, offset_size);
  for (const Entry& file : read_entries(reader, sections, offset_size)) {
    if (file.md5.empty()) continue;
    std::string path = file.path;
    const auto prepend = [&](std::uint64_t index) {
      if (!path.starts_with('/') && index < directories.size()) path = directories[index].path + "/" + path;
    };
    prepend(file.directory);
    prepend(0);
    md5s[path] = hex(file.md5);
  }
}

} // namespace

std::map<std::string, std::string>
line_table_md5s(std::string_view debug_line, std::string_view debug_line_str, std::string_view debug_str) {
  std::map<std::string, std::string> md5s;
  Reader reader(debug_line);
  const Sections sections{debug_line_str, debug_str};
  try {
    while (!reader.at_end()) {
      std::size_t offset_size = 4;
      std::uint64_t length = reader.number(4);
      if (length == 0xffffffff) {
        offset_size = 8;
        length = reader.number(8);
      }
      read_unit(Reader(reader.take(length)), sections, offset_size, md5s);
    }
  } catch (const Damaged&) {
    return md5s;
  }
  return md5s;
}

} // namespace reex::detail
