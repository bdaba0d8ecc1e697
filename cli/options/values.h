// Turn the texts of options into values. Each function throws UsageError with the option's name, the text,
// and what is accepted.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <string>
#include <utility>
#include <vector>

#include "cli/options/options.h"
#include "cli/terminal/command_error.h"

namespace reex {

// From 0 to 1.
double parse_part(const std::string& name, const std::string& text);
// The number of native runs in "native:5"; 0 for "exact".
unsigned parse_logs(const std::string& name, const std::string& text);
std::uint64_t parse_number(const std::string& name, const std::string& text, std::uint64_t lowest = 0,
                           std::uint64_t highest = UINT64_MAX);
unsigned parse_jobs(const std::string& name, const std::string& text);
std::vector<PortfolioMember> parse_portfolio(const std::string& name, const std::string& text);
// "src/queue.h:8"
std::pair<std::string, unsigned> parse_place(const std::string& name, const std::string& text);
bool parse_flag(const std::string& name, const std::string& text);
std::optional<unsigned> parse_bound(const std::string& name, const std::string& text);
// A number of bytes: "512MiB", "1.5GiB", or a number without a unit. nullopt for "none".
std::optional<std::uint64_t> parse_size(const std::string& name, const std::string& text);
std::string parse_heuristic(const std::string& name, const std::string& text);
SearchStrategy parse_strategy(const std::string& name, const std::string& text);
Races parse_races(const std::string& name, const std::string& text);
Accesses parse_accesses(const std::string& name, const std::string& text);
FormatOptions parse_format(const std::string& name, const std::string& text);

// "--color: 'alwys' is not known: did you mean always? give one of auto, always, never"
[[noreturn]] void throw_unknown(const std::string& name, const std::string& text,
                                const std::vector<std::string>& known);

template <typename T>
T parse_choice(const std::string& name, const std::string& text,
               std::initializer_list<std::pair<const char*, T>> choices) {
  std::vector<std::string> known;
  for (const auto& [word, value] : choices) {
    if (text == word) return value;
    known.emplace_back(word);
  }
  throw_unknown(name, text, known);
}

} // namespace reex
