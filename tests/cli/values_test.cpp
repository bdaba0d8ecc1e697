#include "cli/options/values.h"

#include <gtest/gtest.h>

#include "cli/options/duration.h"
#include "cli/run/explore_tests.h"
#include "cli/run/run_plan.h"
#include "cli/terminal/color.h"

namespace reex {
namespace {

using std::chrono::milliseconds;

TEST(Duration, HasUnits) {
  EXPECT_EQ(parse_duration("500ms"), milliseconds(500));
  EXPECT_EQ(parse_duration("60s"), milliseconds(60'000));
  EXPECT_EQ(parse_duration("60"), milliseconds(60'000));
  EXPECT_EQ(parse_duration("1.5m"), milliseconds(90'000));
  EXPECT_EQ(parse_duration("2h"), milliseconds(7'200'000));
  EXPECT_EQ(parse_duration("0s"), milliseconds(0));
}

TEST(Duration, RefusesWhatIsNone) {
  for (const char* text : {"", "s", "-1s", "5x", "5 s", "1e3s", "nan", "inf", "5sec", "99999999999h"}) {
    EXPECT_FALSE(parse_duration(text).has_value()) << text;
  }
}

// The order of precedence: --color, NO_COLOR, CLICOLOR_FORCE, isatty and TERM.
TEST(Color, FollowsTheTable) {
  struct Case {
    ColorMode mode;
    ColorEnvironment environment;
    bool colored;
  };
  const Case cases[] = {
      {ColorMode::always, {"1", "", "dumb", false}, true},
      {ColorMode::never, {"", "1", "xterm", true}, false},
      {ColorMode::automatic, {"1", "1", "xterm", true}, false},
      {ColorMode::automatic, {"", "1", "dumb", false}, true},
      {ColorMode::automatic, {"", "0", "xterm", false}, false},
      {ColorMode::automatic, {"", "0", "xterm", true}, true},
      {ColorMode::automatic, {"", "", "xterm", true}, true},
      {ColorMode::automatic, {"", "", "dumb", true}, false},
      {ColorMode::automatic, {"", "", "", true}, false},
      {ColorMode::automatic, {"", "", "xterm", false}, false},
  };
  for (const Case& one : cases) {
    EXPECT_EQ(decide_color(one.mode, one.environment), one.colored)
        << one.environment.no_color << '/' << one.environment.clicolor_force << '/' << one.environment.term;
  }
}

TEST(Values, AreReadOrRefused) {
  EXPECT_EQ(parse_bound("--bound", "0"), 0U);
  EXPECT_EQ(parse_bound("--bound", "none"), std::nullopt);
  EXPECT_THROW(parse_bound("--bound", "-1"), UsageError);
  EXPECT_THROW(parse_bound("--bound", "2x"), UsageError);
  EXPECT_EQ(parse_size("--memory-limit", "64MiB"), std::uint64_t{64} << 20);
  EXPECT_EQ(parse_size("--memory-limit", "1.5GiB"), std::uint64_t{3} << 29);
  EXPECT_EQ(parse_size("--memory-limit", "1000"), 1000U);
  EXPECT_EQ(parse_size("--memory-limit", "none"), std::nullopt);
  for (const char* text : {"", "0", "-1GiB", "5MB", "5 MiB", "GiB", "nan", "99999999999GiB"})
    EXPECT_THROW(parse_size("--memory-limit", text), UsageError) << text;
  EXPECT_EQ(parse_number("--seed", "18446744073709551615"), UINT64_MAX);
  EXPECT_THROW(parse_number("--seed", "18446744073709551616"), UsageError);
  EXPECT_THROW(parse_number("--schedules", "0", 1), UsageError);
  EXPECT_EQ(parse_heuristic("--heuristic", "loa"), "LOA");
  EXPECT_THROW(parse_heuristic("--heuristic", "LOB"), UsageError);
  EXPECT_EQ(parse_accesses("--accesses", "all"), Accesses::all);
  EXPECT_EQ(parse_accesses("--accesses", "racy"), Accesses::racy);
  EXPECT_THROW(parse_accesses("--accesses", "some"), UsageError);
  EXPECT_EQ(parse_races("--races", "fail"), Races::fail);
  EXPECT_EQ(parse_races("--races", "off"), Races::off);
  EXPECT_EQ(parse_races("--races", "changed"), Races::changed);
  EXPECT_THROW(parse_races("--races", "maybe"), UsageError);
  EXPECT_TRUE(parse_flag("REEX_STRICT", "yes"));
  EXPECT_THROW(parse_flag("REEX_STRICT", "maybe"), UsageError);
}

TEST(Values, Places) {
  EXPECT_EQ(parse_place("--why", "src/queue.h:8"), std::make_pair(std::string("src/queue.h"), 8U));
  EXPECT_EQ(parse_place("--why", "a:b.h:12"), std::make_pair(std::string("a:b.h"), 12U));
  for (const char* text : {"", "queue.h", ":8", "queue.h:", "queue.h:0", "queue.h:x", "queue.h:99999999999"})
    EXPECT_THROW(parse_place("--why", text), UsageError) << text;
}

TEST(Values, ListFormats) {
  EXPECT_TRUE(parse_format("--format", "text").text);
  EXPECT_EQ(parse_format("--format", "text,json:a,json:b").files,
            (std::vector<ReportFile>{{ReportKind::json, "a"}, {ReportKind::json, "b"}}));
  EXPECT_EQ(parse_format("--format", "jsonl:a,junit:b,sarif:c,markdown:d,html:e,github").files,
            (std::vector<ReportFile>{{ReportKind::jsonl, "a"},
                                     {ReportKind::junit, "b"},
                                     {ReportKind::sarif, "c"},
                                     {ReportKind::markdown, "d"},
                                     {ReportKind::html, "e"},
                                     {ReportKind::github, "-"}}));
  EXPECT_TRUE(parse_format("--format", "github").text);
  EXPECT_FALSE(parse_format("--format", "jsonl:-").text);
  EXPECT_TRUE(parse_format("--format", "json:a").text);
  EXPECT_FALSE(parse_format("--format", "json:-").text);
  for (const char* text : {"", "xml", "json:", "json", "text,", "text,json:-"}) {
    EXPECT_THROW(parse_format("--format", text), UsageError) << text;
  }
}

TEST(RacesPolicy, DependsOnWhetherThereIsSomethingToCompareWith) {
  Options options;
  EXPECT_EQ(races_policy(options), Races::fail);
  options.races = Races::changed; // as a setting: without a change, all races count
  EXPECT_EQ(races_policy(options), Races::fail);
  EXPECT_NO_THROW(check_races(options));
  options.by_option.insert("races");
  EXPECT_THROW(check_races(options), UsageError);
  options.base_binary = "old";
  EXPECT_NO_THROW(check_races(options));
  EXPECT_EQ(races_policy(options), Races::changed);
  options.base_binary.clear();
  options.change.base = "HEAD~1";
  options.races.reset();
  EXPECT_EQ(races_policy(options), Races::changed);
  options.races = Races::report;
  EXPECT_EQ(races_policy(options), Races::report);
}

} // namespace
} // namespace reex
