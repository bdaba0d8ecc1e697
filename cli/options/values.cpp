#include "cli/options/values.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <climits>
#include <sstream>
#include <string_view>
#include <thread>

#include "cli/options/similar.h"
#include "heuristics/table.h"
#include "reex/search/search.h"

namespace reex {

std::uint64_t parse_number(const std::string& name, const std::string& text, std::uint64_t lowest,
                           std::uint64_t highest) {
  std::uint64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  const bool whole = error == std::errc() && end == text.data() + text.size();
  if (!whole || number < lowest || number > highest) {
    const bool option = name.starts_with('-');
    throw UsageError(fmt::format("{}: '{}' is not a whole number{}: give one, as {}{}", name, text,
                                 whole ? fmt::format(" from {} to {}", lowest, highest) : "",
                                 option ? "in " + name + ' ' : "", lowest));
  }
  return number;
}

double parse_part(const std::string& name, const std::string& text) {
  double number = -1;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error == std::errc() && end == text.data() + text.size() && number >= 0 && number <= 1) return number;
  throw UsageError(fmt::format("{}: '{}' is no part: give a number from 0 to 1, as 0.5", name, text));
}

unsigned parse_logs(const std::string& name, const std::string& text) {
  const std::string native = "native:";
  if (text == "exact") return 0;
  if (!text.starts_with(native))
    throw UsageError(fmt::format("{}: '{}' is not known: give exact, or native:5 for five runs", name, text));
  return static_cast<unsigned>(parse_number(name, text.substr(native.size()), 1, 1000));
}

unsigned parse_jobs(const std::string& name, const std::string& text) {
  const auto jobs = static_cast<unsigned>(parse_number(name, text, 0, k_max_workers));
  return jobs != 0 ? jobs : std::clamp(std::thread::hardware_concurrency(), 1u, k_max_workers);
}

void throw_unknown(const std::string& name, const std::string& text, const std::vector<std::string>& known) {
  std::string accepted;
  for (const std::string& word : known) accepted += (accepted.empty() ? "" : ", ") + word;
  const std::string similar = did_you_mean(text, known, "");
  throw UsageError(fmt::format("{}: '{}' is not known: {}give one of {}", name, text,
                               similar.empty() ? "" : similar + ' ', accepted));
}

namespace {

// A member of a portfolio that is no heuristic.
SearchStrategy parse_member_strategy(const std::string& name, const std::string& text) {
  std::vector<std::string> known;
  for (const StrategyRow& row : strategies()) {
    if (row.name == text) return row.strategy;
    known.emplace_back(row.name);
  }
  for (const Heuristic& row : heuristics()) known.emplace_back(row.name);
  throw UsageError(fmt::format("{}: '{}' is neither a heuristic nor a strategy: {}", name, text,
                               did_you_mean(text, known, "reex list names them")));
}

} // namespace

std::vector<PortfolioMember> parse_portfolio(const std::string& name, const std::string& text) {
  std::vector<PortfolioMember> members;
  std::istringstream list(text);
  for (std::string item; std::getline(list, item, ',');) {
    PortfolioMember member;
    member.name = item;
    const std::size_t colon = item.find(':');
    const std::string what = item.substr(0, colon);
    if (colon != std::string::npos) member.seed = parse_number(name, item.substr(colon + 1));
    if (const auto heuristic = canonical_heuristics(what))
      member.heuristic = *heuristic;
    else
      member.strategy = parse_member_strategy(name, what);
    members.push_back(member);
  }
  if (members.size() < 2 || members.size() > k_max_workers)
    throw UsageError(
        fmt::format("{}: give 2 to {} heuristics or strategies, as LOA,icb,pos:7", name, k_max_workers));
  return members;
}

std::pair<std::string, unsigned> parse_place(const std::string& name, const std::string& text) {
  const std::size_t colon = text.rfind(':');
  if (colon == 0 || colon == std::string::npos)
    throw UsageError(name + ": '" + text + "' is no place: give FILE:LINE, as src/queue.h:8");
  return {text.substr(0, colon),
          static_cast<unsigned>(parse_number(name, text.substr(colon + 1), 1, UINT_MAX))};
}

bool parse_flag(const std::string& name, const std::string& text) {
  return parse_choice<bool>(name, text,
                            {{"true", true},
                             {"false", false},
                             {"1", true},
                             {"0", false},
                             {"yes", true},
                             {"no", false},
                             {"on", true},
                             {"off", false}});
}

std::optional<unsigned> parse_bound(const std::string& name, const std::string& text) {
  if (text == "none") return std::nullopt;
  // No execution has enough steps for more preemptions.
  constexpr std::uint64_t k_highest = 1'000'000;
  std::uint64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end != text.data() + text.size() || number > k_highest) {
    throw UsageError(fmt::format("{}: '{}' is no bound: give a number of preemptions, or none", name, text));
  }
  return static_cast<unsigned>(number);
}

