#include "cli/subject/loaded_libraries.h"

#include <gtest/gtest.h>

namespace reex::test {
namespace {

using Names = std::vector<std::string>;

TEST(LoadedLibraries, AreReadFromTheLoader) {
  const LoadedLibraries found =
      parse_loaded_libraries("\tlinux-vdso.so.1 (0x00007ffe12345000)\n"
                             "\tliba.so => /x/with (0x1) blank/liba.so (0x00007f01)\n"
                             "\tlibgone.so => not found\n"
                             "\t/x/libb.so (0x00007f02)\n"
                             "\t/lib64/ld-linux-x86-64.so.2 (0x00007f03)\n");
  EXPECT_EQ(found.paths, (Names{"/x/with (0x1) blank/liba.so", "/x/libb.so", "/lib64/ld-linux-x86-64.so.2"}));
  EXPECT_EQ(found.absent, Names{"libgone.so"});
  EXPECT_EQ(found.error, "");
}

TEST(LoadedLibraries, OtherWordsAreNoLibraries) {
  const LoadedLibraries found = parse_loaded_libraries("\tstatically linked\n\n/x/liba.so: error\n\t => \n");
  EXPECT_EQ(found.paths, Names{});
  EXPECT_EQ(found.absent, Names{});
}

} // namespace
} // namespace reex::test
