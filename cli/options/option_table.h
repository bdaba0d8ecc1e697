// The tables of verbs and options. The parser, --help, and the settings of `reex doctor` are made from them.
//
// Thread safety: the tables are constant.
//
// Invariants: a long name occurs once. The text of each default is a value that `apply` accepts. `key` and
// `variable` follow from the long name.
//
// Errors: `apply` throws UsageError with the name, the text, and what is accepted.
#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "cli/options/options.h"

namespace reex {

enum class Verb : std::uint8_t {
  run,
  merge,
  replay,
  minimize,
  promote,
  impact,
  compare,
  list,
  flags,
  doctor,
  hook,
  imunit
};

constexpr unsigned verb_bit(Verb verb) { return 1U << static_cast<unsigned>(verb); }

struct VerbRow {
  Verb verb;
  const char* name;
  const char* operands;    // the text for --help
  const char* description; // one line
};

std::span<const VerbRow> verb_table();

struct OptionRow {
  const char* names;    // "-k,--keep-going"; without hyphens, as "hook.budget", for what is a setting alone
  const char* value;    // "N"; "" for a flag
  const char* group;    // heading in --help
  unsigned verbs;       // verb_bit()s of the verbs that accept it
  bool setting;         // the value may also come from REEX_*, git config and .reex.toml
  const char* fallback; // the default as text; "" for none
  const char* description; // one line
  // Sets the option. `name` is the name that the user used ("--bound", "REEX_BOUND"), for error messages.
  void (*apply)(Options& options, const std::string& name, const std::string& text);

  std::string long_name() const;    // "--keep-going"; "hook.budget"
  std::string key() const;          // "keep-going"
  std::string variable() const;     // "REEX_KEEP_GOING"
  bool belongs_to(Verb verb) const; // `doctor` shows all settings
  bool is_option() const;           // the command line accepts it
  bool is_path() const;             // the value is the path of a file or folder
};

std::span<const OptionRow> option_table();

} // namespace reex
