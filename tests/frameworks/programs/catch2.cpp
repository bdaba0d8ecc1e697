// The names hold everything that Catch2's own filter understands.
#ifdef CATCH2_V3
#include <catch2/catch_template_test_macros.hpp>
#include <catch2/catch_test_macros.hpp>
#else
#define CATCH_CONFIG_MAIN
#include <catch2/catch.hpp>
#endif

#include <utility>

#include "cases.h"

TEST_CASE("holds") { CHECK(count(true) == 2); }
TEST_CASE("loses an update", "[tag]") {
  CHECK(count(true) == 2);
  REQUIRE(count(false) == 2);
}
TEST_CASE("throws") { throw_if_lost(); }
TEST_CASE("commas, [brackets], \\ and \"quotes\"; #1 - 2: *") { REQUIRE(count(false) == 2); }
TEST_CASE("*star") { CHECK(count(true) == 2); }
TEST_CASE("~tilde") { CHECK(count(true) == 2); }
TEST_CASE("exclude:this") { CHECK(count(true) == 2); }
TEST_CASE("#hash") { CHECK(count(true) == 2); }
TEST_CASE("\"quoted\"") { CHECK(count(true) == 2); }
TEST_CASE("backslash\\") { CHECK(count(true) == 2); }
TEST_CASE("hidden", "[.]") { CHECK(count(true) == 3); }
TEST_CASE("hidden by a tag", "[.slow]") { CHECK(count(true) == 3); }
TEST_CASE("no threads") { CHECK(1 + 1 == 2); }
TEMPLATE_TEST_CASE("for types", "", int, (std::pair<int, char>)) {
  TestType value{};
  static_cast<void>(value);
  CHECK(count(true) == 2);
}
SCENARIO("a story") {
  GIVEN("a counter") {
    WHEN("two threads count") {
      THEN("nothing is lost") { CHECK(count(true) == 2); }
    }
  }
}
