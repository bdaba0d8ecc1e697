// What reex has to know of each test framework: how a program that uses it is recognized, how it lists its
// cases and runs one of them, and what it prints of a check that fails. A new framework is a row here and a
// mark in framework.h.
//
// Nothing is executed here: the rows are data, and functions from texts to texts.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "reex/frameworks/framework.h"

namespace reex {

struct TestCase {
  std::string name;      // full name, as the framework writes it: "Suite.Case", "suite/case", "what it does"
  std::string parameter; // GoogleTest: "GetParam() = 4" or "TypeParam = int", as it prints it; or ""
  bool disabled = false; // left out of a run unless the user asks for it by the framework's own means
};

// What a program answered when it was asked for its cases.
struct ListAnswer {
  std::string_view standard_output;
  std::string_view standard_error;
  int status = 0;
};

struct FrameworkRow {
  Framework framework;
  const char* name; // "GoogleTest"
  const char* kind; // of a failure that it reports; and its name in files
  // How it is recognized. `symbols`: parts of mangled names, one of which its tests refer to or contain.
  // `library`: the beginning of the name of its shared library. `text`: what its code contains and a program
  // without a symbol table still shows.
  std::vector<std::string_view> symbols;
  std::string_view library; // "" for none
  std::string_view text;
  // How it lists its cases. With `all`, it lists those that are disabled, too; empty: the list marks them.
  std::vector<std::string> list;
  std::vector<std::string> all;
  // nullopt: the answer is no list of this framework. A framework without `list` cannot be asked.
  std::optional<std::vector<TestCase>> (*parse)(const ListAnswer& answer);
  // The arguments that run the case with this name.
  std::vector<std::string> (*choose)(std::string_view name);
  // The arguments that choose the case but run nothing of it, and what the program then writes to standard
  // error if it cannot run it alone. nullptr: whoever lists a case can run it.
  std::vector<std::string> (*choose_nothing)(std::string_view name);
  std::string_view cannot_choose;
  bool choose_behind; // behind the arguments of the user, and not before them
  bool is_pattern;    // what chooses a case is a pattern: it may fit other cases, too
  // How a line begins that does not belong to a failed check any more. A blank line does not either.
  std::vector<std::string_view> frame;
  bool dense; // a failed check may follow another one without a blank line
};

std::span<const FrameworkRow> frameworks();

// nullptr for Framework::none.
const FrameworkRow* row_of(Framework framework);

// By FrameworkRow::kind; none if nothing has this name.
Framework framework_of_kind(std::string_view kind);

// The arguments of a test: the user's, and those that choose the case. With an empty name, the user's alone.
std::vector<std::string> arguments_of_case(Framework framework, const std::string& name,
                                           const std::vector<std::string>& arguments);

// The first failed check in the output, as the framework prints it, without colours: its place, and the lines
// that belong to it. "" if there is none.
std::string failed_check_text(Framework framework, std::string_view standard_output);

// Whether a file or library is the framework's own code, by its path. What it holds is the results of its
// own checks.
bool is_framework_library(std::string_view file_name);
bool is_framework_source(std::string_view path);

} // namespace reex
