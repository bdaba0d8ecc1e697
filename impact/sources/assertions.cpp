#include "impact/sources/assertions.h"

#include <algorithm>
#include <cctype>
#include <fstream>
#include <iterator>

#include "impact/sources/lexical.h"
#include "reex/symbols/resolver.h"

namespace reex::impact {
namespace {

// A call of a method, or of a function in a namespace, is none of the macro.
bool has_call(std::string_view line) {
  constexpr std::string_view k_call = "assert(";
  for (std::size_t at = line.find(k_call); at != line.npos; at = line.find(k_call, at + 1)) {
    const char before = at == 0 ? ' ' : line[at - 1];
    if (std::isalnum(static_cast<unsigned char>(before)) == 0 &&
        std::string_view("_.:>").find(before) == line.npos)
      return true;
  }
  return false;
}

} // namespace

bool calls_assert(std::string_view text) {
  const std::vector<Include> includes = includes_of(text);
  if (std::none_of(includes.begin(), includes.end(), [](const Include& one) {
        return !one.quoted && (one.name == "cassert" || one.name == "assert.h");
      }))
    return false;
  const std::vector<std::string> lines = code_of_lines(text);
  return std::any_of(lines.begin(), lines.end(), has_call);
}

std::string compiled_out_assertions(const BinaryInfo& binary) {
  if (binary.asserts || binary.framework != Framework::none) return "";
  for (const CompileUnit& unit : binary.units) {
    if (unit.name.empty() || is_system_file(unit.name) || unit.module != binary.path) continue;
    std::ifstream file(unit.name);
    const std::string text{std::istreambuf_iterator<char>(file), {}};
    if (calls_assert(text)) return unit.name;
  }
  return "";
}

} // namespace reex::impact
