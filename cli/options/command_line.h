// The words of the command line, sorted: the verb, the options given, the operands, and the test's own
// arguments after
// "--". Values are not looked at yet.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "cli/options/option_table.h"

namespace reex {

struct CommandLine {
  std::vector<std::string> words; // as they were given
  Verb verb = Verb::run;
  bool verb_named = false;
  bool help = false;
  bool version = false;
  std::map<const OptionRow*, std::string> given; // by row; a repeated list is joined by commas
  std::vector<std::string> operands;
  std::vector<std::string> test_arguments;
};

// `words` without the program's name. Throws UsageError.
CommandLine parse_command_line(const std::vector<std::string>& words);

} // namespace reex
