#include "cli/options/help.h"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>

namespace reex {
namespace {

std::string usage(const VerbRow& row) {
  return fmt::format("reex {} [options]{}{}", row.name, *row.operands == '\0' ? "" : " ", row.operands);
}

const char* description_of(const OptionRow& row, Verb verb) {
  const std::string_view names = row.names;
  if (verb == Verb::compare && names == "--budget") return "most time of each run: 500ms, 60s, 5m, 1h [5s]";
  if (verb == Verb::compare && names == "--schedules") return "most schedules of each run [10000]";
  return row.description;
}

std::string option_line(const OptionRow& row, Verb verb) {
  const std::string names = row.names;
  const std::size_t comma = names.find(',');
  std::string left =
      comma == std::string::npos ? "    " + names : names.substr(0, comma) + ", " + names.substr(comma + 1);
  if (*row.value != '\0') left += std::string(" ") + row.value;
  std::string line = fmt::format("  {:<27} {}", left, description_of(row, verb));
  const std::string_view fallback = row.fallback;
  if (!fallback.empty() && fallback != "false") line += fmt::format(" [{}]", fallback);
  return line + '\n';
}

const char* formats_of(Verb verb) {
  switch (verb) {
  case Verb::impact:
    return "\nFormats: text, and json:PATH (json:- is standard output).\n";
  case Verb::compare:
    return "\nFormats: text; json and html with a path, as in json:PATH (json:- is standard\n"
           "output); with --evaluation also markdown.\n";
  default:
    return "\nFormats: text; json, jsonl, junit, sarif, markdown and html with a path, as in\n"
           "json:PATH (json:- is standard output); github.\n";
  }
}

} // namespace

std::string help_text(Verb verb, bool general) {
  std::string text = "Finds the schedules under which a concurrent test fails.\n\n";
  for (const VerbRow& row : verb_table()) {
    if (general)
      text += fmt::format("  {}\n      {}\n", usage(row), row.description);
    else if (row.verb == verb)
      text = fmt::format("{}\n{}\n", usage(row), row.description);
  }
  std::string group;
  for (const OptionRow& row : option_table()) {
    if (!row.belongs_to(verb) || !row.is_option()) continue;
    if (group != row.group) text += fmt::format("\n{}\n", row.group);
    group = row.group;
    text += option_line(row, verb);
  }
  const auto formats = std::find_if(option_table().begin(), option_table().end(), [](const OptionRow& row) {
    return std::string_view(row.names) == "--format";
  });
  if ((formats->verbs & verb_bit(verb)) != 0) text += formats_of(verb);
  text += "\n  -h, --help                  this text\n      --version               the version\n";
  if (general) {
    text += "\nSettings: an option beats REEX_* (REEX_KEEP_GOING), that git config reex.*\n"
            "(reex.keep-going), and that .reex.toml at the repository's root (keep-going).\n"
            "Exit status: 0 nothing failed, 1 a failing schedule was found, 2 usage,\n"
            "3 inconclusive, 4 the test does not start, or fails at the base, too, 5 not\n"
            "under control, 6 no such base or repository, 7 a replay diverged, 70 an error of\n"
            "reex, 130 interrupted.\n";
  }
  return text;
}

} // namespace reex
