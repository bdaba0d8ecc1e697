// Splits the words of the command line into the verb, the options, the operands, and the test's own arguments
// after "--". It does not check the values of options.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "cli/options/option_table.h"

namespace reex {

struct CommandLine {
  std::vector<std::string> words; // as the user gave them
  Verb verb = Verb::run;
  bool verb_named = false;
  bool help = false;
  bool version = false;
  std::map<const OptionRow*, std::string> given; // by row; those of a repeated --format are joined
  std::vector<std::string> operands;
  bool operands_after_dashes = false; // run -- PROGRAM
  std::vector<std::string> test_arguments;
};

// `words` does not contain the program's name. Throws UsageError.
CommandLine parse_command_line(const std::vector<std::string>& words);

} // namespace reex
