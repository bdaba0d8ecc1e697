// Programs of the frameworks that are installed: each case is listed, explored, and reported by its name.
#include <algorithm>
#include <sstream>

#include <gtest/gtest.h>

#include "tests/runtime/tool.h"

namespace reex::frameworks_test {
namespace {

using namespace reex::tool;

struct Case {
  const char* name;
  int status = 0;        // of a run of the case alone
  const char* text = ""; // of the failure
};

struct Program {
  const char* name;
  const char* kind;
  std::vector<Case> cases;
  const char* disabled; // the note about them
};

const char* const k_awkward = "commas, [brackets], \\ and \"quotes\"; #1 - 2: *";

std::vector<Program> programs() {
  std::vector<Program> all;
#ifdef REEX_WITH_CATCH2
  all.push_back({"catch2",
                 "catch2",
                 {{"holds"},
                  {"loses an update", 1, "REQUIRE( count(false) == 2 )\nwith expansion:\n  1 == 2"},
                  {"throws", 1, "an update was lost"},
                  {k_awkward, 1, "REQUIRE( count(false) == 2 )"},
                  {"*star"},
                  {"~tilde"},
                  {"exclude:this"},
                  {"#hash"},
                  {"\"quoted\""},
                  {"backslash\\"},
                  {"no threads", 5},
                  {"for types - int"},
                  {"for types - std::pair<int, char>"},
                  {"Scenario: a story"}},
                 "2 disabled tests"});
#endif
#ifdef REEX_WITH_DOCTEST
  all.push_back(
      {"doctest",
       "doctest",
       {{"holds"},
        {"HOLDS"},
        {"loses an update", 1, "REQUIRE( count(false) == 2 ) is NOT correct!\n  values: REQUIRE( 1 == 2 )"},
        {"throws", 1, "an update was lost"},
        {k_awkward, 1, "CHECK( count(false) == 2 )"},
        {"a, b"},
        {"backslash\\"},
        {"no threads", 5},
        {"for types<int>"},
        {"for types<std::pair<int, char>>"},
        {"twice", 1}},
       "2 disabled tests"});
#endif
#ifdef REEX_WITH_BOOST_TEST
  all.push_back({"boost_test",
                 "boost-test",
                 {{"holds"},
                  {"loses_an_update", 1, "critical check count(false) == 2 has failed [1 != 2]"},
                  {"throws", 1, "an update was lost"},
                  {"no_threads", 5},
                  {"suite/holds"},
                  {"suite/inner/loses", 1, "check count(false) == 2 has failed"},
                  {"for_types<int>"},
                  {"data/_0"},
                  {"data/_1", 1, "number = 1"},
                  {"data/_2"}},
                 "2 disabled tests"});
#endif
#ifdef REEX_WITH_QT_TEST
  all.push_back({"qt_test",
                 "qt-test",
                 {{"holds"},
                  {"loses_an_update", 1, "   Actual   (count(false)): 1\n   Expected (2)           : 2"},
                  {"data", 1, "Counter::data(not at once)"}},
                 ""});
#endif
#ifdef REEX_WITH_CPPUTEST
  all.push_back({"cpputest",
                 "cpputest",
                 {{"other.holds"},
                  {"counter.no_threads", 5},
                  {"counter.holds_too"},
                  {"counter.loses_an_update", 1, "Failure in TEST(counter, loses_an_update)\n"},
                  {"counter.holds"}},
                 ""});
#endif
  return all;
}

const char* failing_case(const Program& program) {
  return std::find_if(program.cases.begin(), program.cases.end(),
                      [](const Case& one) { return one.status == 1; })
      ->name;
}

std::string path_of(const Program& program) { return REEX_PROGRAMS "/" + std::string(program.name); }

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);) lines.push_back(line);
  return lines;
}

TEST(Frameworks, ListTheirCases) {
  for (const Program& program : programs()) {
    const Folder folder;
    const Ran ran = command(folder, {"list", "tests", path_of(program)});
    EXPECT_EQ(ran.status, 0) << describe(ran);
    const auto lines = lines_of(ran.output);
    for (const Case& one : program.cases)
      EXPECT_EQ(std::count(lines.begin(), lines.end(), one.name), 1) << one.name << describe(ran);
    for (const std::string& line : lines) EXPECT_EQ(line.find("hidden"), std::string::npos) << describe(ran);
  }
}

