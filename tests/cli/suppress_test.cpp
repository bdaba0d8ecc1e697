#include "cli/verdict/suppress.h"

#include <gtest/gtest.h>

#include "cli/options/sanitizer_suppressions.h"
#include "cli/terminal/command_error.h"

namespace reex {
namespace {

Frame frame(const std::string& function, const std::string& file) {
  Frame at;
  at.function = function;
  at.file = file;
  return at;
}

Failure failure(const std::string& kind) {
  Failure one;
  one.kind = kind;
  one.key = "3f0c9a71be42";
  one.message = "it failed";
  one.where = {{1, "failed here", {frame("ns::put(int)", "/project/src/queue.cpp")}},
               {2, "runs", {frame("ns::get()", "/project/src/other.cpp")}}};
  return one;
}

Finding race() {
  Finding one;
  one.kind = "data-race";
  one.key = "0123456789ab";
  one.where = {{1, "writes 4 bytes", {frame("add()", "/project/stats.h")}},
               {2, "reads 4 bytes", {frame("sum()", "/elsewhere/lib.h")}}};
  return one;
}

Suppression with(std::string Suppression::*member, const std::string& value) {
  Suppression one;
  one.*member = value;
  one.reason = "known";
  one.where = ".reex.toml:3";
  return one;
}

template <typename Thing>
bool covered(const Suppression& one, const Thing& thing) {
  return Suppressions({one}, "/project", "2026-06-15").covers(thing);
}

TEST(Suppressions, GoByKey) {
  EXPECT_TRUE(covered(with(&Suppression::key, "3f0c9a71"), failure("abort")));
  EXPECT_TRUE(covered(with(&Suppression::key, "3f0c9a71be42"), failure("abort")));
  EXPECT_FALSE(covered(with(&Suppression::key, "3f0c9a72"), failure("abort")));
  EXPECT_TRUE(covered(with(&Suppression::key, "01234567"), race()));
}

TEST(Suppressions, GoByKindAndAllThatIsGiven) {
  Suppression one = with(&Suppression::key, "3f0c9a71");
  one.kind = "deadlock";
  EXPECT_TRUE(covered(one, failure("deadlock")));
  EXPECT_FALSE(covered(one, failure("abort")));
  one.kind = "race";
  one.key = "";
  one.function = "add";
  EXPECT_TRUE(covered(one, race()));
  one.file = "stats.h";
  EXPECT_TRUE(covered(one, race()));
  one.function = "sum"; // the function and the file of different frames
  EXPECT_FALSE(covered(one, race()));
}

TEST(Suppressions, CompareFilesBelowTheRoot) {
  EXPECT_TRUE(covered(with(&Suppression::file, "src/*.cpp"), failure("abort")));
  EXPECT_TRUE(covered(with(&Suppression::file, "queue.cpp"), failure("abort")));
  EXPECT_FALSE(covered(with(&Suppression::file, "queue/*.cpp"), failure("abort")));
  EXPECT_TRUE(covered(with(&Suppression::file, "/elsewhere/*"), race()));
}

// The threads that merely were somewhere when another one crashed have no part in it.
TEST(Suppressions, GoByTheThreadsThatTakePart) {
  EXPECT_TRUE(covered(with(&Suppression::function, "get"), failure("deadlock")));
  EXPECT_FALSE(covered(with(&Suppression::function, "get"), failure("assertion")));
  EXPECT_TRUE(covered(with(&Suppression::function, "put"), failure("assertion")));
}

TEST(Suppressions, ExpireAfterTheirLastDay) {
  Suppression one = with(&Suppression::key, "3f0c9a71");
  one.expires = "2026-06-15";
  EXPECT_TRUE(covered(one, failure("abort")));
  one.expires = "2026-06-14";
  EXPECT_FALSE(covered(one, failure("abort")));
  EXPECT_EQ(Suppressions({one}, "/project", "2026-06-15").expired(),
            (std::vector<std::string>{
                ".reex.toml:3: the suppression expired on 2026-06-14 and does not count any more (known)"}));
  EXPECT_EQ(today().size(), 10U);
}

TEST(Suppressions, MoveWhatTheyCoverAndTellWhatMatchedNothing) {
  Suppressions some({with(&Suppression::function, "add"), with(&Suppression::function, "nobody")}, "/project",
                    "2026-06-15");
  TestRun run;
  run.failures = {failure("abort")};
  run.findings = {race()};
  some.apply(run);
  EXPECT_EQ(run.failures.size(), 1U);
  EXPECT_TRUE(run.findings.empty());
  ASSERT_EQ(run.suppressed.size(), 1U);
  EXPECT_EQ(run.suppressed[0].kind, "race");
  EXPECT_EQ(run.suppressed[0].reason, "known");
  EXPECT_EQ(run.suppressed[0].by, ".reex.toml:3");
  EXPECT_EQ(some.unused(),
            (std::vector<std::string>{".reex.toml:3: the suppression matched nothing in this run (known)"}));
}

// Of a file of ThreadSanitizer's.
Suppressions of_line(const std::string& line) {
  return {parse_sanitizer_suppressions(line, "tsan.supp").all, "/project", "2026-06-15"};
}

Finding race_in(const std::string& inner, const std::string& outer) {
  Finding one = race();
  one.where[0].stack = {frame(inner, "/project/inner.h"), frame(outer, "/project/outer.cpp")};
  one.where[0].stack[1].module = "/lib/libstats.so";
  one.object = "table+8";
  return one;
}

TEST(SanitizerSuppressions, HaveThePatternsOfThreadSanitizer) {
  const auto matches = sanitizer_pattern_matches;
  EXPECT_TRUE(matches("add", "Stats::add(int)"));
  EXPECT_FALSE(matches("Add", "Stats::add(int)"));
  EXPECT_TRUE(matches("^Stats", "Stats::add(int)"));
  EXPECT_FALSE(matches("^add", "Stats::add(int)"));
  EXPECT_TRUE(matches("int)$", "Stats::add(int)"));
  EXPECT_FALSE(matches("add$", "Stats::add(int)"));
  EXPECT_TRUE(matches("^Stats::*int*$", "Stats::add(int)"));
  EXPECT_FALSE(matches("^Stats::*long", "Stats::add(int)"));
  EXPECT_FALSE(matches("^a*a$", "a"));
  EXPECT_TRUE(matches("^a*a$", "aba"));
  EXPECT_TRUE(matches("^add()$", "add()"));
  EXPECT_FALSE(matches("^add()$", "add()add()"));
  EXPECT_TRUE(matches("a.b", "a.b"));
  EXPECT_FALSE(matches("a.b", "axb"));
  EXPECT_TRUE(matches("a*", "ba"));
  EXPECT_FALSE(matches("*", "")); // what is not known is not covered
}

TEST(SanitizerSuppressions, CoverRacesByFunctionFileModuleAndVariable) {
  const Finding one = race_in("load()", "Stats::add(int)");
  for (const char* line : {"race:Stats::add", "race:load", "race:sum", "race:outer.cpp", "race:libstats.so",
                           "race:^table$", "race_top:load", "race_top:inner.h", "race_top:^sum()$"})
    EXPECT_TRUE(of_line(line).covers(one)) << line;
  for (const char* line : {"race:Stats::sub", "race_top:Stats::add", "race_top:table", "race:^table+8$",
                           "mutex:Stats::add", "thread:Stats::add"})
    EXPECT_FALSE(of_line(line).covers(one)) << line;
  EXPECT_FALSE(of_line("race:put").covers(failure("assertion"))); // what a race causes is another matter
}

TEST(SanitizerSuppressions, CoverAVariableWhateverIsAccessedInIt) {
  Finding one = race_in("load()", "Stats::add(int)");
  for (const char* object : {"table", "table+8", "table.size", "table[2]", "table.rows[2].name[0]",
                             "table.rows[2]+4", "app::table.size"}) {
    one.object = object;
    const bool is_scoped = one.object.starts_with("app");
    EXPECT_EQ(of_line("race:^table$").covers(one), !is_scoped) << object;
    EXPECT_EQ(of_line("race:^app::table$").covers(one), is_scoped) << object;
    EXPECT_FALSE(of_line("race:size").covers(one)) << object;
  }
  one.object = "f[abi:cxx11]()::table.1";
  EXPECT_TRUE(of_line("race:^f[abi:cxx11]()::table.1$").covers(one));
}

TEST(SanitizerSuppressions, CoverOtherFindings) {
  Finding one = race_in("main", "start");
  one.kind = "never-joined";
  EXPECT_TRUE(of_line("thread:main").covers(one));
  EXPECT_FALSE(of_line("race:main").covers(one));
  for (const char* kind : {"destroyed-while-held", "unlocked-by-stranger"}) {
    one.kind = kind;
    EXPECT_TRUE(of_line("mutex:main").covers(one)) << kind;
  }
}

TEST(SanitizerSuppressions, TellTheLineAndWhatDoesNotCount) {
  const SanitizerSuppressions read =
      parse_sanitizer_suppressions("# known\n\n  race:Stats::add \r\ndeadlock:lock\nsignal:h\n", "t.supp");
  ASSERT_EQ(read.all.size(), 1U);
  EXPECT_EQ(read.all[0].where, "t.supp:3");
  EXPECT_EQ(read.all[0].reason, "race:Stats::add");
  EXPECT_EQ(read.notes, (std::vector<std::string>{
                            "t.supp:4: deadlock:lock does not count: reex reports deadlocks that happen, and "
                            "no orders of locks that could deadlock",
                            "t.supp:5: signal:h does not count: reex does not look for what a signal handler "
                            "may not call"}));
  for (const char* bad : {"races:add", "add", "race:", "leak:add"})
    EXPECT_THROW(parse_sanitizer_suppressions(bad, "t.supp"), UsageError) << bad;
}

} // namespace
} // namespace reex
