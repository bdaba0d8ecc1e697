#include "cases.h"

#include <CppUTest/CommandLineTestRunner.h>
#include <CppUTest/TestHarness.h>

TEST_GROUP(counter){};
TEST(counter, holds) { LONGS_EQUAL(2, count(true)); }
TEST(counter, loses_an_update) {
  LONGS_EQUAL(2, count(true));
  LONGS_EQUAL(2, count(false));
}
TEST(counter, holds_too) { CHECK(count(true) == 2); }
TEST(counter, no_threads) { CHECK(true); }

TEST_GROUP(other){};
TEST(other, holds) { LONGS_EQUAL(2, count(true)); }

int main(int argc, char** argv) { return CommandLineTestRunner::RunAllTests(argc, argv); }
