// The rewriting of sources.
#include <gtest/gtest.h>

#include "imunit/rewrite.h"

namespace reex::inference {
namespace {

StatementId at(const Source& source, std::string_view what) {
  return source.statement_at(source.text().find(what));
}

struct Change {
  std::vector<std::pair<std::string, std::string>> events; // name, text of the statement
  std::vector<std::string> sleeps;
  std::string schedule_before = "a";
  std::string schedule_after = "b";
};

std::string rewritten(const std::string& text, const Change& change, RewriteParts parts = {}) {
  const Source source("t.cpp", text);
  Inference inference;
  inference.log.push_back({.statement = at(source, "first()")});
  for (const auto& [name, what] : change.events) inference.events.push_back({name, at(source, what), 1});
  for (const std::string& what : change.sleeps) inference.sleeps.insert(at(source, what));
  inference.schedule.orderings.push_back({change.schedule_before, change.schedule_after});
  const Rewriting result = rewrite(inference, source, parts);
  return result.refusal.empty() ? applied(text, result.edits) : result.refusal;
}

TEST(Rewriting, InsertsAndRemovesWholeLines) {
  EXPECT_EQ(
      rewritten("#include <gtest/gtest.h>\n\nvoid f() {\n  first();\n  sleep(1); // wait\n  second();\n}\n",
                {.events = {{"startingX", "second"}, {"finishedX", "sleep"}}, .sleeps = {"sleep"}}),
      "#include <gtest/gtest.h>\n#include <reex/imunit.h>\n\nvoid f() {\n  REEX_SCHEDULE(\"a->b\");\n"
      "  first();\n  REEX_EVENT(finishedX);\n  REEX_EVENT(startingX);\n  second();\n}\n");
}

TEST(Rewriting, WorksWithinALine) {
  EXPECT_EQ(
      rewritten("void f() { first(); sleep(1); second(); }\n",
                {.events = {{"x", "second"}}, .sleeps = {"sleep"}}),
      "#include <reex/imunit.h>\nvoid f() { REEX_SCHEDULE(\"a->b\"); first(); REEX_EVENT(x); second(); }\n");
}

TEST(Rewriting, GivesBracesToBodiesWithoutThem) {
  EXPECT_EQ(rewritten("void f() {\n  first();\n  if (x)\n    second();\n  if (y) sleep(1);\n}\n",
                      {.events = {{"x", "second"}}, .sleeps = {"sleep"}}),
            "#include <reex/imunit.h>\nvoid f() {\n  REEX_SCHEDULE(\"a->b\");\n  first();\n  if (x)\n"
            "    { REEX_EVENT(x); second(); }\n  if (y) {}\n}\n");
}

TEST(Rewriting, PutsEventsAtTheEndOfFunctions) {
  const auto end_of = [](const std::string& text) {
    const Source source("t.cpp", text);
    Inference inference;
    inference.log.push_back({.statement = at(source, "first()")});
    inference.events.push_back({"x", end_of_function(source.function_at(text.find("last"))), 1});
    inference.schedule.orderings.push_back({"a", "b"});
    return applied(text, rewrite(inference, source).edits);
  };
  const std::string head = "#include <reex/imunit.h>\n";
  EXPECT_EQ(end_of("void f() {\n  first();\n  g([] {\n    last();\n  });\n}\n"),
            head + "void f() {\n  REEX_SCHEDULE(\"a->b\");\n  first();\n  g([] {\n    last();\n    "
                   "REEX_EVENT(x);\n  });\n}\n");
  EXPECT_EQ(
      end_of("void f() {\n  first();\n  g([] {last();});\n}\n"),
      head + "void f() {\n  REEX_SCHEDULE(\"a->b\");\n  first();\n  g([] {last(); REEX_EVENT(x); });\n}\n");
  EXPECT_EQ(end_of("void f() {\n  first();\n  g([] {\n    last();\n    return 1;\n  });\n}\n"),
            head + "void f() {\n  REEX_SCHEDULE(\"a->b\");\n  first();\n  g([] {\n    last();\n    "
                   "REEX_EVENT(x);\n    return 1;\n  });\n}\n");
}

TEST(Rewriting, KeepsTheSleepsIfAsked) {
  EXPECT_NE(rewritten("void f() {\n  first();\n  sleep(1);\n}\n", {.events = {}, .sleeps = {"sleep"}},
                      {.removes_sleeps = false})
                .find("sleep(1);"),
            std::string::npos);
}

TEST(Rewriting, BreaksLongSchedules) {
  const std::string name(70, 'n');
  const std::string text = "void f() {\n  first();\n}\n";
  const Source source("t.cpp", text);
  Inference inference;
  inference.log.push_back({.statement = at(source, "first()")});
  inference.schedule.orderings = {{"a", name}, {"b", name}};
  EXPECT_EQ(applied(text, rewrite(inference, source).edits),
            "#include <reex/imunit.h>\nvoid f() {\n  REEX_SCHEDULE(\"a->" + name +
                ", \"\n                \"b->" + name + "\");\n  first();\n}\n");
}

TEST(Rewriting, RefusesByName) {
  EXPECT_EQ(rewritten("void f() {\n  REEX_SCHEDULE(\"x->y\");\n  first();\n}\n", {}),
            "it has a schedule already");
}

TEST(Rewriting, PutsTheHeaderBehindTheOthers) {
  EXPECT_EQ(rewritten("#include <a>\n#if X\n#include <b>\n#endif\nvoid f() {\n  first();\n}\n", {}),
            "#include <a>\n#include <reex/imunit.h>\n#if X\n#include <b>\n#endif\nvoid f() {\n"
            "  REEX_SCHEDULE(\"a->b\");\n  first();\n}\n");
}

} // namespace
} // namespace reex::inference
