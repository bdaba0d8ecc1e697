// The language of schedules: what is accepted and printed back, what is refused and where, and that no text
// makes the parser fail.
#include <random>
#include <string>

#include <gtest/gtest.h>

#include "reex/imunit/schedule.h"

namespace reex::imunit {
namespace {

std::string printed(const ParsedSchedule& schedule) {
  char text[2 * k_max_text];
  Printer(schedule, text, sizeof text).whole();
  return text;
}

struct Accepted {
  const char* text;
  const char* normal;
};
constexpr Accepted k_accepted[] = {
    {"", ""},
    {" \n\t", ""},
    {"a->b", "a -> b"},
    {" a\n->\tb ", "a -> b"},
    {"a->b,b->c", "a -> b, b -> c"},
    {"_a1->B_2", "_a1 -> B_2"},
    {"Cache.evicting->ns::Cache::full", "Cache.evicting -> ns.Cache.full"},
    {"a . b -> c :: d", "a.b -> c.d"},
    {"a@t1->b@t2", "a@t1 -> b@t2"},
    {"a @ t1 -> b @ \"t 2\"", "a@t1 -> b@\"t 2\""},
    {"a@\"t1\"->b", "a@t1 -> b"},
    {"a@\"a->b, c\"->b", "a@\"a->b, c\" -> b"},
    {"a#1->a#2", "a#1 -> a#2"},
    {"a # 2 @ t->b", "a#2@t -> b"},
    {"a#9999->b", "a#9999 -> b"},
    {"start@t->a", "start@t -> a"},
    {"end@t->a", "end@t -> a"},
    {"start@t1->end@t2", "start@t1 -> end@t2"},
    {"a->end@t", "a -> end@t"},
    {"start.x->end.y", "start.x -> end.y"},
    {"starts->ended", "starts -> ended"},
    {"[a]->b", "[a] -> b"},
    {"[ a@t ]->b", "[a@t] -> b"},
    {"[start@t]->b", "[start@t] -> b"},
    {"[a#2]->b", "[a#2] -> b"},
    {"a&&b->c", "a && b -> c"},
    {"a||b->c", "a || b -> c"},
    {"a&&b||c->d", "a && b || c -> d"},
    {"a||b&&c->d", "a || b && c -> d"},
    {"(a||b)&&c->d", "(a || b) && c -> d"},
    {"(a&&b)||c->d", "a && b || c -> d"},
    {"((a))->b", "a -> b"},
    {"a&&(b&&c)->d", "a && (b && c) -> d"},
    {"(a&&b)&&c->d", "a && b && c -> d"},
    {"a||(b||c)->d", "a || (b || c) -> d"},
    {"[a]&&b||[c]->d", "[a] && b || [c] -> d"},
    {"b||a->c, c||d->a", "b || a -> c, c || d -> a"},
    {"a->b, a->b", "a -> b, a -> b"},
    {"finishedAdd1->startingTake1, [startingTake2]->startingAdd2",
     "finishedAdd1 -> startingTake1, [startingTake2] -> startingAdd2"},
};

TEST(Grammar, AcceptsAndPrintsBack) {
  for (const auto& [text, normal] : k_accepted) {
    const ParsedSchedule first = parse(text);
    ASSERT_TRUE(first.ok()) << text << ": " << first.error.column << ": " << first.error.message;
    EXPECT_EQ(printed(first), normal) << text;
    const ParsedSchedule second = parse(printed(first).c_str());
    ASSERT_TRUE(second.ok()) << text;
    EXPECT_EQ(printed(second), normal) << text;
    EXPECT_EQ(first.nodes, second.nodes) << text;
  }
}

struct Refused {
  const char* text;
  unsigned column;
  const char* remedy; // part of the message
};
constexpr Refused k_refused[] = {
    {"a", 2, "write ->"},
    {"a->", 4, "an event is missing"},
    {"->a", 1, "the condition is missing"},
    {"a->b->c", 5, "write a->b, b->c"},
    {"a->b c->d", 6, "\",\""},
    {"a->b,", 6, "an ordering is missing"},
    {",a->b", 1, "an event is missing"},
    {"a->b;c->d", 5, "write \",\""},
    {"a=>b", 2, "write ->"},
    {"a-b", 2, "write ->"},
    {"a&b->c", 2, "write &&"},
    {"a|b->c", 2, "write ||"},
    {"!a->b", 1, "no negation"},
    {"a&&->b", 4, "the condition is missing"},
    {"(a->b", 3, "\")\" is missing"},
    {"(a", 1, "\")\" is missing"},
    {"a)->b", 2, "has no \"(\""},
    {"[a->b", 3, "one event stands in [ ]"},
    {"[a", 1, "\"]\" is missing"},
    {"[a,b]->c", 3, "one event stands in [ ]"},
    {"[a&&b]->c", 3, "one event stands in [ ]"},
    {"[[a]]->b", 2, "one event stands in [ ]"},
    {"a]->b", 2, "has no \"[\""},
    {"a->[b]", 4, "only a condition"},
    {"a->(b)", 4, "one event stands behind"},
    {"start->a", 1, "start@t"},
    {"a->end", 4, "end@t"},
    {"[end@t]->a", 2, "never blocked"},
    {"start#2@t->a", 6, "once"},
    {"@t->a", 1, "the event of this thread"},
    {"a@->b", 3, "name of a thread"},
    {"a@2->b", 3, "name of a thread"},
    {"a@\"t->b", 3, "not closed"},
    {"a@\"\"->b", 3, "missing in the quotes"},
    {"\"a\"->b", 1, "only a thread"},
    {"a#->b", 3, "a number is missing"},
    {"a#0->b", 3, "from 1 on"},
    {"a#10000->b", 3, "9999"},
    {"a@t#2->b", 4, "before the thread"},
    {"1a->b", 1, "begins with a letter"},
    {"a.->b", 3, "the condition is missing"},
    {"a:b->c", 2, "write ->"},
    {"a->a", 4, "wait for itself"},
    {"b && a->a", 9, "wait for itself"},
    {"[a]->a", 6, "wait for itself"},
    {"a->b, b->a", 7, "cycle"},
    {"a->b, b->c, d && c->a", 13, "cycle"},
    {"a@t->start@t", 1, "cycle"},
    {"end@t->a@t", 1, "cycle"},
    {"a#2->a", 1, "cycle"},
    {"a#3@t->a#2@t", 1, "cycle"},
};

TEST(Grammar, RefusesWithColumnAndRemedy) {
  static_assert(std::size(k_refused) >= 30);
  for (const auto& [text, column, remedy] : k_refused) {
    const ParsedSchedule parsed = parse(text);
    ASSERT_FALSE(parsed.ok()) << text;
    EXPECT_EQ(parsed.error.column, column) << text << ": " << parsed.error.message;
    EXPECT_NE(std::string(parsed.error.message).find(remedy), std::string::npos)
        << text << ": " << parsed.error.message;
  }
}

TEST(Grammar, KeepsItsLimits) {
  std::string events;
  for (unsigned i = 0; i < k_max_events; ++i) events += (i == 0 ? "" : "&&") + ("e" + std::to_string(i));
  EXPECT_EQ(parse((events.substr(events.find("e1")) + "->e0").c_str()).error.column, 0U);
  const ParsedSchedule many = parse((events + "->one_more").c_str());
  EXPECT_STREQ(many.error.message, "a schedule has at most 64 events");
  EXPECT_EQ(many.error.column, events.size() + 3);
  std::string nodes = "a";
  for (unsigned i = 0; i < k_max_nodes; ++i) nodes += "&&a";
  EXPECT_NE(std::string(parse((nodes + "->b").c_str()).error.message).find("too long"), std::string::npos);
  std::string deep(k_max_depth, '(');
  EXPECT_NE(std::string(parse((deep + "a").c_str()).error.message).find("at most 64"), std::string::npos);
  EXPECT_EQ(parse(std::string(k_max_text, 'a').c_str()).error.column, k_max_text);
  std::string orderings;
  for (unsigned i = 0; i <= k_max_orderings; ++i) orderings += (i == 0 ? "" : ",") + std::string("a->b");
  EXPECT_STREQ(parse(orderings.c_str()).error.message, "a schedule has at most 64 orderings");
}

// What || permits is no cycle, and a cycle needs each of its orderings.
TEST(Grammar, FindsCyclesOnlyWhereNothingCanSatisfy) {
  EXPECT_TRUE(parse("a||b->c, c->a").ok());
  EXPECT_TRUE(parse("a->b, a->c, b->d, c->d").ok());
  EXPECT_TRUE(parse("a@t->a@u, a@u->b").ok());
  EXPECT_FALSE(parse("a->b, [b]->c, c&&x->a").ok());
}

TEST(Grammar, EventNames) {
  EXPECT_TRUE(EventName("finished").is_right());
  EXPECT_STREQ(EventName("\"Cache.evicting\"").text, "Cache.evicting");
  for (const char* const wrong :
       {"\"\"", "start", "end", "a b", "\"a@t\"", "\"a#1\"", "\"[a]\"", "\"a->b\"", "1", "\"a,b\""})
    EXPECT_FALSE(EventName(wrong).is_right()) << wrong;
}

// Any text: random tokens, and accepted texts with a few characters changed. What is accepted is printed, and
// what is printed is accepted and says the same.
TEST(Grammar, NoTextMakesItFail) {
  const char* const tokens[] = {"a", "b", "c.d", "start", "end", "->", ",",     "&&", "||",
                                "(", ")", "[",   "]",     "@",   "t",  "\"t\"", "#",  "1",
                                "2", " ", "-",   ">",     "\"x", "::", "\n",    "\1", "\xff"};
  std::mt19937 random(1);
  unsigned accepted = 0;
  const auto check = [&](const std::string& text) {
    const ParsedSchedule parsed = parse(text.data(), static_cast<unsigned>(text.size()));
    if (!parsed.ok()) {
      EXPECT_GE(parsed.error.column, 1U) << text;
      EXPECT_LE(parsed.error.column, text.size() + 1) << text;
      return;
    }
    ++accepted;
    const std::string normal = printed(parsed);
    const ParsedSchedule again = parse(normal.c_str());
    ASSERT_TRUE(again.ok()) << text << " is printed as " << normal;
    EXPECT_EQ(printed(again), normal) << text;
    EXPECT_EQ(again.orderings, parsed.orderings) << text;
  };
  for (unsigned i = 0; i < 100000; ++i) {
    std::string text;
    for (unsigned left = random() % 14; left != 0; --left) text += tokens[random() % std::size(tokens)];
    check(text);
  }
  for (unsigned i = 0; i < 100000; ++i) {
    std::string text = k_accepted[random() % std::size(k_accepted)].text;
    for (unsigned left = 1 + random() % 3; left != 0 && !text.empty(); --left) {
      const std::size_t at = random() % text.size();
      if (random() % 2 == 0)
        text.erase(at, 1);
      else
        text[at] = static_cast<char>(random());
    }
    check(text);
  }
  EXPECT_GT(accepted, 5000U);
}

// The same parser at compile time.
static_assert(parse("a->b, [b@t] && (c || d#2)->e").ok());
static_assert(syntax_of("a->b->c").column == 5 && is_schedule("a->b"));
static_assert(EventName("x").is_right() && !EventName("end").is_right());

} // namespace
} // namespace reex::imunit
