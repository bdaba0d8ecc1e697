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

TEST_F(WhatFollows, WhatALibraryCompares) {
  change(
      "#include <map>\nstruct Less {\n  bool operator()(int a, int b) const {\n    return a < b;\n  }\n};\n"
      "std::map<int, int, Less> all;\nvoid f(int me) {\n  int k = 1;\n  all.find(me)->second += 2;\n}\n",
      "a < b", "a / 2 < b / 2");
  EXPECT_TRUE(follows("second += 2"));
  EXPECT_FALSE(follows("int k = 1"));
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

TEST_F(WhatFollows, AVariableThatAFunctionGivesItsFirstValue) {
  const std::string test =
      "struct Way { virtual void go() {} };\nstruct Other : Way { void go() override {} };\n"
      "Way* make() {\n  return new Way;\n}\nWay* way = make();\nvoid f() {\n  int k = 1;\n"
      "  way->go();\n}\n";
  change(test, "return new Way", "return new Other");
  EXPECT_TRUE(follows("way->go()"));
  EXPECT_FALSE(follows("int k = 1"));
  change(replaced(replaced(test, "Way* way = make();", "struct All { Way* way = make(); } all;"),
                  "  way->go()", "  all.way->go()"),
         "return new Way", "return new Other");
  EXPECT_TRUE(follows("all.way->go()"));
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

TEST_F(WhatFollows, ASemaphoreOfC) {
  change("#include <semaphore.h>\nsem_t units;\nint n;\nvoid start() {\n  sem_init(&units, 0, 1);\n}\nvoid "
         "f() {\n"
         "  int k = 1;\n  sem_wait(&units);\n  n += 2;\n}\n",
         "0, 1", "0, 2");
  EXPECT_TRUE(follows("n += 2"));
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

TEST_F(WhatFollows, AConceptThatAnotherOneIsMadeOf) {
  const std::string header =
      "template <typename T>\nconcept Small = sizeof(T) <= 4;\ntemplate <typename T>\nconcept Plain = "
      "Small<T>;\n";
  for (const char* head : {"template <Plain T>\nvoid add(T& to)", "void add(Plain auto& to)"}) {
    change("#include \"header.h\"\ntemplate <typename T>\nvoid add(T& to) {\n  to += 1;\n}\n" +
               std::string(head) + " {\n  to += 2;\n}\nint n;\nvoid f() {\n  int k = 1;\n  add(n);\n}\n",
           "<= 4", "<= 2", header);
    EXPECT_TRUE(follows("add(n)")) << head;
    EXPECT_FALSE(follows("int k = 1")) << head;
  }
}

TEST_F(WhatFollows, AMoveOfAMemberThatAContainerNoLongerUses) {
  change("#include <vector>\n#include \"header.h\"\nvoid f() {\n  std::vector<Whole> items;\n  int k = 1;\n  "
         "items.emplace_back();\n}\n",
         "Part&&) noexcept", "Part&&)",
         "struct Part {\n  Part() = default;\n  Part(Part&&) noexcept {}\n  Part(const Part&) {}\n};\nstruct "
         "Whole {\n  Part part;\n};\n");
  EXPECT_TRUE(follows("items.emplace_back"));
  EXPECT_FALSE(follows("int k = 1"));
}

TEST_F(WhatFollows, TheNamesOfAStructuredBinding) {
  change("struct Two { int a, b; };\nTwo shared;\nvoid f() {\n  auto [a, b] = shared;\n  int k = 1;\n  a += "
         "2;\n}\n",
         "auto [", "auto& [");
  EXPECT_TRUE(follows("a += 2"));
  EXPECT_FALSE(follows("int k = 1"));
}

TEST_F(WhatFollows, WhatAWrittenMemberDecides) {
  change("struct Config { bool locked; };\nConfig config;\nint n;\nvoid g(int k) {\n  config.locked = "
         "true;\n  k++;\n}\n"
         "void f() {\n  int k = 1;\n  if (config.locked) {\n    k += 2;\n    n += 3;\n  }\n  n = 4;\n}\n",
         "locked = true", "locked = false");
  EXPECT_TRUE(follows("n += 3"));
  EXPECT_FALSE(is_point("n += 3")) << listing(m_impact);
  EXPECT_FALSE(follows("int k = 1"));
  EXPECT_FALSE(follows("n = 4"));
}

TEST_F(WhatFollows, AWriteThatIsGone) {
  change(
      "bool locked;\nint n;\nvoid g(int k) {\n  k--;\n  locked = true;\n  k++;\n}\nvoid f() {\n  int k = 1;\n"
      "  if (locked)\n    n += 3;\n}\n",
      "  locked = true;\n", "");
  EXPECT_TRUE(follows("n += 3"));
  EXPECT_FALSE(follows("int k = 1"));
}

// Each way to write a member.
TEST_F(WhatFollows, WaysToWriteAMember) {
  const std::string reader = "int n;\nvoid f(Config& c) {\n  int k = 1;\n  if (c.flag)\n    n += 3;\n}\n";
  const std::string plain = "struct Config {\n  int flag;\n};\n";
  const auto check = [&](const std::string& text, const std::string& from, const std::string& to) {
    change(text, from, to);
    EXPECT_TRUE(follows("n += 3")) << text;
    EXPECT_FALSE(follows("int k = 1")) << text;
  };
  check(plain + "void g(Config& c) {\n  c.flag += 1;\n}\n" + reader, "+= 1", "+= 2");
  check(plain + "void g(Config& c) {\n  c.flag++;\n}\n" + reader, "++", "--");
  check(plain + "Config g() {\n  return {1};\n}\n" + reader, "{1}", "{2}");
  check(plain + "Config g() {\n  return Config{.flag = 1};\n}\n" + reader, "= 1}", "= 2}");
  check("#include <utility>\n" + plain + "int g(Config& c) {\n  return std::exchange(c.flag, 1);\n}\n" +
            reader,
        "flag, 1", "flag, 2");
  check("#include <atomic>\nstruct Config {\n  std::atomic<int> flag;\n};\nvoid g(Config& c) {\n  c.flag = "
        "1;\n}\n" +
            reader,
        "flag = 1", "flag = 2");
  check("#include <atomic>\nstruct Config {\n  std::atomic<int> flag;\n};\nvoid g(Config& c) {\n  "
        "c.flag.store(1, std::memory_order_release);\n}\n" +
            reader,
        "store(1", "store(2");
  check("#include <optional>\nstruct Config {\n  std::optional<int> flag;\n};\nvoid g(Config& c) {\n  "
        "c.flag.emplace(1);\n}\n" +
            reader,
        "emplace(1)", "reset()");
  check("struct Config {\n  int flag;\n  Config()\n      : flag(1) {}\n};\n" + reader, "flag(1)", "flag(2)");
  check("struct Config {\n  static inline int flag;\n};\nvoid g() {\n  Config::flag = 1;\n}\n" + reader,
        "flag = 1", "flag = 2");
  check("#include <set>\nstruct Config {\n  std::set<int> flag;\n};\nvoid g(Config& c) {\n  "
        "c.flag.insert(1);\n}\n" +
            replaced(reader, "c.flag)", "c.flag.count(1))"),
        "insert(1)", "insert(2)");
  check(plain + "void g(Config& c) {\n  int& of = c.flag;\n  of = 1;\n}\n" + reader, "of = 1", "of = 2");
  check("template <typename T>\nstruct Box {\n  void g(T& c) {\n    c.flag = 1;\n  }\n};\n" + plain + reader,
        "flag = 1", "flag = 2");
}

TEST_F(WhatFollows, WhatAnObjectLocksThatIsNoLongerShared) {
  const std::string test =
      "#include <mutex>\nint n;\nstd::mutex g_all;\nclass Counter {\npublic:\n  void add() {\n    "
      "std::lock_guard<std::mutex> "
      "l(m_own);\n    n += 2;\n  }\n  void pass() {\n    add();\n  }\n  void other() {\n    "
      "std::lock_guard<std::mutex> l(g_all);\n    n += 3;\n  }\n\nprivate:\n  std::mutex "
      "m_own;\n};\nCounter& "
      "the() {\n  static Counter one;\n  return one;\n}\n";
  for (const std::string call : {"the().add();", "the().pass();"}) {
    const std::string uses = test + "void f() {\n  " + call + "\n  the().other();\n}\n";
    change(uses, "static Counter one", "static thread_local Counter one");
    EXPECT_TRUE(follows("n += 2"));
    EXPECT_FALSE(follows("n += 3"));
    change(uses, "static Counter one;\n  return one", "static Counter only;\n  return only");
    EXPECT_FALSE(follows("n += 2")) << "another name";
  }
  const std::string local = test + "void f() {\n  static Counter mine;\n  mine.add();\n}\n";
  change(local, "static Counter mine", "Counter mine");
  EXPECT_TRUE(follows("n += 2"));
  const std::string global = test + "Counter all;\nvoid f() {\n  all.add();\n}\n";
  change(global, "Counter all", "thread_local Counter all");
  EXPECT_TRUE(follows("n += 2"));
}

TEST_F(WhatFollows, WhatASetterIsGiven) {
  const std::string test = "struct Config {\n  bool locked;\n  int size;\n  void set(bool to) {\n    locked "
                           "= to;\n    size = 1;\n  }\n  void "
                           "pass(bool on) { set(on); }\n};\nint n[4];\nvoid g(Config& c) {\n  "
                           "c.set(true);\n}\nvoid h(Config& c) {\n  "
                           "c.pass(true);\n}\nvoid f(Config& c) {\n  if (c.size)\n    n[2] = 1;\n  if "
                           "(c.locked)\n    n[3] = 1;\n}\n";
  change(test, "c.set(true)", "c.set(false)");
  EXPECT_TRUE(follows("n[3]"));
  EXPECT_FALSE(follows("n[2]"));
  change(test, "c.pass(true)", "c.pass(false)");
  EXPECT_TRUE(follows("n[3]"));
  EXPECT_FALSE(follows("n[2]"));
  change(test, "  c.set(true);\n", "");
  EXPECT_TRUE(follows("n[3]"));
  EXPECT_TRUE(follows("n[2]"));
}

TEST_F(WhatFollows, WhatAVirtualSetterIsGiven) {
  change("struct Base { virtual void set(int to) = 0; };\nstruct Own : Base {\n  int flag = 0;\n  void "
         "set(int to) "
         "override {\n    flag = to;\n  }\n};\nint n;\nvoid g(Base& b) {\n  b.set(1);\n}\nvoid f(Own& o) {\n "
         " int k = 1;\n  "
         "if (o.flag)\n    n += 3;\n}\n",
         "b.set(1)", "b.set(2)");
  EXPECT_TRUE(follows("n += 3"));
  EXPECT_FALSE(follows("int k = 1"));
}

// Through one field, and not on through what is written because of it.
TEST_F(WhatFollows, OneWriteAndNotTheNext) {
  change("int a, b, n[4];\nvoid g() {\n  a = 1;\n}\nvoid f() {\n  if (a) {\n    b = 2;\n    n[2] = 1;\n  "
         "}\n}\nvoid h() {\n  if "
         "(b)\n    n[3] = 1;\n}\n",
         "a = 1", "a = 2");
  EXPECT_TRUE(follows("n[2]"));
  EXPECT_FALSE(follows("n[3]"));
}

TEST_F(WhatFollows, WhatAnObjectKeepsOfASetting) {
  const std::string test =
      "struct Options { int workers = 1; };\nstruct Pool {\n  Pool(const Options& options) :\n"
      "    count(options.workers),\n    other(0) {}\n  void run() {\n    if (count > 1)\n      n = 2;\n"
      "    if (other > 1)\n      n = 3;\n  }\n  int count;\n  int other;\n  int n = 0;\n};\n"
      "void f(Options options) {\n  options.workers = 1;\n  Pool pool(options);\n  pool.run();\n}\n";
  change(test, "options.workers = 1", "options.workers = 2");
  EXPECT_TRUE(follows("n = 2"));
  EXPECT_FALSE(follows("n = 3"));
}

TEST_F(WhatFollows, WhatABranchThatChangedWrites) {
  const std::string test = "int a, b, n[4];\nvoid g(int me) {\n  if (me == 1) {\n    a = 2;\n  }\n  while "
                           "(me == 3) {\n    b = me;\n  }\n}\nvoid "
                           "f() {\n  if (a)\n    n[2] = 1;\n  if (b)\n    n[3] = 1;\n}\n";
  change(test, "me == 1", "me == 2");
  EXPECT_TRUE(follows("n[2]"));
  EXPECT_FALSE(follows("n[3]"));
  change(test, "me == 3", "me == 4");
  EXPECT_FALSE(follows("n[3]"));
}

TEST_F(WhatFollows, ALockThatAFunctionTakesForOthers) {
  change("#include <mutex>\nstd::mutex m;\nbool locked;\nint n;\nvoid g() {\n  locked = true;\n}\nvoid "
         "enter() {\n  if "
         "(locked)\n    m.lock();\n}\nvoid leave() {\n  if (locked)\n    m.unlock();\n}\nvoid f() {\n  int k "
         "= 1;\n  "
         "enter();\n  n += 3;\n  leave();\n}\n",
         "locked = true", "locked = false");
  EXPECT_TRUE(follows("n += 3"));
  EXPECT_FALSE(follows("int k = 1"));
}

// A guard of the library calls the functions of the lock, in a header that has no facts.
TEST_F(WhatFollows, ALockOfTheUserThatAGuardTakes) {
  const std::string spin =
      "#include <atomic>\n#include <mutex>\nstruct Spin {\n  std::atomic<bool> taken{false};\n"
      "  void lock() {\n    while (taken.exchange(true)) {\n    }\n  }\n"
      "  void unlock() { taken = false; }\n};\nSpin spin;\nint n;\n";
  const std::string guarded = "void f() {\n  int k = 1;\n  {\n    std::lock_guard<Spin> guard(spin);\n    n "
                              "+= 2;\n  }\n  n += 3;\n}\n";
  change(spin + guarded, "    while (taken", "    if (taken");
  EXPECT_TRUE(follows("n += 2"));
  EXPECT_FALSE(follows("int k = 1"));
  EXPECT_FALSE(follows("n += 3"));
  const std::string endless = replaced(spin, "while (taken.exchange(true)) {\n    }",
                                       "for (;;) {\n      if (!taken.exchange(true)) return;\n    }");
  change(endless + guarded, "if (!taken", "if (taken");
  EXPECT_TRUE(follows("n += 2"));
  EXPECT_FALSE(follows("n += 3"));
  change(spin + "template <typename L> void f(L& l) {\n  int k = 1;\n  std::unique_lock<L> guard(l);\n  n += "
                "2;\n}\n"
                "void g() { f(spin); }\n",
         "    while (taken", "    if (taken");
  EXPECT_TRUE(follows("n += 2"));
  change(
      "#include <mutex>\n#include <pthread.h>\nstruct Mutex {\n  pthread_mutex_t m;\n  void lock() {\n"
      "    pthread_mutex_lock(&m);\n  }\n  void unlock() { pthread_mutex_unlock(&m); }\n};\nMutex "
      "mutex;\nint n;\n"
      "void f() {\n  int k = 1;\n  {\n    std::scoped_lock guard(mutex);\n    n += 2;\n  }\n  n += 3;\n}\n",
      "    pthread_mutex_lock(&m);\n", "    pthread_mutex_trylock(&m);\n");
  EXPECT_TRUE(follows("n += 2"));
  EXPECT_FALSE(follows("n += 3"));
}

// Who tries again because others were faster waits for nobody.
TEST_F(WhatFollows, NothingOfALoopThatPublishes) {
  change("#include <atomic>\nstruct Node { Node* next; };\nstd::atomic<Node*> head;\nint n;\nvoid push(Node* "
         "node) {\n"
         "  Node* seen = head;\n  do {\n    node->next = seen;\n  } while (!head.compare_exchange_weak(seen, "
         "node));\n"
         "}\nvoid f(Node* node) {\n  push(node);\n  n += 2;\n}\n",
         "compare_exchange_weak", "compare_exchange_strong");
  EXPECT_FALSE(follows("n += 2"));
}

TEST_F(WhatFollows, ALockThatAGuardGetsLater) {
  const std::string head =
      "#include <memory>\n#include <mutex>\n#include <optional>\nstd::mutex m;\nbool safe = true;\n"
      "int n;\nvoid f() {\n  int k = 1;\n";
  const std::string tail = "  n += 2;\n}\n";
  const auto later = [&](const std::string& guard, const std::string& lock) {
    change(head + "  " + guard + " lock;\n  if (safe)\n    " + lock + ";\n" + tail, "safe = true",
           "safe = false");
    EXPECT_TRUE(follows("n += 2")) << guard;
    EXPECT_FALSE(follows("int k = 1")) << guard;
  };
  later("std::optional<std::lock_guard<std::mutex>>", "lock.emplace(m)");
  later("std::unique_ptr<std::lock_guard<std::mutex>>",
        "lock = std::make_unique<std::lock_guard<std::mutex>>(m)");
  later("std::unique_lock<std::mutex>", "lock = std::unique_lock<std::mutex>(m)");
}

TEST_F(WhatFollows, AThreadThatIsStartedOrNot) {
  const std::string test =
      "#include <thread>\n#include <vector>\nint workers = 1;\nint n[4];\nvoid work(int at) {\n  n[2] = 1;\n "
      " n[at] "
      "= 2;\n}\nvoid f() {\n  std::vector<std::thread> all;\n  for (int i = 0; i < workers; ++i)\n    "
      "all.emplace_back(work, i);\n  std::thread one(work, 3);\n}\n";
  change(test, "workers = 1", "workers = 2");
  EXPECT_TRUE(follows("n[2]"));
  change(test, "work, 3", "work, 0");
  EXPECT_TRUE(follows("n[at]"));
  EXPECT_FALSE(follows("n[2]"));
}

TEST_F(WhatFollows, AThreadThatGetsAnotherObject) {
  change("#include <thread>\nstruct State {\n  int n;\n};\nState one, two;\nState* state() {\n  return "
         "&one;\n}\n"
         "void run(State* state) {\n  int k = 1;\n  state->n += 2;\n}\nvoid f() {\n  std::thread other(run, "
         "state());\n"
         "  other.join();\n}\n",
         "return &one", "return &two");
  EXPECT_TRUE(follows("state->n += 2"));
  EXPECT_FALSE(follows("int k = 1"));
}

TEST_F(WhatFollows, ASemaphoreThatAConstructorFills) {
  change(
      "#include <semaphore>\nstruct Pool {\n  std::counting_semaphore<8> slots;\n  Pool()\n      : slots(1) "
      "{}\n};\nPool pool;\nint n;\nvoid f() {\n  int k = 1;\n  pool.slots.acquire();\n  n += 3;\n}\n",
      "slots(1)", "slots(2)");
  EXPECT_TRUE(follows("n += 3"));
  EXPECT_FALSE(follows("int k = 1"));
}

TEST_F(WhatFollows, AWaitForAnotherCondition) {
  change("#include <condition_variable>\nstd::condition_variable c;\nint a, n;\nbool ready() {\n  return a > "
         "1;\n}\nvoid f(std::unique_lock<std::mutex>& lock) {\n  int k = 1;\n  c.wait(lock, [] { return "
         "ready(); });\n  "
         "n += 3;\n}\n",
         "a > 1", "a > 0");
  EXPECT_TRUE(follows("n += 3"));
  EXPECT_FALSE(follows("int k = 1"));
}

TEST_F(WhatFollows, AFunctionThatAPointerSays) {
  change("int n;\nvoid one() {}\nvoid two() {}\nvoid (*enter)();\nvoid g() {\n  enter = one;\n}\nvoid f() "
         "{\n  int k = "
         "1;\n  enter();\n  n += 3;\n}\n",
         "enter = one", "enter = two");
  EXPECT_TRUE(follows("n += 3"));
  EXPECT_FALSE(follows("int k = 1"));
}

// Of an array, or of pointers to members.
TEST_F(WhatFollows, AFunctionThatATableSays) {
  change("#include \"header.h\"\nint n;\nvoid one() {}\nvoid two() {}\nvoid (*table[1])() = {FIRST};\nvoid "
         "f() {\n  int k = 1;\n  table[0]();\n  n += 3;\n}\n",
         "FIRST one", "FIRST two", "#define FIRST one\n");
  EXPECT_TRUE(follows("n += 3"));
  EXPECT_FALSE(follows("int k = 1"));
  change(
      "struct Two { void one() {} void two() {} } t;\nint n;\nvoid (Two::*enter)();\nvoid g() {\n  enter = "
      "&Two::one;\n}\nvoid f() {\n  int k = 1;\n  (t.*enter)();\n  n += 3;\n}\n",
      "&Two::one", "&Two::two");
  EXPECT_TRUE(follows("n += 3"));
  EXPECT_FALSE(follows("int k = 1"));
}

// The exception leaves the region of the lock, or does not.
TEST_F(WhatFollows, WhatCatchesAnException) {
  const std::string test =
      "#include <mutex>\nstd::mutex m;\nint n, k, j;\nvoid check(int me) {\n  if (me > 1)\n    throw me;\n}\n"
      "void outer(int me) {\n  k = 3;\n  check(me);\n}\nvoid f(int me) {\n  m.lock();\n  try {\n    k = 1;\n"
      "    outer(me);\n  } catch (int) {\n    m.unlock();\n  }\n  n += 2;\n}\n"
      "void g() {\n  j = 4;\n}\n";
  change(test, "me > 1", "me > 2");
  EXPECT_TRUE(follows("m.unlock()"));
  EXPECT_TRUE(follows("n += 2"));
  EXPECT_FALSE(follows("k = 1"));
  EXPECT_FALSE(follows("k = 3"));
  EXPECT_FALSE(follows("j = 4"));
  change(test, "  if (me > 1)\n    throw me;\n", "");
  EXPECT_TRUE(follows("n += 2"));
  change(test, "throw me;", "n += me;");
  EXPECT_TRUE(follows("m.unlock()"));
}

// Jumps that come or go, although no condition changes.
TEST_F(WhatFollows, WhatIsBehindAJump) {
  const std::string test = "int n, k, j;\nvoid log();\nvoid f(int me) {\n  k = 1;\n  for (int i = 0; i < 2; "
                           "++i) {\n    if (me == i) {\n"
                           "      log();\n      JUMP;\n    }\n    n += 2;\n  }\n  j += 3;\n}\n";
  for (const char* jump : {"continue", "break", "return"}) {
    const std::string text = replaced(test, "JUMP", jump);
    for (const bool comes : {false, true}) {
      const std::string line = "      " + std::string(jump) + ";\n";
      if (comes)
        change(replaced(text, line, ""), "      log();\n", "      log();\n" + line);
      else
        change(text, line, "");
      EXPECT_TRUE(follows("n += 2")) << jump;
      EXPECT_EQ(std::string(jump) == "return", follows("j += 3")) << jump;
      EXPECT_FALSE(follows("k = 1")) << jump;
    }
  }
  change(replaced(test, "JUMP", "return"), "      return;", "      return (void)0;");
  EXPECT_FALSE(follows("n += 2"));
}

TEST_F(WhatFollows, WhatIsBehindABreakOfASwitch) {
  change("int n, k;\nvoid log();\nvoid f(int me) {\n  switch (me) {\n  case 0:\n    log();\n    break;\n  "
         "case 1:\n"
         "    n += 1;\n  }\n  k += 2;\n}\n",
         "    break;\n", "");
  EXPECT_TRUE(follows("n += 1"));
  EXPECT_FALSE(follows("k += 2"));
}

TEST_F(WhatFollows, WhatIsBehindALabel) {
  change("int n, k, j;\nvoid f(int me) {\n  switch (me) {\n  case 0:\n    k += 1;\n    break;\n  case 1:\n   "
         " n += 1;\n    break;\n  }\n"
         "  j += 2;\n}\n",
         "case 1", "case 2");
  EXPECT_TRUE(follows("n += 1"));
  EXPECT_FALSE(follows("k += 1"));
  EXPECT_FALSE(follows("j += 2"));
}

TEST_F(WhatFollows, WhatAParameterBringsBack) {
  for (const char* kind : {"&", "*"}) {
    const std::string star = *kind == '*' ? "*" : "";
    const std::string text = "int n[4], k[4];\nvoid split(int me, int" + std::string(kind) + " end) {\n  " +
                             star +
                             "end = me + 1;\n}\nvoid f(int me) {\n  int j = 0;\n  int end = 0;\n"
                             "  split(me, " +
                             (star.empty() ? "" : "&") + "end);\n  k[j] += 1;\n  n[end] += 2;\n}\n";
    change(text, "end = me + 1", "end = me + 2");
    EXPECT_TRUE(follows("n[end] += 2")) << kind;
    EXPECT_FALSE(follows("k[j] += 1")) << kind;
  }
}

// What is handed to another one than before is called elsewhere.
TEST_F(WhatFollows, WhatIsHandedOn) {
  const std::string text = "#include <functional>\nstruct Pool { void post(std::function<void()>); };\nPool "
                           "one, two;\nint n, k, j;\n"
                           "void add() {\n  n += 1;\n}\nint other() {\n  j += 1;\n  return 1;\n}\nPool& "
                           "pool(int which) {\n  return which == 1 ? one : two;\n}\n"
                           "void f() {\n  one.post(add); // f\n  one.post([] { // lambda\n    k += 2;\n  "
                           "});\n  pool(other()).post(add); // pool\n}\n";
  change(text, "one.post(add); // f", "two.post(add); // f");
  EXPECT_TRUE(follows("n += 1"));
  EXPECT_FALSE(follows("k += 2"));
  change(text, "one.post([] { // lambda", "two.post([] { // lambda");
  EXPECT_TRUE(follows("k += 2"));
  EXPECT_FALSE(follows("n += 1"));
  change(text, "which == 1", "which == 2");
  EXPECT_TRUE(follows("n += 1"));
  EXPECT_FALSE(follows("j += 1"));
}

TEST_F(WhatFollows, APolicyOfAnAsynchronousCall) {
  change("#include <future>\nint n;\nvoid add() {\n  n += 1;\n}\nvoid f() {\n"
         "  auto one = std::async(std::launch::deferred, add);\n}\n",
         "launch::deferred", "launch::async");
  EXPECT_TRUE(follows("n += 1"));
}

TEST_F(WhatFollows, AThreadThatIsStartedAtAnotherTime) {
  const std::string text =
      "#include <thread>\nint n, k, j;\nvoid add() {\n  n += 1;\n}\nvoid g() {\n  j = 1;\n}\n"
      "void f() {\n  std::thread one(g);\n  one.join();\n  std::thread two(add);\n  two.join();\n  k = "
      "3;\n}\n";
  change(text, "  one.join();\n  std::thread two(add);\n", "  std::thread two(add);\n  one.join();\n");
  EXPECT_TRUE(follows("n += 1"));
  EXPECT_FALSE(follows("j = 1"));
}

// What a moved line that does something passes on its way.
TEST_F(WhatFollows, WhatALineMovesPast) {
  const std::string text = "struct Item { int n; };\nvoid give(Item*);\nint k, j;\nvoid f(Item* item) {\n  k "
                           "= 1;\n  item->n = 2;\n"
                           "  int i = 0;\n  give(item);\n  j = 3 + i;\n}\n";
  change(text, "  item->n = 2;\n  int i = 0;\n  give(item);\n",
         "  give(item);\n  item->n = 2;\n  int i = 0;\n");
  EXPECT_TRUE(follows("item->n = 2"));
  EXPECT_FALSE(follows("k = 1"));
  EXPECT_FALSE(follows("j = 3"));
  const std::string own = "int k;\nint f(int me) {\n  int i = me;\n  k = 1;\n  k = 2;\n  return i;\n}\n";
  change(own, "  int i = me;\n  k = 1;\n  k = 2;\n", "  k = 1;\n  k = 2;\n  int i = me;\n");
  EXPECT_FALSE(follows("k = 1"));
}

// A template calls by a name what the commit has given to another class.
TEST_F(WhatFollows, AMemberThatHidesAnother) {
  const std::string test =
      "#include <mutex>\nstd::mutex m;\nint n, k;\ntemplate <class D> struct Step {\n  void go() {\n    k = "
      "1;\n"
      "    static_cast<D*>(this)->enter();\n    n += 2;\n    static_cast<D*>(this)->leave();\n  }\n"
      "  void enter() { m.lock(); }\n  void leave() { m.unlock(); }\n};\nstruct Mine : Step<Mine> {\n  // "
      "Mine\n};\n"
      "void f() { Mine().go(); }\n";
  change(test, "  // Mine\n", "  void enter() {}\n  void leave() {}\n");
  EXPECT_TRUE(follows("n += 2"));
  EXPECT_FALSE(follows("k = 1"));
}

TEST_F(WhatFollows, ASpecialization) {
  const std::string test =
      "#include <mutex>\nstd::mutex m;\nint n, k;\nstruct Item {};\ntemplate <class T> struct Traits {\n"
      "  static void lock() { m.lock(); }\n  static void unlock() { m.unlock(); }\n};\n// HERE\n"
      "template <class T> void add() {\n  k = 1;\n  Traits<T>::lock();\n  n += 2;\n  "
      "Traits<T>::unlock();\n}\n"
      "void f() { add<Item>(); }\n";
  change(test, "// HERE\n",
         "template <> struct Traits<Item> {\n  static void lock() {}\n  static void unlock() {}\n};\n");
  EXPECT_TRUE(follows("n += 2"));
  EXPECT_FALSE(follows("k = 1"));
}

// A lock by a virtual function of another object.
TEST_F(WhatFollows, ALockOfAnotherObject) {
  change(
      "#include <mutex>\nstd::mutex m;\nint n, k;\nstruct Base {\n  virtual void enter() {}\n  virtual void "
      "leave() {}\n};\n"
      "struct Locked : Base {\n  void enter() override { m.lock(); }\n  void leave() override { m.unlock(); "
      "}\n};\n"
      "Base* guard = new Locked;\nvoid f() {\n  k = 1;\n  guard->enter();\n  n += 2;\n  guard->leave();\n}\n",
      "new Locked", "new Base");
  EXPECT_TRUE(follows("n += 2"));
  EXPECT_FALSE(follows("k = 1"));
}

TEST_F(WhatFollows, AMethodThatIsStartedWithAnotherObject) {
  change(
      "#include <thread>\nstruct A {\n  int n = 0;\n  void run() {\n    n += 1;\n  }\n};\nA a;\nvoid f() {\n"
      "  std::thread one(&A::run, a); // f\n  one.join();\n}\n",
      "&A::run, a)", "&A::run, &a)");
  EXPECT_TRUE(follows("n += 1"));
}

TEST_F(WhatFollows, AFunctionOfAnotherUnit) {
  const std::string add = "int n;\nvoid add() {\n  n += 1;\n}\n";
  const std::string test =
      "#include <thread>\nvoid add();\nvoid f() {\n  std::thread one(add);\n  one.join();\n}\n";
  m_after = add;
  m_impact =
      m_project.impact({{"other.cpp", test}, {"test.cpp", add}},
                       {{"other.cpp", replaced(test, "  one.join();\n",
                                               "  std::thread two(add);\n  one.join();\n  two.join();\n")},
                        {"test.cpp", add}});
  EXPECT_TRUE(follows("n += 1"));
}

TEST_F(WhatFollows, ADeleterThatWaited) {
  change("#include <memory>\n#include <thread>\nint n, k;\nstruct Joiner {\n  void operator()(std::thread* "
         "thread) const {\n"
         "    thread->join();\n    delete thread;\n  }\n};\nvoid f() {\n  k = 1;\n  {\n"
         "    std::unique_ptr<std::thread, Joiner> thread(new std::thread([] {}));\n  }\n  n += 2;\n}\n",
         "    thread->join();\n", "");
  EXPECT_TRUE(follows("n += 2"));
  EXPECT_FALSE(follows("k = 1"));
}

// Who only writes the field does what it did.
TEST_F(WhatFollows, AnAddressThatIsOnlyKept) {
  const std::string text =
      "struct S { int set; };\nS* kept[2];\nint n, k;\nvoid set(S* s);\nvoid f() {\n  S s{};\n  "
      "kept[k] = &s;\n  if (s.set == 1)\n    n += 2;\n  set(&s);\n}\n";
  change(text, "kept[k] = &s", "kept[k++] = &s");
  EXPECT_FALSE(follows("n += 2"));
  change(text + "void g() {\n  S s{};\n  set(&s); // g\n  if (s.set == 2)\n    n += 3;\n}\n", "set(&s); // g",
         "set(1 + &s);");
  EXPECT_TRUE(follows("n += 3"));
}

TEST_F(WhatFollows, OtherWritesOfTheField) {
  change("int a, n;\nvoid g() {\n  a = 1;\n}\nvoid f() {\n  a = 5; n += 3;\n}\n", "a = 1", "a = 2");
  EXPECT_FALSE(follows("n += 3"));
}

TEST_F(WhatFollows, NothingOfAComment) {
  change("int n;\nbool get() {\n  // First.\n  return true;\n}\nvoid f() {\n  if (get())\n    n += 1;\n}\n",
         "First", "Second");
  EXPECT_FALSE(follows("n += 1"));
}

} // namespace
} // namespace reex::test
