// What reex reads from binaries without executing them.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>

#include "reex/symbols/binary_info.h"
#include "reex/symbols/build_id.h"
#include "reex/symbols/user_libraries.h"
#include "tests/symbols/compiled.h"

namespace reex::test {
namespace {

const char* const k_program =
    "#include <atomic>\nstd::atomic<int> x; int y;\nint main() { y = x++; return 0; }\n";

TEST(BinaryInfo, KindsOfBinaries) {
  struct Row {
    const char* compiler;
    bool is_static, debug, instrumented;
  };
  const Row rows[] = {
      {"g++ -g", false, true, false},
      {"g++", false, false, false},
      {"g++ -static -g", true, true, false},
      {"clang++ -g -no-pie", false, true, false},
      {"g++ -g -fsanitize=thread", false, true, true},
  };
  for (const Row& row : rows) {
    const Compiled program(row.compiler, k_program);
    ASSERT_TRUE(program.ok()) << row.compiler;
    const BinaryInfo info = read_binary_info(program.binary());
    EXPECT_EQ(info.error, "") << row.compiler;
    EXPECT_TRUE(info.x86_64) << row.compiler;
    EXPECT_TRUE(info.executable) << row.compiler;
    EXPECT_EQ(info.framework, Framework::none) << row.compiler;
    EXPECT_EQ(info.is_static, row.is_static) << row.compiler;
    EXPECT_EQ(info.has_debug_info, row.debug) << row.compiler;
    EXPECT_EQ(info.instrumented, row.instrumented) << row.compiler;
    EXPECT_EQ(info.links_tsan || info.contains_tsan, row.instrumented) << row.compiler;
  }
}

// A project names a binary in many tests; the second time it is not read. It may have been built anew since.
TEST(BinaryInfo, ReadsAgainWhatWasWritten) {
  const Compiled first("g++ -g", k_program);
  const Compiled second("g++ -g -fsanitize=thread", k_program);
  ASSERT_TRUE(first.ok() && second.ok());
  EXPECT_FALSE(read_binary_info(first.binary()).instrumented);
  EXPECT_FALSE(read_binary_info(first.binary()).instrumented);
  std::filesystem::copy_file(second.binary(), first.binary(),
                             std::filesystem::copy_options::overwrite_existing);
  EXPECT_TRUE(read_binary_info(first.binary()).instrumented);
  std::filesystem::remove(first.binary());
  EXPECT_NE(read_binary_info(first.binary()).error, "");
}

TEST(BinaryInfo, UnitsAndChecksums) {
  // clang writes no checksums if one file of the unit has none.
  const Compiled program("clang++ -g -gdwarf-5 -Wl,--build-id", "int y;\nint main() { return y++; }\n");
  ASSERT_TRUE(program.ok());
  const BinaryInfo info = read_binary_info(program.binary());
  EXPECT_EQ(info.build_id.size(), 40U);
  EXPECT_EQ(build_id_of(program.binary()), info.build_id);
  EXPECT_EQ(build_id_of(program.source()), "");
  const std::vector<const CompileUnit*> units = info.units_of(program.source());
  ASSERT_EQ(units.size(), 1U);
  EXPECT_EQ(units[0]->name, program.source());
  EXPECT_NE(units[0]->producer.find("clang"), std::string::npos);
  const auto file = std::find_if(units[0]->files.begin(), units[0]->files.end(),
                                 [&](const SourceFile& one) { return one.path == program.source(); });
  ASSERT_NE(file, units[0]->files.end());
  EXPECT_EQ(file->md5, md5_of_file(program.source()));
}

TEST(BinaryInfo, NamesOfUnitsInFilesOfTheirOwn) {
  for (const char* compiler :
       {"g++ -g -gsplit-dwarf", "g++ -gdwarf-4 -gsplit-dwarf", "clang++ -g -gsplit-dwarf"}) {
    const Compiled program(compiler, k_program);
    ASSERT_TRUE(program.ok()) << compiler;
    const BinaryInfo info = read_binary_info(program.binary());
    const std::vector<const CompileUnit*> units = info.units_of(program.source());
    ASSERT_EQ(units.size(), 1U) << compiler;
    EXPECT_EQ(units[0]->name, program.source()) << compiler;
    EXPECT_NE(units[0]->producer, "") << compiler;

    std::size_t removed = 0;
    for (const auto& file :
         std::filesystem::directory_iterator(std::filesystem::path(program.binary()).parent_path()))
      if (file.path().extension() == ".dwo" && std::filesystem::remove(file.path())) ++removed;
    ASSERT_EQ(removed, 1U) << compiler;
    const BinaryInfo without = read_binary_info(program.binary());
    ASSERT_EQ(without.units.size(), 1U) << compiler;
    EXPECT_EQ(without.units[0].name, "") << compiler;
  }
}

TEST(BinaryInfo, LibrariesOfTheUser) {
  const Compiled library("g++ -g -shared -fPIC", "int f() { return 0; }\n");
  ASSERT_TRUE(library.ok());
  const std::string folder = std::filesystem::path(library.source()).parent_path();
  const Compiled program("g++ -g", "int f();\nint main() { return f(); }\n",
                         library.binary() + " -ldl -Wl,-rpath," + folder);
  ASSERT_TRUE(program.ok());
  EXPECT_EQ(user_libraries(program.binary()), std::vector{library.binary()});
  EXPECT_TRUE(user_libraries(library.binary()).empty());
  EXPECT_TRUE(user_libraries("/nonexistent").empty());
  const BinaryInfo info = read_binary_info(program.binary());
  ASSERT_EQ(info.units_of(program.source()).size(), 1U);
  EXPECT_EQ(info.units_of(program.source())[0]->module, program.binary());
  ASSERT_EQ(info.units_of(library.source()).size(), 1U);
  EXPECT_EQ(info.units_of(library.source())[0]->module, library.binary());
}

TEST(BinaryInfo, GoogleTestIsRecognized) {
  const BinaryInfo own = read_binary_info("/proc/self/exe");
  EXPECT_EQ(own.framework, Framework::googletest);
}

TEST(BinaryInfo, OtherFilesAreRefused) {
  EXPECT_NE(read_binary_info("/nonexistent").error, "");
  const Compiled program("g++ -g", k_program);
  EXPECT_EQ(read_binary_info(program.source()).error, "is not an ELF file");
}

} // namespace
} // namespace reex::test
