#include "edits/header.h"

#include <algorithm>

#include "edits/lines.h"

namespace reex {

std::vector<Edit> including_header(std::string_view text) {
  if (text.find("reex/imunit.h") != std::string_view::npos) return {};
  std::size_t behind = 0;
  unsigned depth = 0; // of #if
  for (std::size_t at = 0; at < text.size(); at = line_end(text, at) + 1) {
    std::string_view line = text.substr(at, line_end(text, at) - at);
    const auto skip_blanks = [&] {
      while (!line.empty() && is_blank(line.front())) line.remove_prefix(1);
    };
    skip_blanks();
    if (!line.starts_with('#')) continue;
    line.remove_prefix(1);
    skip_blanks();
    if (line.starts_with("if")) ++depth;
    if (line.starts_with("endif") && depth > 0) --depth;
    if (depth == 0 && (line.starts_with("include") || line.starts_with("pragma once")))
      behind = std::min(line_end(text, at) + 1, text.size());
  }
  const bool unended = behind > 0 && text[behind - 1] != '\n';
  return {{behind, 0, unended ? "\n#include <reex/imunit.h>\n" : "#include <reex/imunit.h>\n"}};
}

} // namespace reex
