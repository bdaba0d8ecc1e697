#include "cli/options/command_line.h"

#include <algorithm>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "cli/options/similar.h"
#include "cli/terminal/command_error.h"

namespace reex {
namespace {

const VerbRow* find_verb(const std::string& word) {
  const auto verbs = verb_table();
  const auto found =
      std::find_if(verbs.begin(), verbs.end(), [&](const VerbRow& row) { return row.name == word; });
  return found == verbs.end() ? nullptr : &*found;
}

const char* name_of(Verb verb) {
  const auto verbs = verb_table();
  return std::find_if(verbs.begin(), verbs.end(), [&](const VerbRow& row) { return row.verb == verb; })->name;
}

// Whether one of the words may be the option: --name, --name=value, or -abc with the option's letter.
bool may_be_given(const OptionRow& row, const std::vector<std::string>& words) {
  const std::string_view names = row.names;
  for (std::size_t begin = 0; begin < names.size();) {
    const std::size_t end = std::min(names.find(',', begin), names.size());
    const std::string_view name = names.substr(begin, end - begin);
    begin = end + 1;
    const bool is_long = name.starts_with("--");
    for (const std::string& word : words)
      if (is_long ? word.starts_with(name)
                  : word.starts_with('-') && word.find(name.back()) != std::string::npos)
        return true;
  }
  return false;
}

// Those that may be given. CLI11 compares each option with all others, and a run has a hundred.
void add_options(CLI::App& app, Verb verb, const std::vector<std::string>& words,
                 std::map<const OptionRow*, std::vector<std::string>>& values) {
  for (const OptionRow& row : option_table()) {
    if (!row.belongs_to(verb) || !row.is_option() || !may_be_given(row, words)) continue;
    if (*row.value == '\0') {
      app.add_flag_function(row.names, [&values, &row](std::int64_t) { values[&row] = {"true"}; });
    } else {
      app.add_option_function<std::string>(
             row.names, [&values, &row](const std::string& text) { values[&row].push_back(text); })
          ->trigger_on_parse()
          ->type_name(row.value)
          ->multi_option_policy(CLI::MultiOptionPolicy::TakeLast);
    }
  }
}

// The value of an option that was given several times: for --format all values, otherwise the last one.
std::string joined(const OptionRow& row, const std::vector<std::string>& texts) {
  if (row.key() != "format") return texts.back();
  std::string all;
  for (const std::string& text : texts) all += (all.empty() ? "" : ",") + text;
  return all;
}

std::string unknown_option(Verb verb, const std::string& word) {
  std::vector<std::string> known = {"--help", "--version"};
  for (const OptionRow& row : option_table()) {
    if (!row.is_option()) continue;
    if (row.belongs_to(verb)) known.push_back(row.long_name());
    if (row.long_name() == word || std::string(row.names).starts_with(word + ','))
      return fmt::format("{} is no option of {}: reex {} --help shows its options", word, name_of(verb),
                         name_of(verb));
  }
  return fmt::format("there is no option {}: {}", word,
                     did_you_mean(word, known, "reex --help shows the options"));
}

// Replaces CLI11's texts for the two most common mistakes, which are hard to read.
std::string what_is_wrong(const CLI::ParseError& error, Verb verb) {
  std::string what = error.what();
  std::replace(what.begin(), what.end(), '\n', ' ');
  const std::string words = what.substr(what.find(": ") == std::string::npos ? 0 : what.find(": ") + 2);
  if (dynamic_cast<const CLI::ExtrasError*>(&error) != nullptr)
    return unknown_option(verb, words.substr(0, words.find_first_of(" =")));
  if (dynamic_cast<const CLI::ArgumentMismatch*>(&error) != nullptr) {
    return what.substr(0, what.find(": ")) + " needs a value: reex --help shows the options";
  }
  return what + ": reex --help shows the options";
}

} // namespace

CommandLine parse_command_line(const std::vector<std::string>& words) {
  CommandLine line;
  line.words = words;
  const auto dashes = std::find(words.begin(), words.end(), "--");
  std::vector<std::string> own(words.begin(), dashes);
  if (dashes != words.end()) line.test_arguments.assign(dashes + 1, words.end());

  if (const VerbRow* verb = own.empty() ? nullptr : find_verb(own.front())) {
    line.verb = verb->verb;
    line.verb_named = true;
    own.erase(own.begin());
  }

  CLI::App app;
  app.set_help_flag();
  app.add_flag("-h,--help", line.help);
  app.add_flag("--version", line.version);
  app.add_option("operands", line.operands);
  std::map<const OptionRow*, std::vector<std::string>> values;
  add_options(app, line.verb, own, values);
  std::reverse(own.begin(), own.end());
  try {
    app.parse(own);
  } catch (const CLI::ParseError& error) {
    throw UsageError(what_is_wrong(error, line.verb));
  }
  for (const auto& [row, texts] : values) line.given[row] = joined(*row, texts);
  if (line.verb == Verb::run && line.operands.empty() && !line.test_arguments.empty()) {
    line.operands_after_dashes = true;
    line.operands.push_back(line.test_arguments.front()); // run -- PROGRAM ARGUMENTS, as with env or strace
    line.test_arguments.erase(line.test_arguments.begin());
  }
  return line;
}

} // namespace reex
