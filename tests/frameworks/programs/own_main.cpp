// Uses doctest, and does not hand its arguments on.
#define DOCTEST_CONFIG_IMPLEMENT
#include <doctest/doctest.h>

#include "cases.h"

TEST_CASE("loses an update") { CHECK(count(false) == 2); }

int main() { return doctest::Context().run(); }
