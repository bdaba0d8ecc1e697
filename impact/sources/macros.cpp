#include "impact/sources/macros.h"

#include <algorithm>

#include "impact/sources/lexical.h"

namespace reex::impact {
namespace {

using Code = std::vector<std::string>; // of the lines, see code_of_lines()

bool is_directive(const std::string& line) { return line.starts_with('#'); }

// The line of the directive that a line belongs to, over lines that end with a backslash.
std::size_t first_line_of(const Code& code, std::size_t at) {
  while (at > 0 && code[at - 1].ends_with('\\')) --at;
  return at;
}

// Whether a file begins with `#ifndef NAME` and this `#define NAME`: nothing of what is between them and the
// `#endif` uses the macro.
bool is_include_guard(const Code& code, std::size_t definition, const std::string& name) {
  std::size_t first = 0;
  while (first < definition && code[first].empty()) ++first;
  std::size_t next = first + 1;
  while (next < definition && code[next].empty()) ++next;
  return next == definition && code[first] == "#ifndef " + name && code[definition] == "#define " + name;
}

constexpr const char* k_uses = "uses a changed macro";

using Macros = std::map<std::string, Chain>;

void add_defined(const std::string& file, const Code& code, const std::set<unsigned>& lines, bool old,
                 Macros& names) {
  for (const unsigned line : lines) {
    if (line == 0 || line > code.size()) continue;
    const std::size_t first = first_line_of(code, line - 1);
    const auto add = [&](const std::string& name) {
      if (name.empty() || is_include_guard(code, first, name)) return;
      const auto definition = static_cast<unsigned>(first + 1);
      names.try_emplace(name, Chain{{k_uses, name, file, definition, old},
                                    {old ? "removed" : "changed", "", file, line, old}});
    };
    add(defined_macro(code[first]));
    add(undefined_macro(code[first]));
  }
}

std::string mentioned(const std::string& line, const Macros& names) {
  const auto found =
      std::find_if(names.begin(), names.end(), [&](const auto& one) { return has_word(line, one.first); });
  return found == names.end() ? "" : found->first;
}

bool opens(const std::string& line) { return line.starts_with("#if"); }

class File {
public:
  File(const Code& code, const Macros& names) : m_code(code), m_names(names) {}

  // Macros that are defined with one of the names.
  Macros defined_with(const std::string& file) const {
    Macros found;
    for (std::size_t i = 0; i < m_code.size(); ++i) {
      const std::size_t start = first_line_of(m_code, i);
      const std::string name = defined_macro(m_code[start]);
      if (name.empty() || m_names.contains(name)) continue;
      const std::string used = mentioned(m_code[i], m_names);
      if (!used.empty())
        found.try_emplace(name,
                          behind({k_uses, name, file, static_cast<unsigned>(start + 1)}, m_names.at(used)));
    }
    return found;
  }

  std::map<unsigned, Chain> uses() {
    for (std::size_t i = 0; i < m_code.size(); ++i) {
      const std::string macro = mentioned(m_code[i], m_names);
      if (macro.empty()) continue;
      if (!is_directive(m_code[first_line_of(m_code, i)])) {
        add(i, macro);
      } else if (opens(m_code[i]) || m_code[i].starts_with("#elif")) {
        add_condition(i, macro);
      }
    }
    return std::move(m_uses);
  }

private:
  void add(std::size_t at, const std::string& macro) {
    m_uses.try_emplace(static_cast<unsigned>(at + 1), m_names.at(macro));
  }

  bool has_code(std::size_t at) const { return !m_code[at].empty() && !is_directive(m_code[at]); }

  void add_condition(std::size_t at, const std::string& macro) {
    unsigned depth = 0;
    std::size_t end = at + 1;
    for (; end < m_code.size(); ++end) {
      if (opens(m_code[end])) ++depth;
      if (m_code[end].starts_with("#endif") && depth-- == 0) break;
      if (has_code(end)) add(end, macro);
    }
    for (std::size_t i = at; i-- > 0;)
      if (has_code(i)) {
        add(i, macro);
        break;
      }
    for (std::size_t i = end; i < m_code.size(); ++i)
      if (has_code(i)) {
        add(i, macro);
        break;
      }
  }

  const Code& m_code;
  const Macros& m_names;
  std::map<unsigned, Chain> m_uses;
};

} // namespace

MacroUses uses_of_macros(const std::vector<FileLines>& changes, const std::set<std::string>& files,
                         const std::function<const std::string*(const std::string&)>& text) {
  MacroUses result;
  for (const FileLines& change : changes) {
    add_defined(change.new_path, change.code, change.changed, false, result.names);
    add_defined(change.old_path, change.old_code, change.removed, true, result.names);
  }
  if (result.names.empty()) return result;
  std::map<std::string, Code> codes;
  for (std::size_t before = 0; before != result.names.size();) {
    before = result.names.size();
    for (const std::string& file : files) {
      const std::string* content = text(file);
      if (content == nullptr || mentioned(*content, result.names).empty()) continue;
      const auto [place, fresh] = codes.try_emplace(file);
      if (fresh) place->second = code_of_lines(*content);
      result.names.merge(File(place->second, result.names).defined_with(file));
    }
  }
  for (const auto& [file, code] : codes) {
    std::map<unsigned, Chain> uses = File(code, result.names).uses();
    if (!uses.empty()) result.uses.emplace(file, std::move(uses));
  }
  return result;
}

} // namespace reex::impact
