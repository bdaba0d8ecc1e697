#include "reex/trace/lock_scope.h"

#include <gtest/gtest.h>

#include "reex/run/result.h"

namespace reex {
namespace {

Frame at(const char* function, unsigned line, unsigned column = 1) {
  Frame frame;
  frame.function = function;
  frame.file = "/a.cpp";
  frame.line = line;
  frame.column = column;
  return frame;
}

Frame in_library(const char* function) {
  Frame frame = at(function, 7);
  frame.system_header = true;
  return frame;
}

using Stack = std::vector<Frame>;

struct Row {
  const char* name;
  Stack taken, later; // innermost first
  std::size_t scope;
};

TEST(ScopeOf, IsWhereTheLockIsHeld) {
  const Row table[] = {
      {"by the function itself", {at("f", 5), at("main", 20)}, {at("f", 7), at("main", 20)}, 0},
      {"by a guard",
       {at("Lock::lock", 3), at("Guard::Guard", 4), at("f", 5), at("main", 20)},
       {at("Lock::unlock", 2), at("Guard::~Guard", 6), at("f", 9), at("main", 20)},
       2},
      {"by a guard of the library",
       {in_library("lock"), in_library("lock_guard"), at("f", 5), at("main", 20)},
       {at("f", 7), at("main", 20)},
       2},
      {"in another function of the same line",
       {at("Lock::lock", 3), at("main", 20)},
       {at("Lock::unlock", 4), at("main", 20)},
       1},
      {"twice on a line",
       {at("Lock::lock", 3), at("f", 5, 10), at("main", 20)},
       {at("Lock::lock", 3), at("f", 5, 30), at("main", 20)},
       1},
      {"by a function that calls on", {at("f", 5)}, {at("g", 9), at("f", 6)}, 0},
      {"by the same call again", {at("f", 5), at("main", 20)}, {at("f", 5), at("main", 20)}, 0},
      {"of another thread's start", {at("f", 5)}, {at("g", 5)}, 0},
      {"for a library",
       {at("f", 5), in_library("call"), at("main", 20)},
       {at("g", 5), in_library("call"), at("main", 20)},
       0},
      {"where nothing is known", {at("f", 5)}, {}, 0},
  };
  for (const Row& row : table) EXPECT_EQ(scope_of(row.taken, row.later), row.scope) << row.name;
}

TEST(MarkHelpers, LeavesAtLeastOneFrame) {
  Stack stack = {at("lock", 3), at("f", 5)};
  mark_helpers(stack, 2);
  EXPECT_EQ(shown_frame(stack)->line, 3U);
  mark_helpers(stack, 1);
  EXPECT_EQ(shown_frame(stack)->line, 5U);
  EXPECT_EQ(user_frame(stack)->line, 3U);
}

TEST(MarkHelpers, NeverHidesAChangedLine) {
  Stack stack = {at("lock", 3), at("guard", 4), at("f", 5)};
  stack[1].changed = true;
  mark_helpers(stack, 2);
  EXPECT_EQ(shown_frame(stack)->line, 3U);
}

TEST(FramesOf, AreTheInnermostOnesOfHelpers) {
  const std::set<std::string> helpers = {"lock", "guard"};
  EXPECT_EQ(frames_of({at("lock", 3), in_library("x"), at("guard", 4), at("f", 5)}, helpers), 3U);
  EXPECT_EQ(frames_of({in_library("x"), at("lock", 4), at("f", 5), at("guard", 4)}, helpers), 2U);
  EXPECT_EQ(frames_of({at("f", 5), at("lock", 3)}, helpers), 0U);
}

} // namespace
} // namespace reex
