// The names hold everything that doctest's own filter understands.
#define DOCTEST_CONFIG_IMPLEMENT_WITH_MAIN
#include <doctest/doctest.h>

#include <utility>

#include "cases.h"

TEST_CASE("holds") { CHECK(count(true) == 2); }
TEST_CASE("HOLDS") { CHECK(count(true) == 2); }
TEST_CASE("loses an update") {
  CHECK(count(true) == 2);
  REQUIRE(count(false) == 2);
}
TEST_CASE("throws") { throw_if_lost(); }
TEST_CASE("commas, [brackets], \\ and \"quotes\"; #1 - 2: *") { CHECK(count(false) == 2); }
TEST_CASE("a, b") { CHECK(count(true) == 2); }
TEST_CASE("backslash\\") { CHECK(count(true) == 2); }
TEST_CASE("hidden" * doctest::skip()) { CHECK(count(true) == 3); }
TEST_CASE("no threads") { CHECK(1 + 1 == 2); }
TEST_CASE("") { CHECK(count(true) == 3); }
TEST_CASE_TEMPLATE("for types", T, int, std::pair<int, char>) {
  T value{};
  static_cast<void>(value);
  CHECK(count(true) == 2);
}
TEST_SUITE("one") {
  TEST_CASE("twice") { CHECK(count(true) == 2); }
}
TEST_SUITE("two") {
  TEST_CASE("twice") { CHECK(count(false) == 2); }
}
