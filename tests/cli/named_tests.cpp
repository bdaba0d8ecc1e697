// Tests that do nothing, with every kind of name that GoogleTest makes.
#include <gtest/gtest.h>

#include <cstdio>
#include <cstdlib>
#include <string>

namespace {

TEST(Plain, One) {}
TEST(Plain, Two_WithWords) {}
TEST(Plain, DISABLED_Three) {}
TEST(DISABLED_Whole, One) {}

template <typename T>
class Typed : public ::testing::Test {};
using Types = ::testing::Types<int, std::string>;
TYPED_TEST_SUITE(Typed, Types);
TYPED_TEST(Typed, Holds) {}

class Numbered : public ::testing::TestWithParam<int> {};
TEST_P(Numbered, Counts) {}
INSTANTIATE_TEST_SUITE_P(Few, Numbered, ::testing::Values(3, 5));

// A value whose text looks like lines of the list.
struct Tricky {
  int value;
};
void PrintTo(const Tricky& tricky, std::ostream* out) { *out << "[a, b]\nSuite.\n  # " << tricky.value; }
class Awkward : public ::testing::TestWithParam<Tricky> {};
TEST_P(Awkward, Prints) {}
INSTANTIATE_TEST_SUITE_P(One, Awkward, ::testing::Values(Tricky{1}));

// Prints before the list, like programs that log when they start.
const bool g_noise = [] {
  std::puts("starting up: 1.2.");
  return std::getenv("GTEST_FILTER") != nullptr;
}();

} // namespace
