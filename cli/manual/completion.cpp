#include "cli/manual/completion.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <string_view>

#include "cli/manual/choices.h"
#include "cli/options/option_table.h"

namespace reex {
namespace {

// The names of branches and tags.
constexpr const char* k_revisions = "git for-each-ref --format='%(refname:short)' 2>/dev/null";

bool is_folder(const OptionRow& row) { return row.value == std::string_view("DIR"); }
bool is_file(const OptionRow& row) { return row.is_path() || row.value == std::string_view("TEST_BINARY"); }
bool is_revision(const OptionRow& row) { return row.value == std::string_view("REV"); }
bool takes_value(const OptionRow& row) { return *row.value != '\0'; }

// Within single quotes.
std::string quoted(std::string_view text) {
  std::string result = "'";
  for (const char c : text) {
    if (c == '\'')
      result += "'\\''";
    else
      result += c;
  }
  return result + '\'';
}

std::vector<std::string> all_verbs() {
  std::vector<std::string> names;
  for (const VerbRow& row : verb_table()) names.emplace_back(row.name);
  return names;
}

std::vector<std::string> option_names(Verb verb) {
  std::vector<std::string> names;
  for (const OptionRow& row : option_table())
    if (row.is_option() && row.belongs_to(verb))
      for (const std::string& name : names_of(row)) names.push_back(name);
  names.insert(names.end(), {"-h", "--help"});
  return names;
}

// In zsh's _arguments, a bracket ends the description, and a colon separates.
std::string zsh_text(std::string_view text) {
  std::string result;
  for (const char c : text) {
    if (c == '[' || c == ']' || c == ':' || c == '\\') result += '\\';
    result += c;
  }
  return result;
}

std::string zsh_value(const OptionRow& row) {
  if (!takes_value(row)) return "";
  const std::vector<std::string> choices = choices_of(row);
  const std::string name = zsh_text(row.value);
  if (!choices.empty()) return fmt::format(":{}:({})", name, fmt::join(choices, " "));
  if (is_folder(row)) return fmt::format(":{}:_files -/", name);
  if (is_revision(row)) return fmt::format(":{}:($({}))", name, k_revisions);
  return is_file(row) ? fmt::format(":{}:_files", name) : fmt::format(":{}: ", name);
}

} // namespace

std::string bash_completion() {
  std::string values;
  for (const OptionRow& row : option_table()) {
    if (!row.is_option() || !takes_value(row)) continue;
    const std::string names = fmt::format("{}", fmt::join(names_of(row), "|"));
    const std::vector<std::string> choices = choices_of(row);
    if (!choices.empty())
      values += fmt::format("    {}) COMPREPLY=($(compgen -W {} -- \"$current\")); return ;;\n", names,
                            quoted(fmt::format("{}", fmt::join(choices, " "))));
    else if (is_folder(row))
      values += fmt::format("    {}) COMPREPLY=($(compgen -d -- \"$current\")); return ;;\n", names);
    else if (is_revision(row))
      values += fmt::format("    {}) COMPREPLY=($(compgen -W \"$({})\" -- \"$current\")); return ;;\n", names,
                            k_revisions);
    else if (is_file(row))
      values += fmt::format("    {}) COMPREPLY=($(compgen -f -- \"$current\")); return ;;\n", names);
    else
      values += fmt::format("    {}) return ;;\n", names);
  }
  std::string options;
  for (const VerbRow& verb : verb_table())
    options += fmt::format("    {}) options={} ;;\n", verb.name,
                           quoted(fmt::format("{}", fmt::join(option_names(verb.verb), " "))));
  return fmt::format(R"(# bash completion for reex, made from the tables of the program
_reex() {{
  local current="${{COMP_WORDS[COMP_CWORD]}}" previous="${{COMP_WORDS[COMP_CWORD - 1]}}" verb=run options= word
  for word in "${{COMP_WORDS[@]:1:COMP_CWORD - 1}}"; do
    # What follows are the arguments of the test.
    if [[ $word == -- ]]; then
      COMPREPLY=($(compgen -f -- "$current"))
      return
    fi
  done
  case "$previous" in
{values}  esac
  case "${{COMP_WORDS[1]}}" in
    {verbs}) ((COMP_CWORD > 1)) && verb="${{COMP_WORDS[1]}}" ;;
  esac
  case "$verb" in
{options}  esac
  if [[ $current == -* ]]; then
    COMPREPLY=($(compgen -W "$options" -- "$current"))
  else
    COMPREPLY=($(compgen -f -- "$current"))
    ((COMP_CWORD > 1)) || COMPREPLY+=($(compgen -W {words} -- "$current"))
  fi
}}
complete -o filenames -F _reex reex
)",
                     fmt::arg("values", values), fmt::arg("options", options),
                     fmt::arg("verbs", fmt::format("{}", fmt::join(all_verbs(), "|"))),
                     fmt::arg("words", quoted(fmt::format("{}", fmt::join(all_verbs(), " ")))));
}

