// Failing schedules become tests: explored, promoted with --apply, built again, run natively and under reex,
// and run against the mended program.
#include <filesystem>
#include <fstream>
#include <string>

#include <gtest/gtest.h>

#include "tests/runtime/tool.h"

namespace reex::promote_test {
namespace {

using namespace reex::tool;
namespace fs = std::filesystem;

constexpr unsigned k_native_runs = 50;
constexpr std::chrono::seconds k_longest_promotion{300};

// A program of programs/ in a folder of its own, with what builds it there.
class Project {
public:
  explicit Project(const std::string& test, const Words& files, bool googletest) : m_test(test) {
    for (const std::string& file : files) fs::copy_file(fs::path(REEX_PROGRAMS) / file, m_folder / file);
    std::ofstream(m_folder / "build.sh")
        << "set -e\nmkdir -p build\n"
        << REEX_COMPILER " -std=c++20 -g -O0 -Wall -Werror -I" REEX_INCLUDES " $(" << reex_binary()
        << " flags --compile) " << test << ".cpp -o build/" << test << " $(" << reex_binary()
        << " flags --link) " << (googletest ? "-lgtest_main -lgtest " : "") << "-pthread\n";
  }

  Ran build() { return Running(m_folder, {"/bin/sh", "build.sh"}).wait(); }
  std::string binary() const { return (m_folder / "build" / m_test).string(); }
  fs::path operator/(const std::string& name) const { return m_folder / name; }
  const Folder& folder() const { return m_folder; }

  // The schedule file of the first failure of a kind that can be promoted.
  std::string fail(const std::string& kind, const Words& options = {}) {
    const Ran built = build();
    EXPECT_EQ(built.status, 0) << describe(built);
    Words words{"--keep-going", "0", "--races", "report"};
    words.insert(words.end(), options.begin(), options.end());
    const Ran ran = explore(m_folder, words, {binary()});
    EXPECT_EQ(ran.status, 1) << describe(ran);
    for (const auto& run : ran.report.contains("runs") ? ran.report["runs"] : nlohmann::json{ran.report})
      for (const auto& failure : run["failures"])
        if (failure["kind"] == kind) return failure["replay"].get<std::string>();
    ADD_FAILURE() << "no " << kind << "\n" << describe(ran);
    return "";
  }

  Ran promote(const std::string& file, const Words& options) {
    Words words{reex_binary(), "promote", file, "--build", "sh build.sh"};
    words.insert(words.end(), options.begin(), options.end());
    return Running(m_folder, words).wait(k_longest_promotion);
  }

  unsigned native_failures(const Words& arguments = {}) {
    unsigned failed = 0;
    for (unsigned i = 0; i < k_native_runs; ++i) {
      Words words{binary()};
      words.insert(words.end(), arguments.begin(), arguments.end());
      failed += Running(m_folder, words).wait().status != 0;
    }
    return failed;
  }

