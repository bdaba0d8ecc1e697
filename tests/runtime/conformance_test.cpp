// Every primitive in a small program: reex finds exactly the possible outcomes, the same in both kinds of
// isolation, with search and with random schedules, and with each compiler.
#include <set>

#include <gtest/gtest.h>

#include "tests/runtime/cases.h"
#include "tests/runtime/tool.h"

namespace reex::runtime_test {

void PrintTo(const Case& given, std::ostream* out) { *out << given.program << ' ' << given.scenario; }

namespace {

using namespace reex::tool;

const Words k_all{"--outcomes", "--keep-going", "0"};

Words with(Words first, const Words& second) {
  first.insert(first.end(), second.begin(), second.end());
  return first;
}

std::set<std::string> texts(const Outcomes& outcomes) {
  std::set<std::string> result;
  for (const auto& [text, seen] : outcomes) result.insert(text);
  return result;
}

// The number of schedules that are executed of a space that is not explored completely.
std::string first_schedules(const Case& given) {
  return given.space == Space::costly ? "40" : given.space == Space::large ? "400" : "5000";
}

bool explored_in_full(const Case& given) {
  return given.space == Space::whole || given.space == Space::bounded || given.space == Space::cut;
}

// The kinds of gaps that leave nothing to claim.
std::set<std::string> kinds_without_a_claim(const nlohmann::json& report) {
  std::set<std::string> kinds;
  for (const auto& gap : report["gaps"])
    if (gap["effect"] != "told") kinds.insert(gap["kind"]);
  return kinds;
}

// The search has come to its end, and claims it unless one of these gaps is there, which is then the only
// one.
void expect_in_full(const nlohmann::json& report, const std::set<std::string>& permitted) {
  const std::set<std::string> kinds = kinds_without_a_claim(report);
  EXPECT_TRUE(report["ended"] == "exhausted" || report["ended"] == "bound") << report.dump(1);
  EXPECT_EQ(report["exhausted"] == true || report["bound_completed"] == 2, kinds.empty()) << report.dump(1);
  for (const std::string& kind : kinds) EXPECT_TRUE(permitted.contains(kind)) << report.dump(1);
}

std::vector<Case> cases_where(bool (*condition)(const Case&)) {
  std::vector<Case> result;
  for (const Case& given : cases())
    if (condition(given)) result.push_back(given);
  return result;
}

std::string name_of(const testing::TestParamInfo<Case>& info) {
  return std::string(info.param.program) + "_" + info.param.scenario;
}

class Conformance : public testing::TestWithParam<Case> {
protected:
  Ran run(const Words& options, const std::string& variant = "") const {
    const Words program{REEX_PROGRAMS "/" + std::string(GetParam().program) + variant, GetParam().scenario};
    const bool pool = std::string(GetParam().scenario).starts_with("pool");
    return explore(m_folder, with(k_all, options), program,
                   pool ? Variables{{"START_POOL", "1"}} : Variables{});
  }

  // Explores in both kinds of isolation. Returns the report of the first.
  nlohmann::json same_in_both(const Words& options) const {
    const Ran restore =
        run(with(options, {"--isolation", "restore", "--schedule-log", (m_folder / "restore.log").string()}));
    const Ran fork =
        run(with(options, {"--isolation", "fork", "--schedule-log", (m_folder / "fork.log").string()}));
    EXPECT_TRUE(restore.report.is_object()) << describe(restore);
    EXPECT_TRUE(fork.report.is_object()) << describe(fork);
    if (!restore.report.is_object() || !fork.report.is_object()) return nullptr;
    EXPECT_EQ(restore.status, fork.status) << describe(restore) << describe(fork);
    EXPECT_EQ(restore.report["schedules"], fork.report["schedules"]) << describe(restore) << describe(fork);
    EXPECT_EQ(outcomes_of(restore.report), outcomes_of(fork.report));
    EXPECT_FALSE(read_file(m_folder / "fork.log").empty()) << describe(fork);
    EXPECT_EQ(read_file(m_folder / "restore.log"), read_file(m_folder / "fork.log"));
    EXPECT_EQ(fork.report["control"]["isolation"], "fork");
    EXPECT_EQ(restore.report["inconclusive"]["step_limit"], 0) << describe(restore);
    EXPECT_EQ(restore.report["inconclusive"]["watchdog"], 0) << describe(restore);
    return restore.report;
  }

