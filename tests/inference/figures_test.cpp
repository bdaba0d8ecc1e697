// The examples of the dissertation: Figures 3.1, 3.3, 3.5 and 3.6.
#include <gtest/gtest.h>

#include "imunit/events.h"
#include "imunit/orderings.h"

namespace reex::inference {
namespace {

constexpr int k_main = 0;
constexpr int k_adder = 1;

// Figure 3.5, with its statement numbers. The BLOCK_CALL is at the statement of the test, not at 155.
Log figure_3_5() {
  using enum EntryType;
  return {{.type = th_start, .thread = k_main, .statement = 333, .child = k_adder},
          {.type = sleep_call, .thread = k_main, .statement = 334},
          {.type = other_call, .thread = k_adder, .info = "add", .statement = 326},
          {.type = other_return, .thread = k_adder, .info = "add", .statement = 326},
          {.type = sleep_call, .thread = k_adder, .statement = 328},
          {.type = sleep_return, .thread = k_main, .statement = 334},
          {.type = other_call, .thread = k_main, .info = "take", .statement = 336},
          {.type = other_return, .thread = k_main, .info = "take", .statement = 336},
          {.type = other_call, .thread = k_main, .info = "take", .statement = 339},
          {.type = block_call, .thread = k_main, .statement = 339},
          {.type = sleep_return, .thread = k_adder, .statement = 328},
          {.type = other_call, .thread = k_adder, .info = "add", .statement = 330},
          {.type = other_return, .thread = k_adder, .info = "add", .statement = 330},
          {.type = block_return, .thread = k_main, .statement = 339},
          {.type = other_return, .thread = k_main, .info = "take", .statement = 339}};
}

// The same with the events of Figure 3.1(c), as Figure 3.7 has it.
Log figure_3_7() {
  using enum EntryType;
  return {{.type = th_start, .thread = k_main, .child = k_adder},
          {.type = sleep_call, .thread = k_main},
          {.type = other_return, .thread = k_adder, .info = "add"},
          {.type = event, .thread = k_adder, .info = "finishedAdd1"},
          {.type = sleep_call, .thread = k_adder},
          {.type = sleep_return, .thread = k_main},
          {.type = event, .thread = k_main, .info = "startingTake1"},
          {.type = other_return, .thread = k_main, .info = "take"},
          {.type = event, .thread = k_main, .info = "startingTake2"},
          {.type = block_call, .thread = k_main},
          {.type = sleep_return, .thread = k_adder},
          {.type = event, .thread = k_adder, .info = "startingAdd2"},
          {.type = other_return, .thread = k_adder, .info = "add"},
          {.type = block_return, .thread = k_main},
          {.type = other_return, .thread = k_main, .info = "take"},
          {.type = th_end, .thread = k_adder}};
}

TEST(Figures, EventsOfTheExample) {
  std::vector<Log> logs = {figure_3_5()};
  const std::vector<StaticEvent> events = infer_events(logs, 0.5).events;
  const std::vector<StaticEvent> expected = {
      {328, "finished", 326}, {336, "starting", 336}, {339, "starting", 339}, {330, "starting", 330}};
  EXPECT_EQ(events, expected);
}

TEST(Figures, RegionsAsPrintedLoseTheBlockEvent) {
  std::vector<Log> logs = {figure_3_5()};
  const std::vector<StaticEvent> events = infer_events(logs, 0.5, Region::printed).events;
  const std::vector<StaticEvent> expected = {{328, "finished", 326}, {336, "starting", 336}};
  EXPECT_EQ(events, expected);
  EXPECT_TRUE(logs[0][4].idle) << "the adder's sleep";
  EXPECT_FALSE(logs[0][1].idle);
}

TEST(Figures, ScheduleOfTheExample) {
  const InferredOrderings inferred = infer_orderings({figure_3_7()}, 0.5);
  EXPECT_EQ(inferred.schedule(), "finishedAdd1->startingTake1, [startingTake2]->startingAdd2");
  EXPECT_EQ(inferred.original, 2u);
}

TEST(Figures, SleepBeforeCreationIsThatOfTheCreated) {
  using enum EntryType;
  const Log log = {{.type = th_start, .thread = 0, .child = 1},
                   {.type = sleep_call, .thread = 0, .statement = 1},
                   {.type = other_call, .thread = 1, .info = "put", .statement = 2},
                   {.type = other_return, .thread = 1, .info = "put", .statement = 2},
                   {.type = th_end, .thread = 1, .statement = 3},
                   {.type = sleep_return, .thread = 0, .statement = 1},
                   {.type = th_start, .thread = 0, .child = 2},
                   {.type = other_call, .thread = 2, .info = "get", .statement = 4},
                   {.type = other_return, .thread = 2, .info = "get", .statement = 4},
                   {.type = other_call, .thread = 0, .info = "size", .statement = 5}};
  const Log moved = preprocessed(log);
  EXPECT_EQ(moved[5].type, th_start);
  EXPECT_EQ(moved[6].type, sleep_return);
  EXPECT_EQ(moved[6].thread, 2);
  std::vector<Log> logs = {log};
  const std::vector<StaticEvent> expected = {{3, "finished", 2}, {4, "starting", 4}};
  EXPECT_EQ(infer_events(logs, 0.5).events, expected);
}

TEST(Events, OfOneLogInThreeAreOfLowConfidence) {
  Log without = figure_3_5();
  without.erase(without.begin() + 9); // main does not block
  std::vector<Log> logs = {figure_3_5(), without, without};
  EXPECT_EQ(infer_events(logs, 0.5).events.size(), 2u);
  EXPECT_EQ(infer_events(logs, 0.5).low_confidence.size(), 2u);
  EXPECT_EQ(infer_events(logs, 0.3).events.size(), 4u);
}

TEST(Events, NoneOfAThreadThatDoesNothing) {
  using enum EntryType;
  std::vector<Log> logs = {{{.type = sleep_call, .thread = 0, .statement = 1},
                            {.type = sleep_call, .thread = 1, .statement = 2},
                            {.type = sleep_return, .thread = 0, .statement = 1},
                            {.type = other_call, .thread = 0, .info = "x", .statement = 3},
                            {.type = sleep_return, .thread = 1, .statement = 2}}};
  EXPECT_TRUE(infer_events(logs, 0.5).events.empty());
}

TEST(Events, AJoinIsAnEndAndNoBlock) {
  using enum EntryType;
  std::vector<Log> logs = {{{.type = sleep_call, .thread = 1, .statement = 1},
                            {.type = other_call, .thread = 0, .info = "look", .statement = 2},
                            {.type = other_return, .thread = 0, .info = "look", .statement = 2},
                            {.type = other_call, .thread = 0, .info = "join", .statement = 3},
                            {.type = block_call, .thread = 0, .info = "join", .statement = 3},
                            {.type = sleep_return, .thread = 1, .statement = 1},
                            {.type = other_call, .thread = 1, .info = "fire", .statement = 4}}};
  const std::vector<StaticEvent> expected = {{3, "finished", 2}, {4, "starting", 4}};
  EXPECT_EQ(infer_events(logs, 0.5).events, expected);
}

TEST(Events, ASleepWithoutReturnIsNoRegion) {
  std::vector<Log> logs = {{{.type = EntryType::sleep_call, .thread = 0, .statement = 1},
                            {.type = EntryType::block_call, .thread = 1, .statement = 2}}};
  EXPECT_TRUE(infer_events(logs, 0.5).events.empty());
}

TEST(Orderings, OfAThreadThatHasGoneOnAreNotBlocking) {
  Log log = figure_3_7();
  log.insert(log.begin() + 10, {.type = EntryType::block_return, .thread = k_main});
  EXPECT_EQ(infer_orderings({log}, 0.5).schedule(),
            "finishedAdd1->startingTake1, startingTake2->startingAdd2");
}

TEST(Orderings, OfTwoLogsThatContradictAreOnACycle) {
  using enum EntryType;
  const auto log = [](int first, const char* a, int second, const char* b) {
    return Log{{.type = event, .thread = first, .info = a},
               {.type = sleep_call, .thread = second},
               {.type = sleep_return, .thread = second},
               {.type = event, .thread = second, .info = b}};
  };
  const InferredOrderings inferred = infer_orderings({log(0, "a", 1, "b"), log(1, "b", 0, "a")}, 0.5);
  EXPECT_TRUE(inferred.orderings.empty());
  EXPECT_EQ(inferred.on_cycles.size(), 2u);
}

TEST(Orderings, ThatFollowFromOthersAreLeftOut) {
  using enum EntryType;
  // a@0 -> b@1, then b@1 -> c@2, and a@0 -> c@2.
  const Log log = {{.type = event, .thread = 0, .info = "a"}, {.type = sleep_call, .thread = 1},
                   {.type = sleep_return, .thread = 1},       {.type = event, .thread = 1, .info = "b"},
                   {.type = sleep_call, .thread = 2},         {.type = sleep_return, .thread = 2},
                   {.type = event, .thread = 2, .info = "c"}};
  const InferredOrderings inferred = infer_orderings({log}, 0.5);
  EXPECT_EQ(inferred.schedule(), "a->b, b->c");
  ASSERT_EQ(inferred.transitive.size(), 1u);
  EXPECT_EQ(inferred.transitive[0].text(), "a->c");
}

TEST(Orderings, ThatACreationGivesAreLeftOut) {
  using enum EntryType;
  const Log log = {{.type = event, .thread = 0, .info = "a"},
                   {.type = sleep_call, .thread = 0},
                   {.type = sleep_return, .thread = 0},
                   {.type = th_start, .thread = 0, .child = 1},
                   {.type = event, .thread = 1, .info = "b"}};
  const InferredOrderings inferred = infer_orderings({log}, 0.5);
  EXPECT_EQ(inferred.schedule(), "");
  EXPECT_EQ(inferred.original, 1u);
}

TEST(Orderings, OfOneLogInThreeAreOfLowConfidence) {
  using enum EntryType;
  const Log with = {{.type = event, .thread = 0, .info = "a"},
                    {.type = sleep_call, .thread = 1},
                    {.type = sleep_return, .thread = 1},
                    {.type = event, .thread = 1, .info = "b"}};
  const Log without(with.begin(), with.begin() + 1);
  EXPECT_EQ(infer_orderings({with, without, without}, 0.5).low_confidence.size(), 1u);
  EXPECT_EQ(infer_orderings({with, without, without}, 0.3).schedule(), "a->b");
}

TEST(Logs, ArePrintedAsInTheFigure) {
  const std::string text = log_text(figure_3_5());
  EXPECT_TRUE(text.starts_with("TH_START(T1), T0, 333\nSLEEP_CALL, T0, 334\nOTHER_CALL(add), T1, 326\n"))
      << text;
}

} // namespace
} // namespace reex::inference
