// Addresses of a real process, for each compiler.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <sstream>

#include "reex/symbols/resolver.h"
#include "tests/symbols/compiled.h"

namespace reex::test {
namespace {

// Prints the address from which mark() was called, and then its own mappings.
const char* const k_program = R"(#include <cstdio>
#include <vector>
__attribute__((noinline)) void mark() {
  std::printf("%p\n", __builtin_return_address(0));
}
namespace app {
struct Widget {
  int m_size = 0;
  inline __attribute__((always_inline)) void inner(int n) {
    m_size += n;
    mark();
    m_size += n;
  }
  inline __attribute__((always_inline)) void outer() {
    inner(3);
    inner(4);
  }
};
template <class T> __attribute__((noinline)) void run(T& widget) {
  widget.outer();
  auto lambda = [&]() __attribute__((noinline)) { widget.m_size++; mark(); widget.m_size++; };
  lambda();
}
}
int main() {
  app::Widget widget;
  app::run(widget);
  char line[4096];
  FILE* maps = std::fopen("/proc/self/maps", "r");
  while (std::fgets(line, sizeof line, maps)) std::fputs(line, stdout);
  return widget.m_size == 0;
}
)";

class ResolverOf : public ::testing::TestWithParam<const char*> {};

TEST_P(ResolverOf, ExpandsInlinedCalls) {
  const Compiled program(GetParam(), k_program);
  ASSERT_TRUE(program.ok());
  const std::string output = program.output();
  std::istringstream words(output);
  std::uint64_t calls[3] = {};
  for (std::uint64_t& call : calls) words >> std::hex >> call;
  Resolver resolver(parse_maps(output));

  struct Row {
    const char* function;
    unsigned line;
  };
  const std::vector<Row> expected[3] = {
      {{"app::Widget::inner(int)", 11}, {"app::Widget::outer()", 15}, {"app::run<app::Widget>", 20}},
      {{"app::Widget::inner(int)", 11}, {"app::Widget::outer()", 16}, {"app::run<app::Widget>", 20}},
      {{"operator()", 21}},
  };
  for (int i = 0; i < 3; ++i) {
    const std::vector<Frame> frames = resolver.frames(calls[i] - 1);
    ASSERT_GE(frames.size(), expected[i].size()) << GetParam() << " call " << i;
    for (std::size_t j = 0; j < expected[i].size(); ++j) {
      EXPECT_NE(frames[j].function.find(expected[i][j].function), std::string::npos) << frames[j].function;
      EXPECT_EQ(frames[j].line, expected[i][j].line) << GetParam() << " call " << i << " frame " << j;
      EXPECT_EQ(frames[j].file, program.source());
      EXPECT_EQ(frames[j].module, program.binary());
      EXPECT_FALSE(frames[j].system_header);
      EXPECT_NE(frames[j].column, 0U);
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Compilers, ResolverOf,
                         ::testing::Values("g++ -std=c++20 -g -O0", "g++ -std=c++20 -g -O2",
                                           "g++ -std=c++20 -gdwarf-4 -O2 -no-pie -fno-pie",
                                           "g++ -std=c++20 -g -gsplit-dwarf -O2",
                                           "g++ -std=c++20 -gdwarf-4 -gsplit-dwarf -O0",
                                           "clang++ -std=c++20 -g -gsplit-dwarf -O2",
                                           "clang++ -std=c++20 -g -O0", "clang++ -std=c++20 -g -O2",
                                           "clang++ -std=c++20 -gdwarf-4 -O1 -no-pie -fno-pie"));

// Prints addresses of variables, and then its own mappings.
const char* const k_variables = R"(#include <array>
#include <atomic>
#include <cstdio>
#include <mutex>
#include <vector>
namespace app {
struct Base { int generation = 0; };
struct Slot : Base {
  long id = 0;
  std::atomic<int> count{0};
  int data[2][3] = {};
  unsigned low : 3;
  unsigned high : 5;
};
struct Config {
  bool locked = true;
  Slot slots[3];
  std::array<std::mutex, 2> locks;
  std::vector<int> values;
  union { int number; char letters[8]; } either;
};
Config config;
static std::mutex outer;
}
namespace { int lonely[4]; }
inline int counter = 0;
struct Registry { static Registry* instance; };
Registry* Registry::instance = nullptr;
int& calls() {
  static int count[2];
  return count[1];
}
int main() {
  using app::config;
  volatile int* escapes = lonely;
  const void* const all[] = {&config, &config.slots[1], &config.slots[2].generation, &config.slots[2].id,
    &config.slots[2].count, &config.slots[0].data[1][2], &config.locks[1],
    reinterpret_cast<char*>(&config.values) + 8, &config.either.letters[4], &app::outer, const_cast<int*>(escapes + 3), &counter,
    &Registry::instance, &calls(), &all};
  for (const void* each : all) std::printf("%p\n", each);
  char line[4096];
  FILE* maps = std::fopen("/proc/self/maps", "r");
  while (std::fgets(line, sizeof line, maps)) std::fputs(line, stdout);
}
)";

TEST(Resolver, NamesVariablesAndWhatIsInThem) {
  const std::vector<std::string> expected = {
      "app::config.locked",
      "app::config.slots[1].generation",
      "app::config.slots[2].generation",
      "app::config.slots[2].id",
      "app::config.slots[2].count",
      "app::config.slots[0].data[1][2]",
      "app::config.locks[1]",
      "app::config.values",
      "app::config.either+4", // of a union's members nobody knows which is in use
      "app::outer",
      "(anonymous namespace)::lonely[3]",
      "counter",
      "Registry::instance",
      "calls()::count+4", // debug information is read of what is outside functions only
      ""};                // on the stack
  for (const char* compiler :
       {"g++ -std=c++20 -g -O0", "g++ -std=c++20 -gdwarf-4 -O2 -no-pie -fno-pie", "clang++ -std=c++20 -g -O0",
        "g++ -std=c++20 -g -gsplit-dwarf -O1", "clang++ -std=c++20 -g -gsplit-dwarf -O1"}) {
    const Compiled program(compiler, k_variables);
    ASSERT_TRUE(program.ok());
    const std::string output = program.output();
    std::istringstream words(output);
    Resolver resolver(parse_maps(output));
    for (const std::string& name : expected) {
      std::uint64_t address = 0;
      words >> std::hex >> address;
      EXPECT_EQ(resolver.variable(address), name) << compiler;
      if (name == "app::config.slots[2].id") {
        EXPECT_TRUE(resolver.data_symbol(address).starts_with("app::config+")) << compiler;
      }
    }
  }
}

TEST(Resolver, NamesVariablesWithoutDebugInformationByBytes) {
  const Compiled program("g++ -std=c++20 -O0", k_variables);
  ASSERT_TRUE(program.ok());
  const std::string output = program.output();
  std::istringstream words(output);
  Resolver resolver(parse_maps(output));
  std::uint64_t address = 0;
  words >> std::hex >> address;
  EXPECT_EQ(resolver.variable(address), "app::config");
  EXPECT_EQ(resolver.variable(address + 8), "app::config+8");
  EXPECT_EQ(resolver.data_symbol(address + 8), "app::config+8");
}

TEST(Resolver, UnknownAddressesHaveAFrameToo) {
  Resolver resolver({});
  const std::vector<Frame> frames = resolver.frames(42);
  ASSERT_EQ(frames.size(), 1U);
  EXPECT_TRUE(frames[0].system_header);
  EXPECT_EQ(frames[0].file, "");
}

TEST(Resolver, ModulesWithoutDebugInformationAreTheSystems) {
  const Compiled program("g++ -O0", k_program);
  ASSERT_TRUE(program.ok());
  const std::string output = program.output();
  std::uint64_t call = 0;
  std::istringstream(output) >> std::hex >> call;
  const std::vector<Frame> frames = Resolver(parse_maps(output)).frames(call - 1);
  ASSERT_EQ(frames.size(), 1U);
  EXPECT_TRUE(frames[0].system_header);
  EXPECT_EQ(frames[0].function, "void app::run<app::Widget>(app::Widget&)");
}

// A build during a run.
TEST(Resolver, ReadsTheFileThatWasMapped) {
  const Compiled program("g++ -std=c++20 -g -O0", k_program);
  ASSERT_TRUE(program.ok());
  const std::string output = program.output();
  std::uint64_t call = 0;
  std::istringstream(output) >> std::hex >> call;
  Resolver resolver(parse_maps(output));
  std::filesystem::remove(program.binary());
  std::ofstream(program.binary()) << "something else";
  EXPECT_EQ(resolver.frames(call - 1).front().line, 11U);
}

TEST(Resolver, SystemFiles) {
  for (const char* path :
       {"/usr/include/c++/12/mutex", "/usr/lib/gcc/x86_64-linux-gnu/12/include/x.h",
        "/usr/lib/llvm-14/lib/clang/14.0.6/include/a.h", "/opt/x/include/gtest/gtest.h", ""}) {
    EXPECT_TRUE(is_system_file(path)) << path;
  }
  for (const char* path : {"/home/me/include/queue.h", "/src/gtest_helpers.h", "/usr/src/project/a.cpp"}) {
    EXPECT_FALSE(is_system_file(path)) << path;
  }
}

} // namespace
} // namespace reex::test