  Folder m_folder;
};

class WithoutABound : public Conformance {};

TEST_P(WithoutABound, HasExactlyItsOutcomes) {
  const Ran ran = run({"--bound", "none", "--schedules", "20000"});
  ASSERT_TRUE(ran.report.is_object()) << describe(ran);
  EXPECT_EQ(texts(outcomes_of(ran.report)), GetParam().outcomes) << describe(ran);
  expect_in_full(ran.report, {"other-processes"});
}

INSTANTIATE_TEST_SUITE_P(All, WithoutABound, testing::ValuesIn(cases_where([](const Case& given) {
                           return given.space == Space::whole;
                         })),
                         name_of);

// Strategy auto goes beyond the bound until nothing is left, and its samples see nothing else and take no
// claim away.
class ByTurns : public Conformance {};

TEST_P(ByTurns, HasExactlyItsOutcomes) {
  const Ran ran = run({"--strategy", "auto", "--schedules", "50000"});
  ASSERT_TRUE(ran.report.is_object()) << describe(ran);
  EXPECT_EQ(ran.report["strategy"], "auto");
  EXPECT_EQ(texts(outcomes_of(ran.report)), GetParam().outcomes) << describe(ran);
  EXPECT_EQ(ran.report["exhausted"] == true, kinds_without_a_claim(ran.report).empty()) << describe(ran);
  expect_in_full(ran.report, {"other-processes"});
}

std::vector<Case> some_cases() {
  constexpr std::size_t k_step = 4;
  const std::vector<Case> all = cases_where([](const Case& given) { return given.space == Space::whole; });
  std::vector<Case> some;
  for (std::size_t i = 0; i < all.size(); i += k_step) some.push_back(all[i]);
  return some;
}

INSTANTIATE_TEST_SUITE_P(Some, ByTurns, testing::ValuesIn(some_cases()), name_of);

TEST_P(Conformance, RestoreAndForkAgree) {
  const auto report =
      same_in_both({"--bound", "2", "--schedules", first_schedules(GetParam()), "--reduction", "hb"});
  ASSERT_TRUE(report.is_object());
  EXPECT_EQ(texts(outcomes_of(report)), GetParam().outcomes);
  if (explored_in_full(GetParam())) {
    const bool cut = GetParam().space == Space::cut;
    expect_in_full(report, {"other-processes", "unseen-code", cut ? "loops" : ""});
    EXPECT_EQ(report["inconclusive"]["loops_cut"] != 0, cut) << report.dump(1);
  }
  const nlohmann::json& control = report["control"];
  if (GetParam().fork_reason == nullptr) {
    EXPECT_EQ(control["isolation"], "restore") << control;
  } else {
    EXPECT_EQ(control["isolation"], "fork") << control;
    EXPECT_NE(control.value("isolation_reason", "").find(GetParam().fork_reason), std::string::npos)
        << control;
  }
}

TEST_P(Conformance, RandomAgrees) {
  const unsigned schedules = GetParam().space == Space::costly ? 40 : 300;
  const auto report =
      same_in_both({"--strategy", "random", "--seed", "7", "--schedules", std::to_string(schedules)});
  ASSERT_TRUE(report.is_object());
  EXPECT_EQ(report["schedules"], schedules);
  for (const std::string& text : texts(outcomes_of(report)))
    EXPECT_TRUE(GetParam().outcomes.contains(text)) << text;
}

INSTANTIATE_TEST_SUITE_P(All, Conformance, testing::ValuesIn(cases()), name_of);

// Every compiler gives the same outcomes with the same fewest preemptions.
class Compilers : public Conformance {};

TEST_P(Compilers, Agree) {
  const Words options{"--bound", "2", "--schedules", first_schedules(GetParam())};
  std::map<std::string, std::map<std::string, unsigned>> seen;
  for (const std::string variant : {"", ".gcc_O0", ".clang_O0", ".clang_O2"}) {
    const Ran ran = run(options, variant);
    ASSERT_TRUE(ran.report.is_object()) << describe(ran);
    for (const auto& [text, found] : outcomes_of(ran.report)) seen[variant][text] = found.preemptions;
  }
  for (const auto& [variant, outcomes] : seen) EXPECT_EQ(outcomes, seen[""]) << variant;
}

bool compiled_in_variants(const Case& given) {
  return std::set<std::string>{"waits", "atomics", "cancel", "signals", "posix", "c11", "standard"}.contains(
      given.program);
}

INSTANTIATE_TEST_SUITE_P(All, Compilers, testing::ValuesIn(cases_where(compiled_in_variants)), name_of);

} // namespace
} // namespace reex::runtime_test