// Each name is a filter for itself, whatever is in it.
TEST(Frameworks, EachCaseIsExploredByItself) {
  for (const Program& program : programs()) {
    for (const Case& one : program.cases) {
      const Folder folder;
      const Ran ran = explore(folder, {"--strategy", "icb", "--filter", one.name}, {path_of(program)});
      EXPECT_EQ(ran.status, one.status) << describe(ran);
      EXPECT_NE(ran.output.find(program.disabled), std::string::npos) << describe(ran);
      if (one.status == 5) continue;
      ASSERT_TRUE(ran.report.is_object()) << describe(ran);
      ASSERT_EQ(ran.report["runs"].size(), 1U) << describe(ran);
      EXPECT_EQ(ran.report["runs"][0]["test"]["name"], one.name);
      if (one.status == 0) continue;
      const auto& failure = ran.report["failures"][0];
      EXPECT_EQ(failure["kind"], program.kind) << describe(ran);
      const std::string message = failure["message"];
      EXPECT_NE(message.find(one.text), std::string::npos) << message;
      EXPECT_NE(message.find(".cpp"), std::string::npos) << message;
      EXPECT_EQ(message.find('\x1b'), std::string::npos) << message;
    }
  }
}

TEST(Frameworks, RestoreForkAndWorkersAgree) {
  for (const Program& program : programs()) {
    std::vector<std::string> seen;
    for (const Words& how :
         {Words{"--isolation", "restore"}, Words{"--isolation", "fork"}, Words{"-j", "2"}}) {
      const Folder folder;
      Words options{"--strategy", "icb", "--filter", failing_case(program), "-k", "0"};
      options.insert(options.end(), how.begin(), how.end());
      const Ran ran = explore(folder, options, {path_of(program)});
      EXPECT_EQ(ran.status, 1) << describe(ran);
      ASSERT_TRUE(ran.report.is_object()) << describe(ran);
      std::string keys;
      for (const auto& failure : ran.report["failures"]) keys += failure["key"].get<std::string>() + ' ';
      seen.push_back(keys);
    }
    EXPECT_EQ(seen[0], seen[1]) << program.name;
    EXPECT_EQ(seen[0], seen[2]) << program.name;
  }
}

TEST(Frameworks, ReplayRunsTheCase) {
  for (const Program& program : programs()) {
    const Folder folder;
    const Ran ran =
        explore(folder, {"--strategy", "icb", "--filter", failing_case(program)}, {path_of(program)});
    const auto files = schedule_files(folder.path());
    ASSERT_FALSE(files.empty()) << describe(ran);
    const Ran again = command(folder, {"replay", files.front().string()});
    EXPECT_EQ(again.status, 1) << describe(again);
    EXPECT_NE(again.output.find(program.kind), std::string::npos) << describe(again);
  }
}

TEST(Frameworks, ReportsNameTheCases) {
  for (const Program& program : programs()) {
    const Folder folder;
    const std::string junit = (folder / "junit.xml").string();
    const Ran ran = command(folder, {"run", "--strategy", "icb", "--format", "text,junit:" + junit,
                                     "--filter", failing_case(program), path_of(program)});
    EXPECT_EQ(ran.status, 1) << describe(ran);
    const std::string xml = read_file(junit);
    EXPECT_NE(xml.find("type=\"" + std::string(program.kind)), std::string::npos) << xml;
    EXPECT_NE(ran.output.find(failing_case(program)), std::string::npos) << describe(ran);
  }
}

TEST(Frameworks, FilterThatMatchesNothingIsRefused) {
  for (const Program& program : programs()) {
    for (const char* const filter : {"nothing*", "hidden"}) {
      const Folder folder;
      const Ran ran = command(folder, {"--filter", filter, path_of(program)});
      EXPECT_EQ(ran.status, 2) << describe(ran);
      EXPECT_NE(ran.output.find("matches no test"), std::string::npos) << describe(ran);
    }
  }
}

// Behind --, a filter of the framework's own chooses among the cases.
TEST(Frameworks, TheFrameworksOwnFilterIsHeeded) {
  for (const Program& program : programs()) {
    const std::string kind = program.kind;
    if (kind != "catch2" && kind != "doctest") continue;
    const Folder folder;
    const Ran ran = explore(folder, {}, {path_of(program), kind == "catch2" ? "holds" : "-tc=holds"});
    EXPECT_EQ(ran.status, 0) << describe(ran);
    EXPECT_EQ(ran.output.find("loses an update"), std::string::npos) << describe(ran);
  }
}

TEST(Frameworks, StrippedProgramsAreRecognized) {
  for (const Program& program : programs()) {
    const Folder folder;
    const std::string stripped = (folder / "stripped").string();
    ASSERT_EQ(std::system((REEX_STRIP " -o " + stripped + " " + path_of(program)).c_str()), 0);
    const Ran ran = command(folder, {"list", "tests", stripped});
    EXPECT_EQ(ran.status, 0) << describe(ran);
    EXPECT_EQ(lines_of(ran.output).front(), program.cases.front().name) << describe(ran);
  }
  const Folder folder;
  const Ran ran = command(folder, {"list", "tests", REEX_PROGRAMS "/stripped_suite"});
  const Ran whole = command(folder, {"list", "tests", REEX_SUITE});
  EXPECT_EQ(ran.status, 0) << describe(ran);
  EXPECT_EQ(ran.output, whole.output);
  EXPECT_NE(ran.output.find("Counter.Locked\n"), std::string::npos) << describe(ran);
}

