// What a file has to do with others, and that a file that cannot be read is not taken for one without
// symbols.
#include <gtest/gtest.h>

#include <elf.h>
#include <fstream>
#include <iterator>

#include "reex/symbols/linkage.h"
#include "tests/symbols/compiled.h"

namespace reex::test {
namespace {

TEST(LinkageOfAFile, HasWhatItWantsAndOffers) {
  const Compiled library("g++ -fPIC -shared", "extern int wanted;\nint offered() { return wanted; }\n");
  ASSERT_TRUE(library.ok());
  const auto linkage = read_linkage(library.binary());
  ASSERT_TRUE(linkage);
  EXPECT_TRUE(linkage->offered.contains("_Z7offeredv"));
  EXPECT_NE(std::find(linkage->wanted.begin(), linkage->wanted.end(), "wanted"), linkage->wanted.end());
  EXPECT_FALSE(linkage->instrumented);
}

TEST(LinkageOfAFile, IsNotKnownIfItCannotBeRead) {
  const Compiled library("g++ -fPIC -shared", "int offered() { return 1; }\n");
  ASSERT_TRUE(library.ok());
  EXPECT_FALSE(read_linkage("/nonexistent"));
  EXPECT_FALSE(read_linkage(library.source())) << "not an ELF file";

  std::ifstream file(library.binary(), std::ios::binary);
  std::string bytes(std::istreambuf_iterator<char>(file), {});
  reinterpret_cast<Elf64_Ehdr*>(bytes.data())->e_shoff = 0;
  reinterpret_cast<Elf64_Ehdr*>(bytes.data())->e_shnum = 0;
  const std::string stripped = library.binary() + ".stripped";
  std::ofstream(stripped, std::ios::binary) << bytes;
  EXPECT_FALSE(read_linkage(stripped)) << "no section headers";
}

} // namespace
} // namespace reex::test
