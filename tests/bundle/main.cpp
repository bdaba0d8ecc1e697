// The main function of the GoogleTest binaries that ctest runs in a few processes: with --part=I/N it runs
// every Nth group of cases, from the Ith on. A group is what has a parameter in common, so that it can share
// what it ran, or a case without one. Without --part it is GoogleTest's own, --gtest_filter and all.
// (GTEST_SHARD_INDEX would do it nearly as well, but reex takes that variable for itself.)
#include <cstdio>
#include <map>
#include <string>

#include <gtest/gtest.h>

namespace {

// "All/Conformance.RandomAgrees/locks_normal" is in group "All/Conformance/locks_normal".
std::string group_of(const testing::TestInfo& test) {
  const std::string suite = test.test_suite_name();
  const std::string name = test.name();
  if (test.value_param() == nullptr) return suite + "." + name;
  return suite + name.substr(name.find('/'));
}

// A filter for the cases of part `index` of `count`.
std::string filter_of(unsigned index, unsigned count) {
  const testing::UnitTest& all = *testing::UnitTest::GetInstance();
  std::map<std::string, std::size_t> groups;
  std::string filter;
  for (int i = 0; i < all.total_test_suite_count(); ++i) {
    const testing::TestSuite& suite = *all.GetTestSuite(i);
    for (int j = 0; j < suite.total_test_count(); ++j) {
      const testing::TestInfo& test = *suite.GetTestInfo(j);
      const std::size_t group = groups.try_emplace(group_of(test), groups.size()).first->second;
      if (group % count != index - 1) continue;
      if (!filter.empty()) filter += ':';
      filter += std::string(suite.name()) + '.' + test.name();
    }
  }
  return filter;
}

} // namespace

int main(int argc, char** argv) {
  testing::InitGoogleTest(&argc, argv);
  if (argc == 1) return RUN_ALL_TESTS();
  unsigned index = 0;
  unsigned count = 0;
  char rest = 0;
  const bool read = std::sscanf(argv[1], "--part=%u/%u%c", &index, &count, &rest) == 2;
  if (argc != 2 || !read || index < 1 || index > count || testing::GTEST_FLAG(filter) != "*") {
    std::fprintf(stderr, "usage: %s [--part=I/N | --gtest_filter=PATTERN] [options of GoogleTest]\n",
                 argv[0]);
    return 2;
  }
  const std::string filter = filter_of(index, count);
  if (filter.empty()) {
    std::fprintf(stderr, "%s: there are no cases for part %u of %u\n", argv[0], index, count);
    return 2;
  }
  testing::GTEST_FLAG(filter) = filter;
  return RUN_ALL_TESTS();
}
