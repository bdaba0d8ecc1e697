#include "reex/process/test_filter.h"

#include <gtest/gtest.h>

namespace reex {
namespace {

TEST(GtestFilter, MatchesAsGoogleTestDoes) {
  struct Case {
    const char* filter;
    const char* name;
    bool matches;
  };
  const Case cases[] = {
      {"*", "A.B", true},
      {"A.B", "A.B", true},
      {"A.B", "A.Bc", false},
      {"A.B", "xA.B", false},
      {"A.*", "A.B", true},
      {"*.B", "A.B", true},
      {"?.B", "A.B", true},
      {"?.B", "AA.B", false},
      {"A.?", "A.", false},
      {"A.B:C.D", "C.D", true},
      {"A.B:C.D", "C.E", false},
      {"-A.B", "A.B", false},
      {"-A.B", "A.C", true},
      {"A.*-A.B", "A.B", false},
      {"A.*-A.B", "A.C", true},
      {"A.*-A.B:A.C", "A.C", false},
      {"*a*a*", "A.banana", true},
      {"*a*b", "A.banana", false},
      {"**", "A.B", true},
      {"", "A.B", true},
      {":", "A.B", false},
      {"X/0.Y/1", "X/0.Y/1", true},
      {"X/?.Y/*", "X/0.Y/12", true},
      {"a.b", "A.B", false},
  };
  for (const Case& one : cases) {
    EXPECT_EQ(test_filter_matches(one.filter, one.name), one.matches) << one.filter << " and " << one.name;
  }
}

} // namespace
} // namespace reex
