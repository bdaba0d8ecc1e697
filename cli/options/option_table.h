// The one table of options: it makes the parser, --help, and the settings of `reex doctor`.
#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "cli/options/options.h"

namespace reex {

enum class Verb : std::uint8_t { run, merge, replay, minimize, impact, list, flags, doctor };

constexpr unsigned verb_bit(Verb verb) { return 1U << static_cast<unsigned>(verb); }

struct VerbRow {
  Verb verb;
  const char* name;
  const char* operands;    // as --help shows them
  const char* description; // one line
};

std::span<const VerbRow> verb_table();

struct OptionRow {
  const char* names;       // "-k,--keep-going"
  const char* value;       // "N"; "" for a flag
  const char* group;       // heading in --help
  unsigned verbs;          // verb_bit()s of the verbs that take it
  bool setting;            // may come from REEX_* and git config, too
  const char* fallback;    // the default as text, "" for none
  const char* description; // one line
  // `name` is how the user gave it ("--bound", "REEX_BOUND"), for errors.
  void (*apply)(Options& options, const std::string& name, const std::string& text);

  std::string long_name() const; // "--keep-going"
  std::string key() const;       // "keep-going"
  std::string variable() const;  // "REEX_KEEP_GOING"
};

std::span<const OptionRow> option_table();

} // namespace reex
