#include "promotion/insertions.h"

#include <algorithm>
#include <map>

#include "edits/edits.h"
#include "edits/header.h"
#include "edits/lines.h"

namespace reex::promotion {
namespace {

std::string before_text(std::string_view text, const Place& place, const std::vector<std::string>& codes) {
  std::string made;
  const bool own_line = is_first_on_line(text, place.begin);
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
  std::vector<Edit> edits;
  for (const auto& [at, piece] : pieces) edits.push_back({at.first, 0, piece});
  return applied(text, edits);
}

std::string with_header(const std::string& text) { return applied(text, including_header(text)); }

} // namespace reex::promotion
