// What follows from a change beyond the code points of CAPP: lines that stayed as they are, on which a data
// race is of the change. One small commit for each way.
#include <gtest/gtest.h>

#include "tests/impact/scratch_project.h"

namespace reex::test {
namespace {

// Of one file, "test.cpp", unless a header changes.
class WhatFollows : public testing::Test {
protected:
  // Replaces a part of the text, which may be one of the header.
  void change(const std::string& text, const std::string& from, const std::string& to,
              const std::string& header = "") {
    const bool in_header = header.find(from) != std::string::npos;
    m_after = in_header ? text : replaced(text, from, to);
    m_impact = m_project.impact(
        {{"header.h", header}, {"test.cpp", text}},
        {{"header.h", in_header ? replaced(header, from, to) : header}, {"test.cpp", m_after}});
  }
  bool follows(const std::string& part) const {
    Frame frame;
    frame.file = m_project.path("test.cpp");
    frame.line = line_of(m_after, part);
    return m_impact.matcher.follows(frame);
  }
  bool is_point(const std::string& part) const {
    return has_line(m_impact, "test.cpp", line_of(m_after, part));
  }

  ScratchProject m_project;
  std::string m_after;
  Impact m_impact;
};

TEST_F(WhatFollows, WhatAConditionDecides) {
  change(
      "int n, a;\nvoid f(int me) {\n  a = 0;\n  if (me == 1) {\n    a = 1;\n    n += 2;\n  }\n  a = 3;\n}\n",
      "me == 1", "me > 0");
  EXPECT_TRUE(follows("n += 2"));
  EXPECT_FALSE(is_point("n += 2")) << listing(m_impact);
  EXPECT_FALSE(follows("a = 0"));
  EXPECT_FALSE(follows("a = 3"));
}

TEST_F(WhatFollows, WhatIsBehindAReturnThatIsGone) {
  change("int n, a;\nvoid f(int me) {\n  a = 0;\n  a = 1;\n  if (me == 1)\n    return;\n  a = 2;\n  a = 3;\n "
         " n += "
         "4;\n}\n",
         "  if (me == 1)\n    return;\n", "");
  EXPECT_TRUE(follows("n += 4"));
  EXPECT_FALSE(follows("a = 0"));
}

TEST_F(WhatFollows, WhatIsBehindAnAssertionStays) {
  change("#define CHECK(x) if (!(x)) return\nint n;\nint get() {\n  return 1;\n}\nvoid f() {\n  CHECK(get() "
         "> 0);\n  "
         "n += 2;\n}\n",
         "return 1;", "return 2;");
  EXPECT_TRUE(follows("CHECK(get"));
  EXPECT_FALSE(follows("n += 2"));
}

TEST_F(WhatFollows, WhatUsesALocalVariable) {
  change("int n[4];\nvoid f(int me) {\n  int k = me;\n  int j = 2;\n  n[3] = j;\n  n[k] = j;\n}\n", "k = me",
         "k = me / 4");
  EXPECT_TRUE(follows("n[k]"));
  EXPECT_FALSE(follows("n[3]"));
}

TEST_F(WhatFollows, WhatAFunctionReturns) {
  const std::string test =
      "int n[4];\nint slot(int me) {\n  int k = 1;\n  k++;\n  return me;\n}\nvoid f(int me) {\n  "
      "int j = slot(me);\n  int i = 2;\n  n[j] = i;\n}\n";
  change(test, "return me", "return me / 4");
  EXPECT_TRUE(follows("n[j]"));
  EXPECT_FALSE(follows("int i = 2"));
  change(test, "k++", "k--");
  EXPECT_FALSE(follows("n[j]"));
}

TEST_F(WhatFollows, AReferenceThatIsReturned) {
  change("#include <vector>\nstd::vector<int> items(2);\nstd::vector<int> all() { return items; }\nvoid f() "
         "{\n  int k = "
         "1;\n  for (int& i : all()) {\n    k += 2;\n    i += 3;\n  }\n}\n",
         "std::vector<int> all", "std::vector<int>& all");
  EXPECT_TRUE(follows("i += 3"));
}

TEST_F(WhatFollows, AVariableThatAFunctionKeepsForAll) {
  change("int& own() {\n  thread_local int value;\n  return value;\n}\nvoid f() {\n  int k = 1;\n  own() += "
         "2;\n}\n",
         "thread_local int value", "static int value");
  EXPECT_TRUE(follows("own() += 2"));
  EXPECT_FALSE(follows("int k = 1"));
}

TEST_F(WhatFollows, ALockThatAChangedFirstValueDecides) {
  change("#include <mutex>\nstruct Options { bool locked = true; };\nOptions options;\nstd::mutex m;\nint "
         "n;\nvoid f() "
         "{\n  int k = 1;\n  if (options.locked) m.lock();\n  k += 2;\n  n += 3;\n  if (options.locked) "
         "m.unlock();\n  "
         "k = 4;\n}\n",
         "locked = true", "locked = false");
  EXPECT_TRUE(follows("n += 3"));
  EXPECT_FALSE(follows("int k = 1"));
}

TEST_F(WhatFollows, ASemaphoreWithAnotherNumberOfSlots) {
  change("#include <semaphore>\nstd::counting_semaphore<8> slots{1};\nint n;\nvoid f() {\n  int k = 1;\n  "
         "slots.acquire();\n  k += 2;\n  n += 3;\n  slots.release();\n}\n",
         "slots{1}", "slots{2}");
  EXPECT_TRUE(follows("n += 3"));
  EXPECT_FALSE(follows("int k = 1"));
}

TEST_F(WhatFollows, ATableOfFunctions) {
  change(
      "int n;\nvoid safe() {}\nvoid fast() { n += 1; }\nusing Action = void (*)();\nAction actions[] = {\n  "
      "safe,\n};\nvoid f() {\n  int k = 1;\n  actions[0]();\n}\n",
      "  safe,", "  fast,");
  EXPECT_TRUE(follows("actions[0]()"));
  EXPECT_FALSE(follows("int k = 1"));
}

TEST_F(WhatFollows, AWaitThatIsGoneForItsCallersToo) {
  change("#include <latch>\nstd::latch done{1};\nint n;\nvoid settle() {\n  int k = 1;\n  done.wait();\n  "
         "k++;\n}\nvoid "
         "f() {\n  int j = 1;\n  settle();\n  j++;\n  n += 2;\n}\n",
         "  done.wait();\n", "");
  EXPECT_TRUE(follows("n += 2"));
  EXPECT_FALSE(follows("int j = 1"));
}

TEST_F(WhatFollows, ALoopThatWaits) {
  change("#include <atomic>\nstd::atomic<bool> ready{false};\nint n;\nvoid f() {\n  int k = 1;\n  while "
         "(!ready) {\n  "
         "}\n  k = 2;\n  n += 3;\n}\n",
         "ready{false}", "ready{true}");
  EXPECT_TRUE(follows("n += 3"));
  EXPECT_FALSE(follows("int k = 1"));
}

TEST_F(WhatFollows, ATypeOfAnotherVariable) {
  change("#include \"header.h\"\ndecltype(a) n;\nlong other;\nvoid f() {\n  other = 1;\n  n += 2;\n}\n",
         "std::atomic<int> a", "int a", "#include <atomic>\ninline std::atomic<int> a;\n");
  EXPECT_TRUE(follows("n += 2"));
  EXPECT_FALSE(follows("other = 1"));
}

TEST_F(WhatFollows, ATypeThatATraitGives) {
  const std::string test =
      "#include \"header.h\"\ntemplate <typename T>\nstruct Counter {\n  typename Storage<T>::type "
      "value{0};\n  long other = 0;\n  void add() {\n    other = 1;\n    value += 2;\n  "
      "}\n};\nCounter<int> counter;\nvoid f() {\n  counter.add();\n}\n";
  const std::string special = "template <> struct Storage<int> { using type = std::atomic<int>; };\n";
  const std::string header =
      "#include <atomic>\ntemplate <typename T> struct Storage { using type = std::atomic<T>; };\n";
  change(test, "using type = std::atomic<T>", "using type = T", header);
  EXPECT_TRUE(follows("value += 2"));
  EXPECT_FALSE(follows("other = 1"));
  change(test, special, "", replaced(header, "std::atomic<T>", "T") + special);
  EXPECT_TRUE(follows("value += 2"));
  EXPECT_FALSE(follows("other = 1"));
}

TEST_F(WhatFollows, ABoundThatTheCompilerComputes) {
  change("#include \"header.h\"\nint used[slots()];\nint other[3];\nvoid f(int k) {\n  other[k] = 1;\n  "
         "used[k] = 2;\n}\n",
         "return 2", "return 1", "constexpr int slots() { return 2; }\n");
  EXPECT_TRUE(follows("used[k]"));
  EXPECT_FALSE(follows("other[k]"));
}

TEST_F(WhatFollows, AConceptThatChoosesAnotherFunction) {
  change("#include \"header.h\"\ntemplate <typename T>\nvoid add(T& to) {\n  to += 1;\n}\ntemplate <typename "
         "T>\n  requires "
         "Shared<T>\nvoid add(T& to) {\n  to += 2;\n}\nint n;\nvoid f() {\n  int k = 1;\n  add(n);\n}\n",
         ">= 4", "> 4", "template <typename T>\nconcept Shared = sizeof(T) >= 4;\n");
  EXPECT_TRUE(follows("add(n)"));
  EXPECT_FALSE(follows("int k = 1"));
}

TEST_F(WhatFollows, AMoveThatAContainerNoLongerUses) {
  change("#include <vector>\n#include \"header.h\"\nvoid f() {\n  std::vector<Item> items;\n  int k = 1;\n  "
         "items.emplace_back(2);\n}\n",
         "Item&& o) noexcept", "Item&& o)",
         "struct Item {\n  int v;\n  Item(int v) : v(v) {}\n  Item(Item&& o) noexcept : v(o.v) {}\n  "
         "Item(const Item& o) "
         ": v(o.v) {}\n};\n");
  EXPECT_TRUE(follows("items.emplace_back"));
  EXPECT_FALSE(follows("int k = 1"));
}

TEST_F(WhatFollows, NothingOfAComment) {
  change("int n;\nbool get() {\n  // First.\n  return true;\n}\nvoid f() {\n  if (get())\n    n += 1;\n}\n",
         "First", "Second");
  EXPECT_FALSE(follows("n += 1"));
}

} // namespace
} // namespace reex::test
