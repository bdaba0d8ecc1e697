// How each framework lists its cases. What is not part of a list, such as lines that the program prints
// before it, is ignored.
#pragma once

#include "reex/frameworks/table.h"

namespace reex {

using CaseList = std::optional<std::vector<TestCase>>;

CaseList parse_googletest_list(const ListAnswer& answer); // --gtest_list_tests
CaseList parse_catch2_list(const ListAnswer& answer);     // --list-tests --reporter xml
CaseList parse_catch2_v2_list(const ListAnswer& answer);  // --list-test-names-only --verbosity high
CaseList parse_doctest_list(const ListAnswer& answer);    // --list-test-cases --reporters=xml
CaseList parse_boost_list(const ListAnswer& answer);      // --list_content=DOT
CaseList parse_qt_test_list(const ListAnswer& answer);    // -functions
CaseList parse_cpputest_list(const ListAnswer& answer);   // -ln
CaseList parse_no_list(const ListAnswer& answer);

} // namespace reex