#ifdef REEX_WITH_QT_TEST
TEST(Frameworks, SeveralClassesOfQtAreOneProgram) {
  const Folder folder;
  const Ran ran = explore(folder, {"--strategy", "icb"}, {REEX_PROGRAMS "/qt_classes"});
  EXPECT_EQ(ran.status, 1) << describe(ran);
  EXPECT_NE(ran.output.find("it is explored as one program"), std::string::npos) << describe(ran);
  EXPECT_EQ(ran.report["failures"][0]["kind"], "qt-test") << describe(ran);
}

// A thread of Qt Test's own ends the process.
TEST(Frameworks, DeadlockBesideQtsOwnThreadIsTold) {
  const Folder folder;
  const Ran ran =
      explore(folder, {"--strategy", "icb", "--filter", "stands_still"}, {REEX_PROGRAMS "/qt_test"});
  EXPECT_EQ(ran.status, 1) << describe(ran);
  const auto& failure = ran.report["failures"][0];
  EXPECT_EQ(failure["kind"], "abort") << describe(ran);
  const std::string message = failure["message"];
  EXPECT_NE(message.find("Qt Test's time for a test function was over"), std::string::npos) << message;
  EXPECT_NE(message.find("\nthread 0 waits for mutex#"), std::string::npos) << message;
}

TEST(Frameworks, FunctionsOfQtThatTheUserNamesRunTogether) {
  const Folder folder;
  const Ran ran = explore(folder, {"--strategy", "icb"}, {REEX_PROGRAMS "/qt_test", "holds", "data:at once"});
  EXPECT_EQ(ran.status, 0) << describe(ran);
  EXPECT_EQ(ran.report["test"]["name"], "") << describe(ran);
  EXPECT_EQ(ran.output.find("exploring test"), std::string::npos) << describe(ran);
}
#endif

#ifdef REEX_WITH_CPPUNIT
TEST(Frameworks, CheckOfCppUnitIsTold) {
  const Folder folder;
  const Ran ran = explore(folder, {"--strategy", "icb"}, {REEX_PROGRAMS "/cppunit"});
  EXPECT_EQ(ran.status, 1) << describe(ran);
  EXPECT_NE(ran.output.find("do not list their tests"), std::string::npos) << describe(ran);
  const auto& failure = ran.report["failures"][0];
  EXPECT_EQ(failure["kind"], "cppunit") << describe(ran);
  const std::string message = failure["message"];
  EXPECT_NE(message.find("test: Counter::loses_an_update (F) line: "), std::string::npos) << message;
  const auto files = schedule_files(folder.path());
  ASSERT_FALSE(files.empty()) << describe(ran);
  EXPECT_EQ(command(folder, {"replay", files.front().string()}).status, 1);
}
#endif

#ifdef REEX_WITH_CATCH2
TEST(Frameworks, PatternThatFitsMoreSaysSo) {
  const Folder folder;
  const Ran ran = explore(folder, {"--strategy", "icb", "--filter", k_awkward}, {REEX_PROGRAMS "/catch2"});
  EXPECT_EQ(ran.output.find("is a pattern"), std::string::npos) << describe(ran);
  const Folder other;
  const Ran star = explore(other, {"--strategy", "icb", "--filter", "*star"}, {REEX_PROGRAMS "/catch2"});
  EXPECT_EQ(star.output.find("is a pattern"), std::string::npos) << describe(star);
}
#endif

#ifdef REEX_WITH_DOCTEST
TEST(Frameworks, ProgramThatDoesNotListIsExploredAsAWhole) {
  const Folder folder;
  const Ran ran = explore(folder, {"--strategy", "icb"}, {REEX_PROGRAMS "/own_main"});
  EXPECT_EQ(ran.status, 1) << describe(ran);
  EXPECT_NE(ran.output.find("does not list its tests"), std::string::npos) << describe(ran);
  const Ran list = command(folder, {"list", "tests", REEX_PROGRAMS "/own_main"});
  EXPECT_NE(list.output.find("is explored as a whole"), std::string::npos) << describe(list);
  const Ran filtered = command(folder, {"--filter", "x", REEX_PROGRAMS "/own_main"});
  EXPECT_EQ(filtered.status, 2) << describe(filtered);
}
#endif

} // namespace
} // namespace reex::frameworks_test
