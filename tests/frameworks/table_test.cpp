#include "reex/frameworks/table.h"

#include <gtest/gtest.h>

namespace reex {
namespace {

using Names = std::vector<std::string>;

Names names(Framework framework, const ListAnswer& answer) {
  Names all;
  for (const TestCase& test : row_of(framework)->parse(answer).value_or(std::vector<TestCase>()))
    all.push_back((test.disabled ? "off:" : "") + test.name);
  return all;
}

bool is_list(Framework framework, const ListAnswer& answer) {
  return row_of(framework)->parse(answer).has_value();
}

TEST(Frameworks, EachHasARowAndAKind) {
  for (const FrameworkRow& row : frameworks()) {
    EXPECT_EQ(row_of(row.framework), &row);
    EXPECT_STREQ(row_of(framework_of_kind(row.kind))->kind, row.kind);
    EXPECT_FALSE(failed_check_mark(row.framework).empty()) << row.name;
    EXPECT_FALSE(row.text.empty() || row.symbols.empty()) << row.name;
  }
  EXPECT_EQ(row_of(Framework::none), nullptr);
  EXPECT_EQ(framework_of_kind("deadlock"), Framework::none);
}

TEST(Frameworks, Catch2ListsAsXml) {
  const char* const list =
      "a line of the program\n<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<MatchingTests>\n"
      "  <TestCase>\n    <Name>a &lt;b&gt; &amp; &quot;c&quot;</Name>\n    <Tags>[x]</Tags>\n"
      "  </TestCase>\n  <TestCase>\n    <Name>  two  </Name>\n  </TestCase>\n</MatchingTests>\n";
  EXPECT_EQ(names(Framework::catch2, {list, "", 0}), (Names{"a <b> & \"c\"", "  two  "}));
  EXPECT_TRUE(is_list(Framework::catch2, {"<MatchingTests/>\n", "", 0}));
  EXPECT_FALSE(is_list(Framework::catch2, {"usage: program FILE\n", "", 1}));
}

TEST(Frameworks, Catch2OfVersion2CountsWhatItLists) {
  EXPECT_EQ(names(Framework::catch2_v2, {"noise\none, two\t@a.cpp:1\n\"#hash\"\t@a.cpp:2\n", "", 2}),
            (Names{"one, two", "#hash"}));
  EXPECT_FALSE(is_list(Framework::catch2_v2, {"one\t@a.cpp:1\n", "", 3}));
  EXPECT_FALSE(is_list(Framework::catch2_v2, {"usage: program FILE\n", "", 1}));
  std::string many;
  for (int i = 0; i < 300; ++i) many += "case " + std::to_string(i) + "\t@a.cpp:1\n";
  EXPECT_EQ(names(Framework::catch2_v2, {many, "", 300 % 256}).size(), 300U);
}

TEST(Frameworks, DoctestListsAsXml) {
  const char* const list =
      "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<doctest binary=\"./d\" version=\"2.4.9\">\n  <Options/>\n"
      "  <TestCase name=\"twice\" testsuite=\"one\" filename=\"d.cpp\" line=\"4\" skipped=\"false\"/>\n"
      "  <TestCase filename=\"d.cpp\" line=\"5\" skipped=\"false\"/>\n"
      "  <TestCase name=\"a/>b &quot;c&quot;\" filename=\"d.cpp\" line=\"6\" skipped=\"false\"/>\n"
      "  <TestCase name=\"twice\" testsuite=\"two\" filename=\"d.cpp\" line=\"7\" "
      "skipped=\"false\"/>\n</doctest>\n";
  EXPECT_EQ(names(Framework::doctest, {list, "", 0}), (Names{"twice", "off:", "a/>b \"c\""}));
  EXPECT_FALSE(is_list(Framework::doctest, {"hello\n", "", 0}));
}

TEST(Frameworks, BoostTestListsAGraph) {
  const char* const list =
      "digraph G {rankdir=LR;\ntu1[shape=ellipse,peripheries=2,color=green,label=\"the module\"];\n{\n"
      "tu65536[shape=Mrecord,color=green,label=\"plain|b.cpp(1)\"];\ntu1 -> tu65536;\n"
      "tu2[shape=Mrecord,color=green,label=\"suite|b.cpp(2)\"];\ntu1 -> tu2;\n{\n"
      "tu3[shape=Mrecord,color=green,label=\"inner|b.cpp(3)\"];\ntu2 -> tu3;\n{\n"
      "tu65537[shape=Mrecord,color=yellow,label=\"t<int>|b.cpp(4)|labels: slow\"];\ntu3 -> tu65537;\n}\n}\n"
      "tu4[shape=Mrecord,color=green,label=\"empty|b.cpp(5)\"];\ntu1 -> tu4;\n}\n}\n";
  EXPECT_EQ(names(Framework::boost_test, {"", list, 0}), (Names{"plain", "off:suite/inner/t<int>"}));
  EXPECT_FALSE(is_list(Framework::boost_test, {"", "unknown option\n", 1}));
  // What goes round in a ring is no tree, and ends all the same.
  EXPECT_EQ(names(Framework::boost_test, {"", "digraph G {\ntu2[label=\"x|f\"];\ntu2 -> tu2;\n", 0}),
            Names{});
}

TEST(Frameworks, QtTestListsFunctions) {
  EXPECT_EQ(names(Framework::qt_test, {"noise\none()\ntwo_2()\nno name()\n", "", 0}),
            (Names{"one", "two_2"}));
  EXPECT_FALSE(is_list(Framework::qt_test, {"********* Start testing of A *********\na()\n", "", 0}));
  EXPECT_FALSE(is_list(Framework::qt_test, {"", "", 0}));
  EXPECT_FALSE(is_list(Framework::qt_test, {"one()\n", "", 1}));
}

TEST(Frameworks, CppUTestListsInOneLine) {
  EXPECT_EQ(names(Framework::cpputest, {"noise.\nA.one B.two", "", 0}), (Names{"A.one", "B.two"}));
  EXPECT_EQ(names(Framework::cpputest, {"A.one\nthe end\n", "", 0}), Names{"A.one"});
  EXPECT_FALSE(is_list(Framework::cpputest, {"\nOK (1 tests, 1 ran)\n\n", "", 0}));
  EXPECT_FALSE(is_list(Framework::cpputest, {"A.one B.two", "", 1}));
}

TEST(Frameworks, ChooseOneCase) {
  const auto chosen = [](Framework framework, const char* name) {
    return row_of(framework)->choose(name).back();
  };
  EXPECT_EQ(chosen(Framework::catch2, "a, [b] \\ \"c\" *"), "\"a\\, [b] \\\\ \\\"c\\\" *\"");
  EXPECT_EQ(chosen(Framework::catch2, "exclude:this"), "\"*exclude:this\"");
  EXPECT_EQ(chosen(Framework::doctest, "a, \\b"), "--dt-test-case=a\\, \\\\b");
  EXPECT_EQ(chosen(Framework::boost_test, "suite/t<int>"), "--run_test=suite/t<int>");
  EXPECT_EQ(chosen(Framework::qt_test, "function"), "function");
  EXPECT_EQ(row_of(Framework::cpputest)->choose("A.b"), (Names{"-sg", "A", "-sn", "b"}));
  EXPECT_EQ(arguments_of_case(Framework::googletest, "A.B", {"x"}), (Names{"x", "--gtest_filter=A.B"}));
  EXPECT_EQ(arguments_of_case(Framework::boost_test, "a", {"--", "x"}), (Names{"--run_test=a", "--", "x"}));
  EXPECT_EQ(arguments_of_case(Framework::catch2, "", {"x"}), Names{"x"});
}

TEST(Frameworks, FailedCheckHasItsPlaceAndItsText) {
  EXPECT_EQ(failed_check_text(Framework::googletest,
                              "[ RUN      ] A.B\nf.cpp:3: Failure\nExpected: x\n  is: 1\n\n"),
            "f.cpp:3: Failure\nExpected: x\n  is: 1");
  EXPECT_EQ(failed_check_text(Framework::googletest, "f.cpp:3: Failure\nFailed\n[  FAILED  ] A.B\n"),
            "f.cpp:3: Failure\nFailed");
  EXPECT_EQ(failed_check_text(Framework::catch2,
                              "----\nname\n----\nf.cpp:1\n....\n\nf.cpp:3: FAILED:\n  REQUIRE( a == 2 )\n"
                              "with expansion:\n  1 == 2\n\n====\n"),
            "f.cpp:3: FAILED:\n  REQUIRE( a == 2 )\nwith expansion:\n  1 == 2");
  EXPECT_EQ(failed_check_text(Framework::doctest, "f.cpp:3: FATAL ERROR: REQUIRE( a == 2 ) is NOT correct!\n"
                                                  "  values: REQUIRE( 1 == 2 )\nf.cpp:4: ERROR: x\n"),
            "f.cpp:3: FATAL ERROR: REQUIRE( a == 2 ) is NOT correct!\n  values: REQUIRE( 1 == 2 )");
  EXPECT_EQ(failed_check_text(Framework::boost_test,
                              "Running 1 test case...\nf.cpp(3): \x1b[1;31;49merror: in \"a/b\": check x "
                              "has failed [1 != 2]\x1b[0;39;49m\nf.cpp(4): error: in \"a/b\": y\n"),
            "f.cpp(3): error: in \"a/b\": check x has failed [1 != 2]");
  EXPECT_EQ(
      failed_check_text(Framework::qt_test,
                        "PASS   : T::a()\nFAIL!  : T::b() Compared values are not the same\n   Actual   (n): "
                        "1\n   Loc: [dir/f.cpp(3)]\nQDEBUG : T::c() x\nTotals: 1 passed\n"),
      "FAIL!  : T::b() Compared values are not the same\n   Actual   (n): 1\n   Loc: [dir/f.cpp(3)]");
  EXPECT_EQ(
      failed_check_text(Framework::cpputest,
                        "..\ndir/f.cpp:3: error: Failure in TEST(A, b)\n\tCHECK(x) failed\n\n.\nErrors (1"),
      "dir/f.cpp:3: error: Failure in TEST(A, b)\n\tCHECK(x) failed");
  EXPECT_EQ(failed_check_text(
                Framework::cppunit,
                "1) test: T::b (F) line: 3 dir/f.cpp\nassertion failed\n- Expression: x\n\n\n2) test:"),
            "1) test: T::b (F) line: 3 dir/f.cpp\nassertion failed\n- Expression: x");
  EXPECT_EQ(failed_check_text(Framework::catch2, "all is well\n"), "");
  EXPECT_EQ(failed_check_text(Framework::none, "f.cpp:3: Failure\n"), "");
}

TEST(Frameworks, PlaceOfAFailedCheck) {
  const auto place = [](Framework framework, std::string_view output) {
    return std::string(first_failed_check(framework, output).place);
  };
  EXPECT_EQ(place(Framework::googletest, "x\ndir/f.cpp:3: Failure\nFailed\n"), "dir/f.cpp:3");
  EXPECT_EQ(place(Framework::cpputest, "x\nf.cpp:3: error: Failure in TEST(A, b)\n"), "f.cpp:3");
  EXPECT_EQ(
      place(Framework::qt_test, "FAIL!  : T::b() x\n   Actual: 1\n   Loc: [f.cpp(3)]\nFAIL!  : T::c()\n"),
      "f.cpp(3)");
  EXPECT_EQ(place(Framework::qt_test, "FAIL!  : T::b() x\nFAIL!  : T::c()\n   Loc: [f.cpp(3)]\n"),
            "FAIL!  : T::b() x");
  EXPECT_EQ(place(Framework::cppunit, "\n1) test: T::b (F) line: 3 f.cpp\nx\n"), "3 f.cpp");
  EXPECT_EQ(place(Framework::cppunit, "\n1) test: T::b (E) \nx\n2) test: T::c (F) line: 3 f.cpp\n"),
            ") test: T::b (E) ");
}

} // namespace
} // namespace reex
