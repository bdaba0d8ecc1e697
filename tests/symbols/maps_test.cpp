// The text of /proc/PID/maps.
#include <gtest/gtest.h>

#include <unistd.h>

#include "reex/symbols/maps.h"

namespace reex::test {
namespace {

TEST(Maps, ExecutableFileMappingsAreKept) {
  const std::vector<MappedModule> modules =
      parse_maps("555555554000-555555555000 r--p 00000000 08:01 1 /tmp/a b\n"
                 "555555555000-555555556000 r-xp 00001000 08:01 1 /tmp/a b\n"
                 "7ffff7fc1000-7ffff7fc3000 r-xp 00000000 00:00 0 [vdso]\n"
                 "7ffff7000000-7ffff7001000 r-xp 00000000 00:00 0 \n"
                 "garbage\n"
                 "7f0000000000-7f0000002000 r-xp 00003000 08:01 2 /x/y (deleted)");
  ASSERT_EQ(modules.size(), 2U);
  EXPECT_EQ(modules[0].path, "/tmp/a b");
  EXPECT_EQ(modules[0].start, 0x555555555000U);
  EXPECT_EQ(modules[0].end, 0x555555556000U);
  EXPECT_EQ(modules[0].file_offset, 0x1000U);
  EXPECT_EQ(modules[1].path, "/x/y");
}

TEST(Maps, OwnProcess) { EXPECT_FALSE(read_maps(getpid()).empty()); }

} // namespace
} // namespace reex::test
