#include "reex/frameworks/table.h"

#include <algorithm>
#include <array>

#include "reex/frameworks/lists.h"

namespace reex {
namespace {

std::string escaped(std::string_view name, std::string_view special) {
  std::string text;
  for (const char c : name) {
    if (special.find(c) != std::string_view::npos) text += '\\';
    text += c;
  }
  return text;
}

std::vector<std::string> choose_googletest(std::string_view name) {
  return {"--gtest_filter=" + std::string(name)};
}

// In quotes, brackets and a tilde are text. "exclude:" at the beginning is not, but behind a wildcard.
std::vector<std::string> choose_catch2(std::string_view name) {
  return {(name.starts_with("exclude:") ? "\"*" : "\"") + escaped(name, "\\,\"") + '"'};
}

// The long names of the options: the short ones may be configured away.
std::vector<std::string> choose_doctest(std::string_view name) {
  return {"--dt-case-sensitive=1", "--dt-test-case=" + escaped(name, "\\,")};
}

// Boost.Test has replaced what its filters would understand in the names of cases.
std::vector<std::string> choose_boost(std::string_view name) { return {"--run_test=" + std::string(name)}; }

// Without its handler for crashes, which starts gdb.
std::vector<std::string> choose_qt_test(std::string_view name) {
  return {"-nocrashhandler", std::string(name)};
}

// A row of data that it does not have. Of several classes in one program, each one looks for the function.
std::vector<std::string> choose_no_row(std::string_view name) {
  return {"-nocrashhandler", std::string(name) + ":there is no such row"};
}

std::vector<std::string> choose_cpputest(std::string_view name) {
  const std::size_t dot = std::min(name.size(), name.find('.'));
  return {"-sg", std::string(name.substr(0, dot)), "-sn",
          std::string(name.substr(std::min(name.size(), dot + 1)))};
}

std::vector<std::string> choose_none(std::string_view /*name*/) { return {}; }

// A table that no order of initialization can leave empty.
const std::vector<FrameworkRow>& rows() {
  static const std::vector<FrameworkRow> k_rows = {
      {Framework::googletest,
       "GoogleTest",
       "gtest",
       {"N7testing14InitGoogleTest", "N7testing8UnitTest"},
       "libgtest",
       "This program contains tests written using Google Test",
       {"--gtest_list_tests"},
       {},
       parse_googletest_list,
       choose_googletest,
       nullptr,
       "",
       true,
       false,
       {"[  FAILED"},
       false},
      {Framework::catch2_v2,
       "Catch2",
       "catch2",
       {"5Catch7AutoRegC1EPNS_12ITestInvoker", "5Catch7AutoRegC2EPNS_12ITestInvoker"},
       "",
       "list-test-names-only",
       {"--list-test-names-only", "--verbosity", "high"},
       {"*"},
       parse_catch2_v2_list,
       choose_catch2,
       nullptr,
       "",
       false,
       true,
       {"====", "----", "...."},
       false},
      {Framework::catch2,
       "Catch2",
       "catch2",
       {"5Catch7AutoRegC1ENS_6Detail10unique_ptr", "5Catch7AutoRegC2ENS_6Detail10unique_ptr",
        "5Catch7AutoRegC1EONS_6Detail10unique_ptr"},
       "libCatch2",
       "allow-running-no-tests",
       {"--list-tests", "--reporter", "xml"},
       {"*"},
       parse_catch2_list,
       choose_catch2,
       nullptr,
       "",
       false,
       true,
       {"====", "----", "...."},
       false},
      {Framework::doctest,
       "doctest",
       "doctest",
       {"7doctest6detail7regTest"},
       "",
       "listing all test case names",
       {"--dt-list-test-cases", "--dt-reporters=xml"},
       {"--dt-no-skip=1"},
       parse_doctest_list,
       choose_doctest,
       nullptr,
       "",
       false,
       true,
       {"===="},
       true},
      {Framework::boost_test,
       "Boost.Test",
       "boost-test",
       {"5boost9unit_test9ut_detail24auto_test_unit_registrar"},
       "libboost_unit_test_framework",
       "BOOST_TEST_LIST_CONTENT",
       {"--list_content=DOT"},
       {},
       parse_boost_list,
       choose_boost,
       nullptr,
       "",
       false,
       false,
       {},
       true},
      {Framework::qt_test,
       "Qt Test",
       "qt-test",
       {"N5QTest5qExecEP7QObject"},
       "",
       "lists all available test functions.",
       {"-functions"},
       {},
       parse_qt_test_list,
       choose_qt_test,
       choose_no_row,
       "Unknown test function: ",
       true,
       false,
       {"PASS   ", "SKIP   ", "XFAIL  ", "XPASS  ", "QDEBUG ", "QINFO  ", "QWARN  ", "QFATAL ", "Totals: "},
       true},
      {Framework::cpputest,
       "CppUTest",
       "cpputest",
       {"13TestInstallerC1ER10UtestShell", "13TestInstallerC2ER10UtestShell"},
       "libCppUTest",
       "this wonderful help screen. Joy!",
       {"-ln"},
       {},
       parse_cpputest_list,
       choose_cpputest,
       nullptr,
       "",
       true,
       false,
       {},
       true},
      {Framework::cppunit,
       "CppUnit",
       "cppunit",
       {"7CppUnit27TestSuiteBuilderContextBase", "7CppUnit8TestCaseC2"},
       "libcppunit",
       "CppUnit::TestAssert",
       {},
       {},
       parse_no_list,
       choose_none,
       nullptr,
       "",
       true,
       false,
       {},
       true}};
  return k_rows;
}

// "\x1b[1;31;49m"
std::string without_colours(std::string_view text) {
  std::string plain;
  while (!text.empty()) {
    const std::size_t end = text.starts_with("\x1b[") ? text.find('m') : std::string_view::npos;
    if (end == std::string_view::npos) plain += text.front();
    text.remove_prefix(end == std::string_view::npos ? 1 : end + 1);
  }
  return plain;
}

} // namespace

std::span<const FrameworkRow> frameworks() { return rows(); }

const FrameworkRow* row_of(Framework framework) {
  const auto found = std::find_if(rows().begin(), rows().end(),
                                  [&](const FrameworkRow& row) { return row.framework == framework; });
  return found == rows().end() ? nullptr : &*found;
}

Framework framework_of_kind(std::string_view kind) {
  const auto found =
      std::find_if(rows().begin(), rows().end(), [&](const FrameworkRow& row) { return row.kind == kind; });
  return found == rows().end() ? Framework::none : found->framework;
}

std::vector<std::string> arguments_of_case(Framework framework, const std::string& name,
                                           const std::vector<std::string>& arguments) {
  const FrameworkRow* const row = row_of(framework);
  if (row == nullptr || name.empty()) return arguments;
  const std::vector<std::string> chosen = row->choose(name);
  std::vector<std::string> all = row->choose_behind ? arguments : chosen;
  const std::vector<std::string>& rest = row->choose_behind ? chosen : arguments;
  all.insert(all.end(), rest.begin(), rest.end());
  return all;
}

std::string failed_check_text(Framework framework, std::string_view standard_output) {
  const FrameworkRow* const row = row_of(framework);
  const FailedCheck check = first_failed_check(framework, standard_output);
  if (row == nullptr || check.mark == std::string_view::npos) return "";
  const std::string_view text = standard_output.substr(check.line);
  const std::size_t behind = check.mark - check.line + failed_check_mark(framework).size();
  std::size_t end = std::min(text.size(), text.find("\n\n", behind - 1));
  for (const std::string_view line : row->frame)
    end = std::min(end, text.find("\n" + std::string(line), behind - 1));
  const FailedCheck next = first_failed_check(framework, text.substr(behind));
  if (row->dense && next.mark != std::string_view::npos && next.line != 0)
    end = std::min(end, behind + next.line - 1);
  return without_colours(text.substr(0, end));
}

bool is_framework_library(std::string_view file_name) {
  return file_name.starts_with("libgmock") ||
         std::any_of(rows().begin(), rows().end(), [&](const FrameworkRow& row) {
           return !row.library.empty() && file_name.starts_with(row.library);
         });
}

bool is_framework_source(std::string_view path) {
  constexpr std::array<std::string_view, 18> k_parts = {"/include/gtest/",     "/include/gmock/",
                                                        "/googletest/src/",    "/googlemock/src/",
                                                        "/catch2/catch",       "/catch2/internal/",
                                                        "/catch2/interfaces/", "/catch2/matchers/",
                                                        "/catch2/reporters/",  "/catch2/generators/",
                                                        "/catch2/benchmark/",  "/catch.hpp",
                                                        "/catch_amalgamated.", "/doctest.h",
                                                        "/boost/test/",        "/QtTest/",
                                                        "/CppUTest/",          "/cppunit/"};
  return std::any_of(k_parts.begin(), k_parts.end(),
                     [&](std::string_view part) { return path.find(part) != std::string_view::npos; });
}

} // namespace reex
