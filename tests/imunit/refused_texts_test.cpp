// Generated texts against a second recognizer of the language, which shares nothing with the parser: Earley's
// algorithm on a table of the grammar. A text is wrong at the first token behind which no schedule can go on.
#include <array>
#include <random>
#include <set>
#include <string>
#include <tuple>
#include <vector>

#include <gtest/gtest.h>

#include "reex/imunit/schedule.h"

namespace reex::imunit {
namespace {

// Terminals: i name, S start, E end, A ->, n number, q quoted thread, and the signs themselves. Others are
// rules.
struct Rule {
  char left;
  const char* right;
};
constexpr Rule k_rules[] = {
    {'s', ""},    {'s', "z"},   {'z', "o"},   {'z', "o,z"},               // orderings
    {'o', "cAb"},                                                         // one
    {'c', "j"},   {'c', "j|c"}, {'j', "p"},   {'j', "p&j"},               // conditions
    {'p', "b"},   {'p', "[k]"}, {'p', "(c)"},                             //
    {'b', "mht"}, {'b', "S@T"}, {'b', "E@T"}, {'k', "mht"}, {'k', "S@T"}, // events; in a block, no end@t
    {'m', "i"},   {'m', "w.v"}, {'v', "w"},   {'v', "w.v"},               // names
    {'w', "i"},   {'w', "S"},   {'w', "E"},                               //
    {'h', ""},    {'h', "#n"},  {'t', ""},    {'t', "@T"},                //
    {'T', "i"},   {'T', "S"},   {'T', "E"},   {'T', "q"},
};

struct Item {
  std::size_t rule;
  std::size_t dot;
  std::size_t origin;
  auto operator<=>(const Item&) const = default;
};

bool is_rule(char sign) {
  for (const Rule& rule : k_rules)
    if (rule.left == sign) return true;
  return false;
}

// How many tokens are a beginning of some schedule; one more if all are, and they are a whole one.
std::size_t right_tokens(const std::string& tokens) {
  std::vector<std::vector<Item>> chart(tokens.size() + 1);
  const auto add = [&](std::size_t at, const Item& item) {
    for (const Item& each : chart[at])
      if (each == item) return;
    chart[at].push_back(item);
  };
  add(0, {0, 0, 0});
  add(0, {1, 0, 0});
  for (std::size_t at = 0; at <= tokens.size(); ++at) {
    if (chart[at].empty()) return at - 1;
    // Until nothing is new: rules may be empty.
    for (std::size_t size = 0; size != chart[at].size();) {
      size = chart[at].size();
      for (std::size_t i = 0; i < chart[at].size(); ++i) {
        const Item item = chart[at][i];
        const char next = k_rules[item.rule].right[item.dot];
        if (next == 0) {
          for (std::size_t j = 0; j < chart[item.origin].size(); ++j) {
            const Item waits = chart[item.origin][j];
            if (k_rules[waits.rule].right[waits.dot] == k_rules[item.rule].left)
              add(at, {waits.rule, waits.dot + 1, waits.origin});
          }
        } else if (is_rule(next)) {
          for (std::size_t rule = 0; rule < std::size(k_rules); ++rule)
            if (k_rules[rule].left == next) add(at, {rule, 0, at});
        } else if (at < tokens.size() && tokens[at] == next) {
          add(at + 1, {item.rule, item.dot + 1, item.origin});
        }
      }
    }
  }
  for (const Item& item : chart[tokens.size()])
    if (item.origin == 0 && k_rules[item.rule].left == 's' && k_rules[item.rule].right[item.dot] == 0)
      return tokens.size() + 1;
  return tokens.size();
}

struct Text {
  std::string text;
  std::vector<unsigned> columns; // of the tokens, from 1
};

// Names are different in one text.
Text written(const std::string& tokens, std::mt19937& random) {
  Text result;
  unsigned names = 0;
  for (const char token : tokens) {
    // Words that stand beside each other would be one.
    const bool word = std::string("iSEn").find(token) != std::string::npos;
    const bool behind_word =
        !result.text.empty() && std::isalnum(static_cast<unsigned char>(result.text.back())) != 0;
    if ((word && behind_word) || random() % 4 == 0) result.text += random() % 8 == 0 ? '\n' : ' ';
    result.columns.push_back(static_cast<unsigned>(result.text.size()) + 1);
    switch (token) {
    case 'i':
      result.text += "n" + std::to_string(++names);
      break;
    case 'S':
      result.text += "start";
      break;
    case 'E':
      result.text += "end";
      break;
    case 'A':
      result.text += "->";
      break;
    case 'n':
      result.text += std::to_string(1 + random() % 9);
      break;
    case 'q':
      result.text += "\"t" + std::to_string(++names) + "\"";
      break;
    case '&':
    case '|':
      result.text += std::string(2, token);
      break;
    case '.':
      result.text += random() % 2 == 0 ? "." : "::";
      break;
    default:
      result.text += token;
    }
  }
  result.columns.push_back(static_cast<unsigned>(result.text.size()) + 1);
  return result;
}

std::string right_schedule(char sign, std::mt19937& random, unsigned depth = 0) {
  if (!is_rule(sign)) return {sign};
  std::vector<const char*> choices;
  for (const Rule& rule : k_rules)
    if (rule.left == sign) choices.push_back(rule.right);
  const char* const choice = choices[depth > 6 ? 0 : random() % choices.size()];
  std::string result;
  for (const char* each = choice; *each != 0; ++each) result += right_schedule(*each, random, depth + 1);
  return result;
}

// Where the message points instead of at the token that does not fit: at a bracket that is not closed, and at
// the word `start` or `end` that has no thread, or is in a block.
unsigned pointed_at(const std::string& tokens, std::size_t wrong, const std::vector<unsigned>& columns) {
  if (wrong == tokens.size()) {
    const bool complete = tokens.empty() || std::string("iSEnq]").find(tokens.back()) != std::string::npos ||
                          tokens.back() == ')';
    const bool word =
        !tokens.empty() && (tokens.back() == 'S' || tokens.back() == 'E') &&
        (tokens.size() < 2 || (tokens[tokens.size() - 2] != '@' && tokens[tokens.size() - 2] != '.'));
    std::vector<std::size_t> open;
    for (std::size_t i = 0; i < tokens.size(); ++i) {
      if (tokens[i] == '(' || tokens[i] == '[') open.push_back(i);
      if (tokens[i] == ')' || tokens[i] == ']') open.pop_back();
    }
    if (complete && !word && !open.empty()) return columns[open.back()];
  }
  if (wrong > 0 && (tokens[wrong - 1] == 'S' || tokens[wrong - 1] == 'E')) {
    const bool name = wrong > 1 && (tokens[wrong - 2] == '@' || tokens[wrong - 2] == '.');
    const bool number = wrong < tokens.size() && tokens[wrong] == '#';
    if (!name && !number) return columns[wrong - 1];
  }
  return columns[wrong];
}

TEST(RefusedTexts, AreThoseOfTheGrammarWithTheColumn) {
  const std::string alphabet = "iSEAnq&|()[]#@.,";
  std::mt19937 random(7);
  std::set<std::string> refused;
  unsigned accepted = 0;
  for (unsigned round = 0; round < 20000; ++round) {
    std::string tokens = right_schedule(random() % 8 == 0 ? 's' : 'z', random);
    if (tokens.size() > 60) continue;
    for (unsigned changes = random() % 3; changes != 0 && !tokens.empty(); --changes) {
      const std::size_t at = random() % tokens.size();
      const char other = alphabet[random() % alphabet.size()];
      if (random() % 3 == 0)
        tokens.erase(at, 1);
      else if (random() % 2 == 0)
        tokens.insert(tokens.begin() + static_cast<std::ptrdiff_t>(at), other);
      else
        tokens[at] = other;
    }
    const Text text = written(tokens, random);
    const ParsedSchedule parsed = parse(text.text.data(), static_cast<unsigned>(text.text.size()));
    // Threads and names of the words start and end may come twice, and form a cycle.
    const std::string message = parsed.ok() ? "" : parsed.error.message;
    if (message.find("itself") != std::string::npos || message.find("cycle") != std::string::npos) continue;
    const std::size_t right = right_tokens(tokens);
    if (right > tokens.size()) {
      ASSERT_TRUE(parsed.ok()) << text.text << '\n' << parsed.error.column << ": " << parsed.error.message;
      ++accepted;
      continue;
    }
    ASSERT_FALSE(parsed.ok()) << text.text;
    ASSERT_EQ(parsed.error.column, pointed_at(tokens, right, text.columns)) << text.text << '\n'
                                                                            << tokens << '\n'
                                                                            << parsed.error.message;
    refused.insert(tokens);
  }
  EXPECT_GT(accepted, 3000U);
  EXPECT_GT(refused.size(), 5000U);
  RecordProperty("accepted", static_cast<int>(accepted));
  RecordProperty("refused", static_cast<int>(refused.size()));
}

} // namespace
} // namespace reex::imunit
