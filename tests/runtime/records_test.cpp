// Which accesses race where a loop goes over neighbouring elements, for each size and each element.
#include <gtest/gtest.h>

#include "tests/runtime/tool.h"

namespace reex::runtime_test {
namespace {

using namespace reex::tool;

struct Loop {
  const char* scenario;
  unsigned size;
};

void PrintTo(const Loop& loop, std::ostream* out) { *out << loop.scenario << '_' << loop.size; }

class Records : public testing::TestWithParam<Loop> {
protected:
  // Whether the element is among those that race.
  static bool races_at(const std::string& scenario, int index, int count) {
    return scenario == "again" ? index == 2 : index > 0 && index < count - 1;
  }
};

TEST_P(Records, AreOfEachElement) {
  const auto& [scenario, size] = GetParam();
  const int count = 32 / static_cast<int>(size);
  const std::string bytes = size == 1 ? " 1 byte" : " " + std::to_string(size) + " bytes";
  for (int index = 0; index < count; ++index) {
    const Folder folder;
    const Ran ran =
        explore(folder, {"--races", "report"},
                {REEX_PROGRAMS "/records", scenario, std::to_string(size), std::to_string(index)});
    ASSERT_TRUE(ran.report.is_object()) << index << describe(ran);
    EXPECT_EQ(ran.status, 0) << index << describe(ran);
    EXPECT_EQ(ran.report["findings"].size(), races_at(scenario, index, count) ? 1U : 0U)
        << index << describe(ran);
    for (const auto& race : ran.report["findings"])
      for (const auto& side : race["where"])
        EXPECT_TRUE(side["state"].get<std::string>().ends_with(bytes)) << index << describe(ran);
  }
}

INSTANTIATE_TEST_SUITE_P(Race, Records,
                         testing::Values(Loop{"written", 1}, Loop{"written", 2}, Loop{"written", 4},
                                         Loop{"written", 8}, Loop{"read", 1}, Loop{"read", 2},
                                         Loop{"read", 4}, Loop{"again", 1}, Loop{"again", 2},
                                         Loop{"again", 4}, Loop{"again", 8}),
                         [](const auto& given) {
                           return given.param.scenario + std::string("_") + std::to_string(given.param.size);
                         });

} // namespace
} // namespace reex::runtime_test