std::optional<std::uint64_t> parse_size(const std::string& name, const std::string& text) {
  if (text == "none") return std::nullopt;
  constexpr std::pair<std::string_view, unsigned> k_units[] = {
      {"", 0}, {"KiB", 10}, {"MiB", 20}, {"GiB", 30}};
  constexpr double k_highest = 0x1p60;
  double number = 0;
  const char* last = text.data() + text.size();
  const auto [end, error] = std::from_chars(text.data(), last, number, std::chars_format::fixed);
  for (const auto& [unit, shift] : k_units) {
    if (error != std::errc() || std::string_view(end, static_cast<std::size_t>(last - end)) != unit) continue;
    const double bytes = number * static_cast<double>(std::uint64_t{1} << shift);
    if (bytes >= 1 && bytes <= k_highest) return static_cast<std::uint64_t>(bytes);
  }
  throw UsageError(fmt::format("{}: '{}' is no size: give one as in 500MiB or 4GiB, or none", name, text));
}

std::string parse_heuristic(const std::string& name, const std::string& text) {
  if (is_auto_heuristic(text)) return text;
  if (const auto found = canonical_heuristics(text)) return *found;
  if (text.find('+') != std::string::npos)
    throw UsageError(fmt::format("{}: '{}' are not heuristics: give up to {} different ones but Basic, as "
                                 "LOA+FA; reex list heuristics names them",
                                 name, text, k_most_rules));
  std::vector<std::string> known{std::string(k_auto_heuristic)};
  for (const Heuristic& row : heuristics()) known.emplace_back(row.name);
  throw UsageError(fmt::format("{}: there is no heuristic '{}': {}", name, text,
                               did_you_mean(text, known, "reex list heuristics names them")));
}

SearchStrategy parse_strategy(const std::string& name, const std::string& text) {
  std::vector<std::string> known;
  for (const StrategyRow& row : strategies()) {
    if (row.name == text) return row.strategy;
    known.emplace_back(row.name);
  }
  throw_unknown(name, text, known);
}

Races parse_races(const std::string& name, const std::string& text) {
  return parse_choice<Races>(
      name, text,
      {{"off", Races::off}, {"report", Races::report}, {"changed", Races::changed}, {"fail", Races::fail}});
}

Accesses parse_accesses(const std::string& name, const std::string& text) {
  return parse_choice<Accesses>(name, text,
                                {{"sync", Accesses::sync}, {"racy", Accesses::racy}, {"all", Accesses::all}});
}

namespace {

constexpr std::pair<std::string_view, ReportKind> k_report_kinds[] = {
    {"json", ReportKind::json},   {"jsonl", ReportKind::jsonl},       {"junit", ReportKind::junit},
    {"sarif", ReportKind::sarif}, {"markdown", ReportKind::markdown}, {"html", ReportKind::html},
    {"shown", ReportKind::shown},
};

// nullopt for what is no format.
std::optional<ReportFile> parse_report_file(const std::string& text) {
  if (text == "github") return ReportFile{ReportKind::github, "-"};
  const std::size_t colon = text.find(':');
  if (colon == std::string::npos || colon + 1 == text.size()) return std::nullopt;
  for (const auto& [name, kind] : k_report_kinds)
    if (text.substr(0, colon) == name) return ReportFile{kind, text.substr(colon + 1)};
  return std::nullopt;
}

} // namespace

FormatOptions parse_format(const std::string& name, const std::string& text) {
  FormatOptions format;
  bool text_named = false;
  for (std::size_t begin = 0; begin <= text.size();) {
    const std::size_t comma = std::min(text.find(',', begin), text.size());
    const std::string one = text.substr(begin, comma - begin);
    begin = comma + 1;
    if (one == "text") {
      text_named = true;
    } else if (const auto file = parse_report_file(one)) {
      format.files.push_back(*file);
    } else {
      throw UsageError(fmt::format("{}: '{}' is no format: give text, github, or one of json, jsonl, junit, "
                                   "sarif, markdown and html with :PATH (- is standard output)",
                                   name, one));
    }
  }
  // GitHub's lines may stand among others; the other formats are documents, which have it for themselves.
  const auto wants_output = [](const ReportFile& file) {
    return file.path == "-" && file.kind != ReportKind::github;
  };
  const auto first = std::find_if(format.files.begin(), format.files.end(), wants_output);
  if (first == format.files.end()) return format;
  const bool lines = std::any_of(format.files.begin(), format.files.end(),
                                 [](const ReportFile& file) { return file.kind == ReportKind::github; });
  const bool second = std::any_of(first + 1, format.files.end(), wants_output);
  if (text_named || lines || second) {
    const auto row = std::find_if(std::begin(k_report_kinds), std::end(k_report_kinds),
                                  [&](const auto& kind) { return kind.second == first->kind; });
    throw UsageError(fmt::format("{}: {} and {}:- both want standard output: give {} a path", name,
                                 text_named ? "text"
                                 : lines    ? "github"
                                            : "another format",
                                 row->first, row->first));
  }
  format.text = false;
  return format;
}

} // namespace reex
