#include "reex/symbols/function_name.h"

#include <cctype>

namespace reex {

bool is_function(std::string_view function, std::string_view name) {
  if (name.empty()) return false;
  for (std::size_t at = function.find(name); at != std::string_view::npos; at = function.find(name, at + 1)) {
    const bool begins = at == 0 || function[at - 1] == ':' || function[at - 1] == ' ';
    const std::string_view behind = function.substr(at + name.size());
    if (begins && (behind.empty() || behind.front() == '(' || behind.front() == '<')) return true;
  }
  return false;
}

bool is_reserved(std::string_view name) {
  return name.size() > 1 && name[0] == '_' &&
         (name[1] == '_' || std::isupper(static_cast<unsigned char>(name[1])) != 0);
}

} // namespace reex