std::string zsh_completion() {
  std::string verbs;
  std::string cases;
  for (const VerbRow& verb : verb_table()) {
    verbs += fmt::format("    {}\n", quoted(fmt::format("{}:{}", verb.name, zsh_text(verb.description))));
    cases += fmt::format("    {})\n      options=(\n", verb.name);
    for (const OptionRow& row : option_table()) {
      if (!row.is_option() || !row.belongs_to(verb.verb)) continue;
      for (const std::string& name : names_of(row))
        cases += fmt::format(
            "        {}\n", quoted(fmt::format("{}[{}]{}", name, zsh_text(row.description), zsh_value(row))));
    }
    cases += "        '(-h --help)'{-h,--help}'[this text]'\n      ) ;;\n";
  }
  return fmt::format(R"(#compdef reex
# zsh completion for reex, made from the tables of the program
_reex() {{
  local -a verbs options
  local verb=run
  verbs=(
{verbs}  )
  if ((CURRENT == 2)) && [[ $words[2] != -* ]]; then
    _describe -t commands command verbs
    _files
    return
  fi
  if ((${{verbs[(I)$words[2]:*]}})); then
    verb=$words[2]
    shift words
    ((CURRENT--))
  fi
  case $verb in
{cases}  esac
  _arguments -S $options '*:file:_files'
}}
_reex "$@"
)",
                     fmt::arg("verbs", verbs), fmt::arg("cases", cases));
}

std::string fish_completion() {
  const std::string verbs = fmt::format("{}", fmt::join(all_verbs(), " "));
  std::string text = "# fish completion for reex, made from the tables of the program\n";
  for (const VerbRow& verb : verb_table())
    text += fmt::format("complete -c reex -n __fish_use_subcommand -a {} -d {}\n", verb.name,
                        quoted(verb.description));
  for (const VerbRow& verb : verb_table()) {
    // Without a verb, the options are those of run.
    const std::string when = verb.verb == Verb::run
                                 ? fmt::format("not __fish_seen_subcommand_from {}; or "
                                               "__fish_seen_subcommand_from run",
                                               verbs)
                                 : fmt::format("__fish_seen_subcommand_from {}", verb.name);
    for (const OptionRow& row : option_table()) {
      if (!row.is_option() || !row.belongs_to(verb.verb)) continue;
      std::string line = fmt::format("complete -c reex -n {}", quoted(when));
      for (const std::string& name : names_of(row))
        line += name.starts_with("--") ? " -l " + name.substr(2) : " -s " + name.substr(1);
      const std::vector<std::string> choices = choices_of(row);
      if (!choices.empty())
        line += fmt::format(" -x -a {}", quoted(fmt::format("{}", fmt::join(choices, " "))));
      else if (is_revision(row))
        line += fmt::format(" -x -a {}", quoted(fmt::format("({})", k_revisions)));
      else if (takes_value(row))
        line += is_file(row) ? " -r" : " -x";
      text += fmt::format("{} -d {}\n", line, quoted(row.description));
    }
  }
  return text;
}

} // namespace reex
