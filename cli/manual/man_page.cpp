#include "cli/manual/man_page.h"

#include <fmt/format.h>

#include <string_view>
#include <utility>

#include "cli/manual/choices.h"
#include "cli/options/option_table.h"
#include "reex/run/version.h"

namespace reex {
namespace {

constexpr std::pair<int, const char*> k_statuses[] = {
    {0, "Nothing failed within the bound that the report names."},
    {1, "A schedule fails, or a finding counts."},
    {2, "Wrong usage, or a wrong setting."},
    {3, "Inconclusive: executions came to no end of their own; with --strict also: not all was explored."},
    {4, "The test does not start by itself either, or the base fails in the same way."},
    {5, "The test is not under control."},
    {6, "The base or the change cannot be resolved."},
    {7, "A replay diverged."},
    {70, "An error of reex, or the test has overwritten memory of reex."},
    {130, "Interrupted. The reports so far are written."},
};

constexpr const char* k_files = R"(.TP
.I .reex/failures/*.reex
Schedules that failed, for
.BR "reex replay" .
.TP
.I .reex/runs/
The state of runs that can be resumed.
.TP
.I .reex.toml
Settings, tests and suppressions of a project, at the root of its repository.
)";

// A line that begins with a dot or an apostrophe would be a request; a hyphen would be a typographic one.
std::string escaped(std::string_view text) {
  std::string result;
  for (const char c : text) {
    if (c == '\\') {
      result += "\\e";
    } else if (c == '-') {
      result += "\\-";
    } else {
      result += c;
    }
  }
  return result.starts_with('.') || result.starts_with('\'') ? "\\&" + result : result;
}

std::string sentence(std::string_view text) {
  std::string result = escaped(text);
  if (!result.empty() && result[0] >= 'a' && result[0] <= 'z') result[0] = static_cast<char>(result[0] - 32);
  return result + '.';
}

std::string verbs() {
  std::string text = ".SH COMMANDS\n";
  for (const VerbRow& row : verb_table())
    text += fmt::format(".TP\n.B reex {}\\fR [\\fIoptions\\fR] {}\n{}\n", row.name, escaped(row.operands),
                        sentence(row.description));
  return text;
}

std::string verbs_of(const OptionRow& row) {
  std::string names;
  for (const VerbRow& verb : verb_table())
    if (row.belongs_to(verb.verb)) names += (names.empty() ? "" : ", ") + std::string(verb.name);
  return names;
}

std::string option(const OptionRow& row) {
  std::string heading;
  for (const std::string& name : names_of(row)) {
    heading += (heading.empty() ? "" : ", ") + fmt::format("\\fB{}\\fR", escaped(name));
    if (*row.value != '\0' && name.starts_with("--"))
      heading += fmt::format(" \\fI{}\\fR", escaped(row.value));
  }
  std::string text = fmt::format(".TP\n{}\n{}", heading, sentence(row.description));
  if (const std::string_view value = row.fallback; !value.empty() && value != "false")
    text += fmt::format(" Default: {}.", escaped(value));
  text += fmt::format(" ({}", verbs_of(row));
  if (row.setting) text += "; " + row.variable();
  return text + ")\n";
}

std::string options() {
  std::string text = ".SH OPTIONS\n";
  std::string group;
  for (const OptionRow& row : option_table()) {
    if (!row.is_option()) continue;
    if (group != row.group) text += fmt::format(".SS {}\n", escaped(row.group));
    group = row.group;
    text += option(row);
  }
  return text;
}

std::string statuses() {
  std::string text = ".SH EXIT STATUS\n";
  for (const auto& [status, what] : k_statuses)
    text += fmt::format(".TP\n.B {}\n{}\n", status, escaped(what));
  return text;
}

} // namespace

std::string man_page() {
  return fmt::format(
             ".\\\" Made from the tables of the program.\n"
             ".TH REEX 1 \"\" \"reex {}\" \"User Commands\"\n"
             ".SH NAME\nreex \\- find the thread schedules under which a C++ test fails\n"
             ".SH SYNOPSIS\n.B reex\n[\\fIoptions\\fR] \\fITEST_BINARY\\fR [\\-\\- \\fIarguments\\fR]\n.br\n"
             ".B reex\n\\fICOMMAND\\fR [\\fIoptions\\fR] ...\n"
             ".SH DESCRIPTION\n"
             "reex executes a test again and again, and decides at each lock, atomic operation and "
             "condition\n"
             "variable which thread runs next. It explores the schedules in the order of their preemptions.\n"
             "Given a commit\n(\\fB\\-\\-base\\fR), it first tries the schedules that preempt a thread where "
             "the commit has an impact.\nEach schedule that fails is written to a file, from which it can be "
             "replayed.\n",
             version()) +
         verbs() + options() +
         ".SH SETTINGS\nAn option beats its environment variable (\\fBREEX_*\\fR), that the configuration of "
         "git\n(\\fBreex.*\\fR), and that the file \\fI.reex.toml\\fR at the root of the repository.\n"
         ".B reex doctor\nshows each setting and its origin, and what the machine and a test lack.\n" +
         statuses() + ".SH FILES\n" + k_files + ".SH SEE ALSO\n.BR git (1),\n.BR gdb (1)\n";
}

} // namespace reex
