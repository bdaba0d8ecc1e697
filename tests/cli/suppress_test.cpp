#include "cli/run/suppress.h"

#include <gtest/gtest.h>

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

} // namespace
} // namespace reex