  void replace(const std::string& file, const std::string& what, const std::string& with) {
    std::string text = read_file(m_folder / file);
    const std::size_t at = text.find(what);
    ASSERT_NE(at, std::string::npos) << what << " is not in\n" << text;
    text.replace(at, what.size(), with);
    std::ofstream(m_folder / file) << text;
  }

private:
  Folder m_folder;
  std::string m_test;
};

TEST(Promote, ALostUpdateInLambdas) {
  Project project("flags_test", {"flags_test.cpp"}, true);
  const std::string file = project.fail("gtest", {"--filter", "Flags.LostUpdate"});
  const Ran ran = project.promote(file, {"--apply", "--name", "Flags.LostUpdateAgain"});
  ASSERT_EQ(ran.status, 0) << describe(ran);
  EXPECT_NE(ran.output.find("robust: every execution"), std::string::npos) << describe(ran);
  ASSERT_EQ(project.build().status, 0);
  EXPECT_EQ(project.native_failures({"--gtest_filter=Flags.LostUpdateAgain"}), k_native_runs);
  const Ran again = explore(project.folder(), {"--filter", "Flags.LostUpdateAgain", "--races", "report"},
                            {project.binary()});
  EXPECT_EQ(again.status, 1) << describe(again);
  EXPECT_EQ(again.report["failures"][0]["kind"], "gtest") << describe(again);
  EXPECT_EQ(again.report["failures"][0]["schedule"], 1) << describe(again);
}

TEST(Promote, APlainLostUpdate) {
  Project project("flags_test", {"flags_test.cpp"}, true);
  const std::string file = project.fail("gtest", {"--filter", "Flags.PlainLostUpdate"});
  const Ran ran = project.promote(file, {"--apply"});
  ASSERT_EQ(ran.status, 0) << describe(ran);
  ASSERT_EQ(project.build().status, 0);
  EXPECT_EQ(project.native_failures({"--gtest_filter=Flags.PlainLostUpdateUnderSchedule"}), k_native_runs);
}

TEST(Promote, RefusesASwitchWithinAStatement) {
  Project project("flags_test", {"flags_test.cpp"}, true);
  const std::string before = read_file(project / "flags_test.cpp");
  const std::string file = project.fail("gtest", {"--filter", "Flags.OneStatement"});
  const Ran ran = project.promote(file, {"--apply"});
  EXPECT_EQ(ran.status, 2) << describe(ran);
  EXPECT_NE(ran.output.find("A switch within a statement needs the statement to be written as two"),
            std::string::npos)
      << describe(ran);
  EXPECT_EQ(read_file(project / "flags_test.cpp"), before);
}

// The mistake is in a header; once it is mended, the schedule is still possible, and harmless.
TEST(Promote, ADeadlockInAHeader) {
  Project project("pair_test", {"pair_test.cpp", "pair.h"}, true);
  const std::string file = project.fail("deadlock");
  const Ran ran = project.promote(file, {"--apply", "--in-product"});
  ASSERT_EQ(ran.status, 0) << describe(ran);
  ASSERT_EQ(project.build().status, 0);
  const Words only{"--gtest_filter=Pair.MovesBothWaysUnderSchedule"};
  EXPECT_EQ(project.native_failures(only), k_native_runs);
  const Ran again = explore(project.folder(), {"--filter", "*UnderSchedule"}, {project.binary()});
  EXPECT_EQ(again.status, 1) << describe(again);
  EXPECT_EQ(again.report["failures"][0]["kind"], "deadlock") << describe(again);

  project.replace("pair.h", "late(m_second)", "late(m_first)");
  project.replace("pair.h", "early(m_first)", "early(m_second)");
  ASSERT_EQ(project.build().status, 0);
  EXPECT_EQ(project.native_failures(only), 0U);
  const Ran mended = explore(project.folder(), {"--filter", "*UnderSchedule"}, {project.binary()});
  EXPECT_EQ(mended.status, 0) << describe(mended);
}

// Threads that run the same lambda, and a program without a framework.
TEST(Promote, AProgramOfItsOwn) {
  Project project("account_test", {"account_test.cpp", "account.h"}, false);
  const std::string file = project.fail("assertion");
  const Ran without = project.promote(file, {});
  EXPECT_EQ(without.status, 2) << describe(without);
  EXPECT_NE(without.output.find("give --to FILE"), std::string::npos) << describe(without);
  const Ran ran = project.promote(file, {"--to", "regression_test.cpp", "--in-product", "--apply"});
  ASSERT_EQ(ran.status, 0) << describe(ran);
  fs::rename(project / "regression_test.cpp", project / "account_test.cpp");
  ASSERT_EQ(project.build().status, 0);
  EXPECT_EQ(project.native_failures(), k_native_runs);
}

// Nothing of the product changes: reex knows where its operations are.
TEST(Promote, ByPlacesOfOperations) {
  Project project("pair_test", {"pair_test.cpp", "pair.h"}, true);
  const std::string product = read_file(project / "pair.h");
  const std::string file = project.fail("deadlock");
  const Ran ran = project.promote(file, {"--apply", "--form", "external"});
  ASSERT_EQ(ran.status, 0) << describe(ran);
  EXPECT_NE(ran.output.find("before mutex lock in Pair::"), std::string::npos) << describe(ran);
  EXPECT_EQ(read_file(project / "pair.h"), product);
  ASSERT_EQ(project.build().status, 0);
  const Ran again = explore(project.folder(), {"--filter", "*UnderSchedule"}, {project.binary()});
  EXPECT_EQ(again.status, 1) << describe(again);
  EXPECT_EQ(again.report["failures"][0]["kind"], "deadlock") << describe(again);
  EXPECT_EQ(again.report["failures"][0]["schedule"], 1) << describe(again);
  const Ran native = Running(project.folder(), {project.binary(), "--gtest_filter=*UnderSchedule"}).wait();
  EXPECT_EQ(native.status, 0) << describe(native);
  EXPECT_NE(native.output.find("reex alone knows"), std::string::npos) << describe(native);

  project.replace("pair.h", "late(m_second)", "late(m_first)");
  project.replace("pair.h", "early(m_first)", "early(m_second)");
  ASSERT_EQ(project.build().status, 0);
  const Ran mended = explore(project.folder(), {"--filter", "*UnderSchedule"}, {project.binary()});
  EXPECT_EQ(mended.status, 1) << describe(mended);
  EXPECT_EQ(mended.report["failures"][0]["kind"], "infeasible") << describe(mended);
  project.replace("pair_test.cpp", "REEX_SCHEDULE", "REEX_INFEASIBLE");
  ASSERT_EQ(project.build().status, 0);
  const Ran expected = explore(project.folder(), {"--filter", "*UnderSchedule"}, {project.binary()});
  EXPECT_EQ(expected.status, 0) << describe(expected);
  EXPECT_EQ(expected.report["imunit"]["verdict"], "infeasible") << describe(expected);
}

TEST(Promote, RefusesAWrongPlace) {
  Project project("pair_test", {"pair_test.cpp", "pair.h"}, true);
  project.replace("pair_test.cpp", "#include \"pair.h\"", "#include \"pair.h\"\n#include <reex/imunit.h>");
  project.replace(
      "pair_test.cpp", "  Pair pair;",
      "  REEX_EVENT_AT(a, \"before muteks lock in Pair::back\");\n  REEX_SCHEDULE(\"a->b\");\n  Pair pair;");
  ASSERT_EQ(project.build().status, 0);
  const Ran ran = explore(project.folder(), {}, {project.binary()});
  EXPECT_EQ(ran.status, 5) << describe(ran);
  EXPECT_NE(ran.output.find("there is no such operation"), std::string::npos) << describe(ran);
}

// Once the mistake is mended, the schedule is impossible, and that is what the test expects.
TEST(Promote, ATestThatStaysInfeasible) {
  Project project("counter_gtest_test", {"counter_gtest_test.cpp", "counter.h"}, true);
  const std::string file = project.fail("gtest");
  const Ran ran = project.promote(file, {"--apply", "--in-product", "--expect", "infeasible"});
  ASSERT_EQ(ran.status, 0) << describe(ran);
  ASSERT_EQ(project.build().status, 0);
  const Words only{"--gtest_filter=*UnderSchedule"};
  EXPECT_EQ(project.native_failures(only), k_native_runs);

  project.replace("counter.h", "  void add() {", "  void add() {\n    const std::lock_guard lock(m_mutex);");
  ASSERT_EQ(project.build().status, 0);
  EXPECT_EQ(Running(project.folder(), {project.binary(), only[0]}).wait().status, 0);
  const Words filter{"--filter", "*UnderSchedule"};
  const Ran mended = explore(project.folder(), filter, {project.binary()});
  EXPECT_EQ(mended.status, 0) << describe(mended);
  EXPECT_EQ(mended.report["imunit"]["verdict"], "infeasible") << describe(mended);
  EXPECT_EQ(mended.report["imunit"]["proved"], true) << describe(mended);
  project.replace("counter_gtest_test.cpp", "REEX_INFEASIBLE", "REEX_SCHEDULE");
  ASSERT_EQ(project.build().status, 0);
  EXPECT_EQ(explore(project.folder(), filter, {project.binary()}).status, 1);
  EXPECT_EQ(Running(project.folder(), {project.binary(), only[0]}).wait().status, 1);
}

// Each framework. The test passes once the mistake is mended, though its schedule has become impossible.
void passes_once_mended(const std::string& test, bool googletest, const std::string& kind,
                        const Words& only) {
  Project project(test, {test + ".cpp", "counter.h"}, googletest);
  const std::string file = project.fail(kind);
  const Ran ran = project.promote(file, {"--apply", "--in-product", "--expect", "passes"});
  ASSERT_EQ(ran.status, 0) << describe(ran);
  ASSERT_EQ(project.build().status, 0);
  EXPECT_EQ(project.native_failures(only), k_native_runs);
  project.replace("counter.h", "  void add() {", "  void add() {\n    const std::lock_guard lock(m_mutex);");
  ASSERT_EQ(project.build().status, 0);
  Words words{project.binary()};
  words.insert(words.end(), only.begin(), only.end());
  const Ran native = Running(project.folder(), words).wait();
  EXPECT_EQ(native.status, 0) << describe(native);
  const Ran mended = explore(project.folder(), {}, {project.binary()});
  EXPECT_EQ(mended.status, 0) << describe(mended);
}

TEST(Promote, PassesInGoogleTest) {
  passes_once_mended("counter_gtest_test", true, "gtest", {"--gtest_filter=*UnderSchedule"});
}
TEST(Promote, PassesInCatch2) {
  passes_once_mended("counter_catch_test", false, "catch2", {"counts both under schedule"});
}
TEST(Promote, PassesInDoctest) {
  passes_once_mended("counter_doctest_test", false, "doctest", {"-tc=counts both under schedule"});
}

TEST(Promote, ShowsAndWritesNothingWithoutApply) {
  Project project("flags_test", {"flags_test.cpp"}, true);
  const std::string before = read_file(project / "flags_test.cpp");
  const std::string file = project.fail("gtest", {"--filter", "Flags.LostUpdate"});
  const Ran ran = project.promote(file, {});
  EXPECT_EQ(ran.status, 0) << describe(ran);
  EXPECT_NE(ran.output.find("+TEST(Flags, LostUpdateUnderSchedule) {"), std::string::npos) << describe(ran);
  EXPECT_NE(ran.output.find("--apply writes it"), std::string::npos) << describe(ran);
  EXPECT_EQ(read_file(project / "flags_test.cpp"), before);
}

TEST(Promote, RefusesByName) {
  Project project("flags_test", {"flags_test.cpp"}, true);
  const std::string file = project.fail("gtest", {"--filter", "Flags.LostUpdate"});
  const Ran unbuilt = command(project.folder(), {"promote", file});
  EXPECT_EQ(unbuilt.status, 2) << describe(unbuilt);
  EXPECT_NE(unbuilt.output.find("--build"), std::string::npos) << describe(unbuilt);
  const Ran broken = command(project.folder(), {"promote", file, "--build", "echo no compiler; exit 1"});
  EXPECT_EQ(broken.status, 2) << describe(broken);
  EXPECT_NE(broken.output.find("no compiler"), std::string::npos) << describe(broken);
  const Ran there = project.promote(file, {"--to", "flags_test.cpp"});
  EXPECT_EQ(there.status, 2) << describe(there);
  EXPECT_NE(there.output.find("is there already"), std::string::npos) << describe(there);

  project.replace("flags_test.cpp", "int g_shared = 0;", "int g_shared = 0; int g_other = 1;");
  project.replace("flags_test.cpp", "return g_shared;", "return g_shared + g_other - 1;");
  ASSERT_EQ(project.build().status, 0);
  const Ran rebuilt = project.promote(file, {});
  EXPECT_EQ(rebuilt.status, 2) << describe(rebuilt);
  EXPECT_NE(rebuilt.output.find("was rebuilt since"), std::string::npos) << describe(rebuilt);
}

// A check that needs more than the orderings: natively it is not made, so no run fails.
TEST(Promote, RefusesWhatDoesNotFailNatively) {
  Project project("counter_gtest_test", {"counter_gtest_test.cpp", "counter.h"}, true);
  project.replace("counter_gtest_test.cpp", "#include <thread>", "#include <dlfcn.h>\n#include <thread>");
  project.replace("counter_gtest_test.cpp", "  EXPECT_EQ(counter.value(), 2);",
                  "  if (dlsym(RTLD_DEFAULT, \"reex_imunit_begin\") != nullptr) {\n"
                  "    EXPECT_EQ(counter.value(), 2);\n  }");
  const std::string before = read_file(project / "counter_gtest_test.cpp");
  const Ran ran = project.promote(project.fail("gtest"), {"--apply", "--in-product"});
  EXPECT_EQ(ran.status, 2) << describe(ran);
  EXPECT_NE(ran.output.find("natively none of 10 runs fail under the schedule"), std::string::npos)
      << describe(ran);
  EXPECT_EQ(read_file(project / "counter_gtest_test.cpp"), before);
}

TEST(Promote, RefusesWhatOrderingsCannotExpress) {
  Project project("flags_test", {"flags_test.cpp"}, true);
  const std::string file = project.fail("gtest", {"--filter", "Flags.LostUpdate"});
  nlohmann::json recorded = nlohmann::json::parse(read_file(file));
  const auto promote = [&](const nlohmann::json& changed) {
    const fs::path path = project / "changed.reex";
    std::ofstream(path) << changed.dump();
    return project.promote(path.string(), {});
  };
  nlohmann::json livelock = recorded;
  livelock["outcome"]["failure"] = "livelock";
  const Ran spins = promote(livelock);
  EXPECT_EQ(spins.status, 2) << describe(spins);
  EXPECT_NE(spins.output.find("it is a livelock"), std::string::npos) << describe(spins);
  nlohmann::json race = recorded;
  race["outcome"]["failure"] = "data-race";
  const Ran races = promote(race);
  EXPECT_EQ(races.status, 2) << describe(races);
  EXPECT_NE(races.output.find("natively nothing fails"), std::string::npos) << describe(races);
}

} // namespace
} // namespace reex::promote_test
