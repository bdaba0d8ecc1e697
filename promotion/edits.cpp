#include "promotion/edits.h"

#include <algorithm>
#include <map>

namespace reex::promotion {
namespace {

std::string indentation(std::string_view text, std::size_t at) {
  const std::size_t newline = text.substr(0, at).rfind('\n');
  const std::size_t begin = newline == std::string_view::npos ? 0 : newline + 1;
  std::size_t end = begin;
  while (end < text.size() && (text[end] == ' ' || text[end] == '\t')) ++end;
  return std::string(text.substr(begin, end - begin));
}

bool begins_line(std::string_view text, std::size_t at) {
  while (at > 0 && (text[at - 1] == ' ' || text[at - 1] == '\t')) --at;
  return at == 0 || text[at - 1] == '\n';
}

std::string before_text(std::string_view text, const Place& place, const std::vector<std::string>& codes) {
  std::string made;
  const bool own_line = begins_line(text, place.begin);
  const std::string indent = indentation(text, place.begin);
  for (const std::string& code : codes) {
    if (place.closing && own_line)
      made += (made.empty() ? "  " : indent + "  ") + code + '\n';
    else
      made += own_line ? code + '\n' + indent : code + ' ';
  }
  if (place.closing && own_line) made += indent;
  return made;
}

} // namespace

std::string with_insertions(std::string_view text, const std::string& file,
                            const std::vector<Insertion>& insertions) {
  struct Of {
    std::vector<std::string> before, after;
  };
  std::map<Place, Of> places;
  for (const Insertion& insertion : insertions) {
    if (insertion.place.file != file) continue;
    Of& of = places[insertion.place];
    std::vector<std::string>& codes = insertion.side == Side::before ? of.before : of.after;
    if (std::find(codes.begin(), codes.end(), insertion.code) == codes.end()) codes.push_back(insertion.code);
  }
  // By offset; where one statement ends and another begins, the end comes first. Of nested statements that
  // end together, the inner one's end comes first.
  std::multimap<std::pair<std::size_t, std::size_t>, std::string> pieces;
  for (const auto& [place, of] : places) {
    std::string before = before_text(text, place, of.before);
    if (!place.in_block) before.insert(0, "{ ");
    std::string after;
    const std::string indent = indentation(text, place.begin);
    for (const std::string& code : of.after) after += place.in_block ? '\n' + indent + code : ' ' + code;
    if (!place.in_block) after += " }";
    const std::size_t size = place.end - place.begin;
    if (!before.empty()) pieces.insert({{place.begin, (std::size_t{1} << 32) - size}, before});
    if (!after.empty()) pieces.insert({{place.end, size}, after});
  }
  std::string made;
  std::size_t done = 0;
  for (const auto& [at, piece] : pieces) {
    made += text.substr(done, at.first - done);
    made += piece;
    done = at.first;
  }
  return made += text.substr(done);
}

std::string with_header(std::string text) {
  if (text.find("reex/imunit.h") != std::string::npos) return text;
  std::size_t behind = 0;
  unsigned depth = 0; // of #if
  for (std::size_t at = 0; at < text.size();) {
    std::size_t end = text.find('\n', at);
    end = end == std::string::npos ? text.size() : end + 1;
    std::string_view line = std::string_view(text).substr(at, end - at);
    while (!line.empty() && (line.front() == ' ' || line.front() == '\t')) line.remove_prefix(1);
    if (line.starts_with("#if")) ++depth;
    if (line.starts_with("#endif") && depth > 0) --depth;
    if (depth == 0 && (line.starts_with("#include") || line.starts_with("#pragma once"))) behind = end;
    at = end;
  }
  return text.insert(behind, "#include <reex/imunit.h>\n");
}

} // namespace reex::promotion
