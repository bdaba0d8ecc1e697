#define BOOST_TEST_MODULE cases of Boost.Test
#define BOOST_TEST_DYN_LINK
#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>

#include <tuple>
#include <utility>

#include "cases.h"

namespace unit = boost::unit_test;

BOOST_AUTO_TEST_CASE(holds) { BOOST_TEST(count(true) == 2); }
BOOST_AUTO_TEST_CASE(loses_an_update) {
  BOOST_TEST(count(true) == 2);
  BOOST_REQUIRE_EQUAL(count(false), 2);
}
BOOST_AUTO_TEST_CASE(throws) { throw_if_lost(); }
BOOST_AUTO_TEST_CASE(no_threads) { BOOST_TEST(1 + 1 == 2); }
BOOST_AUTO_TEST_CASE(hidden, *unit::disabled()) { BOOST_TEST(count(true) == 3); }

BOOST_AUTO_TEST_SUITE(suite)
BOOST_AUTO_TEST_CASE(holds, *unit::description("what: it | does")) { BOOST_TEST(count(true) == 2); }
BOOST_AUTO_TEST_SUITE(inner)
BOOST_AUTO_TEST_CASE(loses) { BOOST_TEST(count(false) == 2); }
BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE(off, *unit::disabled())
BOOST_AUTO_TEST_CASE(hidden) { BOOST_TEST(count(true) == 3); }
BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE(empty)
BOOST_AUTO_TEST_SUITE_END()

using Types = std::tuple<int, std::pair<int, char>>;
BOOST_AUTO_TEST_CASE_TEMPLATE(for_types, Type, Types) {
  Type value{};
  static_cast<void>(value);
  BOOST_TEST(count(true) == 2);
}
BOOST_DATA_TEST_CASE(data, unit::data::xrange(3), number) { BOOST_TEST(count(number != 1) == 2); }
