#include "reex/frameworks/lists.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <map>
#include <utility>

namespace reex {
namespace {

// Takes the next line off the text, without its end.
std::string_view next_line(std::string_view& text) {
  const std::size_t newline = text.find('\n');
  std::string_view line = text.substr(0, newline);
  text.remove_prefix(newline == std::string_view::npos ? text.size() : newline + 1);
  if (line.ends_with('\r')) line.remove_suffix(1);
  return line;
}

bool is_name(std::string_view text, std::string_view also) {
  return !text.empty() && std::all_of(text.begin(), text.end(), [&](char c) {
    const bool plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
    return plain || static_cast<unsigned char>(c) >= 0x80 || also.find(c) != std::string_view::npos;
  });
}

struct Line {
  std::string_view name;
  std::string_view comment;
};

// Splits "name  # comment". GoogleTest puts two blanks and a number sign between them.
Line split_comment(std::string_view line) {
  constexpr std::string_view k_separator = "  # ";
  const std::size_t at = line.find(k_separator);
  if (at == std::string_view::npos) return {line, {}};
  return {line.substr(0, at), line.substr(at + k_separator.size())};
}

bool starts_disabled(std::string_view name) {
  return name.starts_with("DISABLED_") || name.find("/DISABLED_") != std::string_view::npos;
}

std::string without_entities(std::string_view text) {
  constexpr std::array<std::pair<std::string_view, char>, 5> k_entities = {
      {{"&lt;", '<'}, {"&gt;", '>'}, {"&amp;", '&'}, {"&quot;", '"'}, {"&apos;", '\''}}};
  std::string plain;
  while (!text.empty()) {
    const auto* const entity = std::find_if(k_entities.begin(), k_entities.end(),
                                            [&](const auto& one) { return text.starts_with(one.first); });
    const bool found = entity != k_entities.end();
    plain += found ? entity->second : text.front();
    text.remove_prefix(found ? entity->first.size() : 1);
  }
  return plain;
}

// What stands between the next `begin` and the `end` behind it. The text is moved behind both; nullopt at the
// end of the text.
std::optional<std::string_view> next_between(std::string_view& text, std::string_view begin,
                                             std::string_view end) {
  const std::size_t at = text.find(begin);
  if (at == std::string_view::npos) return {};
  const std::size_t from = at + begin.size();
  const std::size_t to = text.find(end, from);
  if (to == std::string_view::npos) return {};
  const std::string_view between = text.substr(from, to - from);
  text.remove_prefix(to + end.size());
  return between;
}

// A framework runs cases of the same name together.
void add_once(std::vector<TestCase>& cases, TestCase one) {
  const auto same =
      std::find_if(cases.begin(), cases.end(), [&](const TestCase& other) { return other.name == one.name; });
  if (same == cases.end()) cases.push_back(std::move(one));
}

} // namespace

// GoogleTest's list has no head: everything that looks like one is a list.
CaseList parse_googletest_list(const ListAnswer& answer) {
  std::string_view text = answer.standard_output;
  std::vector<TestCase> cases;
  std::string suite;
  std::string suite_parameter;
  while (!text.empty()) {
    const Line parts = split_comment(next_line(text));
    if (parts.name.ends_with('.') && is_name(parts.name.substr(0, parts.name.size() - 1), "/")) {
      suite = parts.name;
      suite_parameter = parts.comment;
    } else if (!suite.empty() && parts.name.starts_with("  ") && is_name(parts.name.substr(2), "/<>,-")) {
      const std::string name(parts.name.substr(2));
      cases.push_back({suite + name, parts.comment.empty() ? suite_parameter : std::string(parts.comment),
                       starts_disabled(suite) || starts_disabled(name)});
    }
  }
  return cases;
}

CaseList parse_catch2_list(const ListAnswer& answer) {
  std::string_view text = answer.standard_output;
  if (text.find("<MatchingTests") == std::string_view::npos) return {};
  std::vector<TestCase> cases;
  while (const auto name = next_between(text, "<Name>", "</Name>"))
    add_once(cases, {without_entities(*name), "", false});
  return cases;
}

// A line is "name<TAB>@file:line", and the exit status is the number of cases.
CaseList parse_catch2_v2_list(const ListAnswer& answer) {
  constexpr int k_statuses = 256;
  std::string_view text = answer.standard_output;
  std::vector<TestCase> cases;
  int count = 0;
  while (!text.empty()) {
    const std::string_view line = next_line(text);
    const std::size_t at = line.rfind("\t@");
    if (at == std::string_view::npos) continue;
    std::string_view name = line.substr(0, at);
    if (name.starts_with("\"#") && name.ends_with('"')) name = name.substr(1, name.size() - 2);
    ++count;
    add_once(cases, {std::string(name), "", false});
  }
  if (count % k_statuses != answer.status) return {};
  return cases;
}

CaseList parse_doctest_list(const ListAnswer& answer) {
  std::string_view text = answer.standard_output;
  if (text.find("<doctest ") == std::string_view::npos) return {};
  std::vector<TestCase> cases;
  while (const auto element = next_between(text, "<TestCase ", "/>\n")) {
    // A case without a name cannot be chosen: its element has no such attribute.
    constexpr std::string_view k_name = "name=\"";
    const bool named = element->starts_with(k_name);
    const std::string_view rest = named ? element->substr(k_name.size()) : *element;
    add_once(cases, {named ? without_entities(rest.substr(0, rest.find('"'))) : "", "", !named});
  }
  return cases;
}

// A line for each suite and case, and one from each parent to each child. The numbers of cases begin at
// 65,536, above those of suites; the first suite is the whole program, and no part of names.
CaseList parse_boost_list(const ListAnswer& answer) {
  constexpr std::string_view k_label = ",label=\"";
  constexpr std::string_view k_edge = " -> tu";
  constexpr unsigned k_first_case = 0x10000;
  std::string_view text = answer.standard_error;
  if (text.find("digraph G") == std::string_view::npos) text = answer.standard_output;
  if (text.find("digraph G") == std::string_view::npos) return {};
  struct Unit {
    std::string name;
    unsigned parent = 0;
    bool enabled = false;
  };
  std::map<unsigned, Unit> units;
  std::vector<unsigned> order;
  const auto number = [](std::string_view digits) {
    unsigned value = 0;
    std::from_chars(digits.data(), digits.data() + digits.size(), value);
    return value;
  };
  while (!text.empty()) {
    const std::string_view line = next_line(text);
    if (!line.starts_with("tu")) continue;
    if (const std::size_t edge = line.find(k_edge); edge != std::string_view::npos && line.ends_with(';')) {
      units[number(line.substr(edge + k_edge.size()))].parent = number(line.substr(2));
    } else if (const std::size_t label = line.find(k_label); label != std::string_view::npos) {
      const std::string_view name = line.substr(label + k_label.size());
      Unit& unit = units[number(line.substr(2))];
      unit.name = name.substr(0, name.find('|'));
      unit.enabled = line.substr(0, label).find("color=green") != std::string_view::npos;
      order.push_back(number(line.substr(2)));
    }
  }
  std::vector<TestCase> cases;
  for (const unsigned id : order) {
    if (id < k_first_case) continue;
    TestCase one{units[id].name, "", !units[id].enabled};
    constexpr unsigned k_deepest = 100;
    unsigned depth = 0;
    for (unsigned suite = units[id].parent; units[suite].parent != 0 && depth < k_deepest; ++depth) {
      one.name.insert(0, units[suite].name + "/");
      suite = units[suite].parent;
    }
    add_once(cases, one);
  }
  return cases;
}

// A line is "function()". A program that does not hand its arguments on runs its tests.
CaseList parse_qt_test_list(const ListAnswer& answer) {
  std::string_view text = answer.standard_output;
  if (answer.status != 0 || text.find("********* Start testing of ") != std::string_view::npos) return {};
  std::vector<TestCase> cases;
  while (!text.empty()) {
    const std::string_view line = next_line(text);
    if (line.ends_with("()") && is_name(line.substr(0, line.size() - 2), ""))
      add_once(cases, {std::string(line.substr(0, line.size() - 2)), "", false});
  }
  if (cases.empty()) return {};
  return cases;
}

// One line, "group.name group.name", without an end. Before it there may be what the program prints.
CaseList parse_cpputest_list(const ListAnswer& answer) {
  if (answer.status != 0) return {};
  std::string_view text = answer.standard_output;
  CaseList cases;
  while (!text.empty()) {
    std::vector<TestCase> of_line;
    std::string_view line = next_line(text);
    bool is_list = !line.empty();
    while (is_list && !line.empty()) {
      const std::string_view word = line.substr(0, line.find(' '));
      line.remove_prefix(std::min(line.size(), word.size() + 1));
      const std::size_t dot = word.find('.');
      is_list = dot != std::string_view::npos && is_name(word.substr(0, dot), "") &&
                is_name(word.substr(dot + 1), "");
      add_once(of_line, {std::string(word), "", false});
    }
    if (is_list) cases = of_line;
  }
  return cases;
}

CaseList parse_no_list(const ListAnswer& /*answer*/) { return {}; }

} // namespace reex
