#include "cli/manual/choices.h"

#include "cli/terminal/command_error.h"
#include "heuristics/table.h"

namespace reex {
namespace {

constexpr std::string_view k_before = "give one of ";

std::vector<std::string> words_of(std::string_view list) {
  std::vector<std::string> words;
  std::string word;
  for (const char c : list) {
    if (c != ',' && c != ' ') {
      word += c;
    } else if (!word.empty()) {
      if (word != "and" && word != "or") words.push_back(word);
      word.clear();
    }
  }
  if (!word.empty()) words.push_back(word);
  return words;
}

} // namespace

std::vector<std::string> choices_of(const OptionRow& row) {
  if (row.key() == "heuristic") {
    std::vector<std::string> names{std::string(k_auto_heuristic)};
    for (const Heuristic& heuristic : heuristics()) names.emplace_back(heuristic.name);
    return names;
  }
  if (*row.value == '\0' || row.is_path()) return {};
  try {
    Options scratch;
    row.apply(scratch, row.long_name(), "?");
  } catch (const UsageError& error) {
    const std::string text = error.what();
    const std::size_t at = text.find(k_before);
    if (at != std::string::npos) return words_of(std::string_view(text).substr(at + k_before.size()));
  }
  return {};
}

std::vector<std::string> names_of(const OptionRow& row) {
  const std::string names = row.names;
  const std::size_t comma = names.find(',');
  if (comma == std::string::npos) return {names};
  return {names.substr(0, comma), names.substr(comma + 1)};
}

} // namespace reex
