// Analysis 1 of section 4.2.1 (dissertation): the lock region of a changed line, all of it and nothing else.
#include <gtest/gtest.h>

#include <algorithm>

#include "tests/impact/marked_commit.h"

namespace reex::test {
namespace {

TEST(Regions, ScopedLockOfTwoMutexes) {
  expect_impact({{"a.cpp", R"(
 #include <mutex>
 std::mutex m, k;
 int x, y, z;
 void f() {
   z = 1;
   {
     std::scoped_lock both(m, k); //!
-    x = 1;
+    x = 2; //!
     y = 1; //!
   } //!
   z = 2;
 }
)"}},
                {.methods = "f", .fields = "k, m, x, y"});
}

// The tests' projects are compiled with g++, which is no GCC 4.
TEST(Regions, CodeOfARecentGcc) {
  expect_impact({{"a.cpp", R"(
 #include <mutex>
 std::mutex m;
 int x;
 #if !defined(__GNUC__) || __GNUC__ > 4 || (__GNUC__ == 4 && __GNUC_MINOR__ >= 8)
 void f() { //!
-  std::lock_guard lock(m);
   x = 1; //!
 } //!
 #endif
)"}},
                {.methods = "f", .fields = "m, x"});
}

TEST(Regions, InATemplateThatAnAutoParameterMakes) {
  expect_impact({{"a.cpp", R"(
 #include <mutex>
 std::mutex m;
 int x, y;
 void f(auto& by) {
   y = by;
   std::lock_guard<std::mutex> lock(m); //!
-  x += by;
+  x -= by; //!
 } //!
)"}},
                {.methods = "f", .fields = "m, x"});
}

TEST(Regions, UniqueLockThatIsUnlockedEarly) {
  expect_impact({{"a.cpp", R"(
 #include <mutex>
 std::mutex m;
 int x, y;
 void f() {
   std::unique_lock<std::mutex> lock(m); //!
-  x = 1;
+  x = 2; //!
   lock.unlock(); //!
   y = 1;
 }
)"}},
                {.methods = "f", .fields = "m, x"});
}

TEST(Regions, EndsWithTheGuardThatAdoptsTheLock) {
  expect_impact({{"a.cpp", R"(
 #include <mutex>
 std::mutex m;
 int x, y, z;
 void f() {
   {
     m.lock(); //!
-    x = 1;
+    x = 2; //!
     std::lock_guard<std::mutex> lock(m, std::adopt_lock); //!
     y = 1; //!
   } //!
   z = 1;
   {
     z = 2;
   }
 }
)"}},
                {.methods = "f", .fields = "m, x, y"});
}

TEST(Regions, BehindAnEarlyReleaseThatLeaves) {
  expect_impact({{"a.cpp", R"(
 #include <mutex>
 std::mutex m;
 int x, y;
 void work();
 void f() {
   for (;;) {
     std::unique_lock<std::mutex> lock(m); //!
     if (x == 1) { //!
       lock.unlock(); //!
       work();
       break;
     } //!
     if (x == 2) //!
       return; //!
-    x = 1;
+    x = 2; //!
     lock.unlock(); //!
     y = 1;
     lock.lock();
     y = 2;
   }
 }
)"}},
                {.methods = "f", .fields = "m, x"});
}

TEST(Regions, ChangeBehindAnEarlyRelease) {
  expect_impact({{"a.cpp", R"(
 #include <mutex>
 std::mutex m;
 int x, y;
 void f() {
   m.lock();
   if (x == 1) {
     m.unlock();
-    y = 1;
+    y = 2; //!
     return;
   }
   x = 2;
   m.unlock();
 }
)"}},
                {.methods = "f", .fields = "y"});
}

TEST(Regions, LastReleaseIsOneThatLeaves) {
  expect_impact({{"a.cpp", R"(
 #include <mutex>
 std::mutex m;
 int x, y;
 void f(int n) {
   m.lock(); //!
   while (n > 0) { //!
     if (x == 1) { //!
       m.unlock(); //!
       y = 1;
       return;
     } //!
-    x = 1;
+    x = 2; //!
   } //!
   x = 3; //!
   m.unlock(); //!
   switch (n) {
   case 1:
     m.lock();
     x = 4;
     m.unlock();
     break;
   default:
     y = 2;
   }
 }
)"}},
                {.methods = "f", .fields = "m, x"});
}

TEST(Regions, WindowThatOthersAreLetInto) {
  expect_impact({{"a.cpp", R"(
 #include <mutex>
 std::mutex m;
 int x, y;
 void f(int n) {
   std::unique_lock<std::mutex> lock(m); //!
   while (x < n) { //!
     lock.unlock(); //!
     y = 1;
     y = 2; //!
-    lock.lock();
   } //!
   x = 3; //!
 } //!
)"}},
                {.methods = "f", .fields = "m, x, y"});
}

TEST(Regions, SharedLockOfAReader) {
  expect_impact({{"a.cpp", R"(
 #include <mutex>
 #include <shared_mutex>
 struct Table {
   int get() const { //!
-    std::shared_lock lock(m_mutex);
     return m_value; //!
   } //!
   void set(int value) {
     std::unique_lock lock(m_mutex);
     m_value = value;
   }
   mutable std::shared_mutex m_mutex;
   int m_value = 0;
 };
)"}},
                {.methods = "Table::get", .classes = "Table", .fields = "Table::m_mutex, Table::m_value"});
}

TEST(Regions, GuardClassOfTheProject) {
  expect_impact({{"a.cpp", R"(
 #include <pthread.h>
 pthread_mutex_t m;
 int x, y, z;
 struct Holder {
   explicit Holder(pthread_mutex_t* mutex) : m_mutex(mutex) { pthread_mutex_lock(m_mutex); }
   ~Holder() { pthread_mutex_unlock(m_mutex); }
   pthread_mutex_t* m_mutex;
 };
 void f() {
   z = 1;
   {
     Holder holder(&m); //!
-    x = 1;
+    x = 2; //!
     y = 1; //!
   } //!
   z = 2;
 }
)"}},
                {.methods = "f", .fields = "Holder::m_mutex, m, x, y"});
}

TEST(Regions, GuardClassWithAGuardInside) {
  expect_impact({{"a.cpp", R"(
 #include <mutex>
 struct Access {
   explicit Access(std::mutex& m) : m_lock(m) {}
   std::lock_guard<std::mutex> m_lock;
 };
 std::mutex m;
 int x, y;
 void f() {
   Access access(m); //!
   x = 1; //!
-  y = 1;
+  y = 2; //!
 } //!
)"}},
                {.methods = "f", .fields = "Access::m_lock, m, x, y"});
}

TEST(Regions, GuardClassWithTheConstructorsOfABase) {
  expect_impact({{"a.cpp", R"(
 #include <mutex>
 struct Taker {
   explicit Taker(std::mutex& m) : m_mutex(m) { m_mutex.lock(); }
   std::mutex& m_mutex;
 };
 struct Guard : Taker {
   using Taker::Taker;
   ~Guard() { m_mutex.unlock(); }
 };
 std::mutex m;
 int x, y;
 void f() {
   y = 1;
   {
     Guard guard(m); //!
-    x = 1;
+    x = 2; //!
   } //!
   y = 2;
 }
)"}},
                {.methods = "f", .fields = "Taker::m_mutex, m, x"});
}

TEST(Regions, GuardThatIsATemplateOfTheProject) {
  expect_impact({{"a.cpp", R"(
 template <class M> class Guard {
 public:
   explicit Guard(M& m) : m_mutex(m) { m_mutex.lock(); }
   ~Guard() { m_mutex.unlock(); }
 private:
   M& m_mutex;
 };
 struct Spin { void lock(); void unlock(); };
 Spin s;
 int x, y, z;
 void f() {
   z = 1;
   if (z == 1) {
     Guard<Spin> guard{s}; //!
     x = 1; //!
+    y = 1; //!
   } //!
 }
)"}},
                {.methods = "f", .fields = "Guard::m_mutex, s, x, y"});
}

TEST(Regions, ScopeThatBecameNarrower) {
  expect_impact({{"a.cpp", R"(
 #include <mutex>
 std::mutex m;
 int x, y, z;
 void f() {
+  { //!
   std::lock_guard<std::mutex> lock(m); //!
   x = 1; //!
+  } //!
   y = 1; //!
 } //!
 void g() {
   z = 1;
 }
)"}},
                {.methods = "f", .fields = "m, x, y"});
}

TEST(Regions, LockThatMovedDown) {
  expect_impact({{"a.cpp", R"(
 #include <mutex>
 std::mutex m;
 int x, y, z;
 void f() {
   z = 1; //!
-  std::lock_guard<std::mutex> lock(m);
   x = 1; //!
+  std::lock_guard<std::mutex> lock(m); //!
   y = 1; //!
 } //!
)"}},
                {.methods = "f", .fields = "m, x, y, z"});
}

TEST(Regions, AnotherMutex) {
  expect_impact({{"a.cpp", R"(
 #include <mutex>
 std::mutex m, k;
 int x, y;
 void f() {
-  std::lock_guard<std::mutex> lock(m);
+  std::lock_guard<std::mutex> lock(k); //!
   x = 1; //!
 } //!
 void g() {
   std::lock_guard<std::mutex> lock(m);
   y = 1;
 }
)"}},
                {.methods = "f", .fields = "k, m, x"});
}

TEST(Regions, OuterOfTwoRegions) {
  expect_impact({{"a.cpp", R"(
 #include <mutex>
 std::mutex m, k;
 int x, y;
 void f() {
   std::lock_guard<std::mutex> outer(m);
   x = 1;
   {
     std::lock_guard<std::mutex> inner(k);
     y = 1;
   }
 }
 void g() {
   std::lock_guard<std::mutex> outer(m); //!
   { //!
     std::lock_guard<std::mutex> inner(k); //!
   } //!
-  x = 1;
+  x = 2; //!
 } //!
)"}},
                {.methods = "g", .fields = "k, m, x"});
}

TEST(Regions, LambdaWithALockOfItsOwn) {
  expect_impact({{"a.cpp", R"(
 #include <mutex>
 std::mutex m;
 int x, y;
 void f() {
   y = 1;
   auto work = [] {
     std::lock_guard<std::mutex> lock(m); //!
-    x = 1;
+    x = 2; //!
   }; //!
   work();
 }
)"}},
                {.methods = "f, f::(lambda)", .fields = "m, x"});
}

TEST(Regions, MemberTemplateWithADependentMutex) {
  expect_impact({{"a.cpp", R"(
 #include <mutex>
 template <class Mutex> struct Box {
   void put(int n) {
     std::lock_guard<Mutex> lock(m_mutex); //!
-    m_value = n;
+    m_value += n; //!
   } //!
   int get() { return m_value; }
   Mutex m_mutex;
   int m_value = 0;
 };
 Box<std::mutex> box;
)"}},
                {.methods = "Box::put", .classes = "Box", .fields = "Box::m_mutex, Box::m_value"});
}

TEST(Regions, LockInAMacro) {
  expect_impact({{"a.cpp", R"(
 #include <mutex>
 #define LOCKED(which) std::lock_guard<std::mutex> guard_(which)
 std::mutex m;
 int x, y;
 void f() {
   y = 1;
   LOCKED(m); //!
-  x = 1;
+  x = 2; //!
 } //!
)"}},
                {.methods = "f", .fields = "m, x"});
}

TEST(Regions, TryLockInACondition) {
  expect_impact({{"a.cpp", R"(
 #include <mutex>
 std::mutex m;
 int x, y;
 void f() {
   y = 1;
   if (std::unique_lock<std::mutex> lock(m, std::try_to_lock); lock) { //!
-    x = 1;
+    x = 2; //!
   } //!
   y = 2;
 }
)"}},
                {.methods = "f", .fields = "m, x"});
}

TEST(Regions, LockOfAWeakPointerIsNone) {
  expect_impact({{"a.cpp", R"(
 #include <memory>
 std::weak_ptr<int> g_weak;
 int x, y;
 void f() {
   auto held = g_weak.lock();
-  x = 1;
+  x = 2; //!
   y = 1;
 }
)"}},
                {.methods = "f", .fields = "x"});
}

TEST(Regions, UnlockedRegionOfAnotherObject) {
  expect_impact({{"a.cpp", R"(
 #include <mutex>
 struct Node { std::mutex mutex; int value; };
 void f(Node& a, Node& b) {
   a.mutex.lock(); //!
-  a.value = 1;
+  a.value = 2; //!
   a.mutex.unlock(); //!
   b.mutex.lock();
   b.value = 1;
   b.mutex.unlock();
 }
)"}},
                {.methods = "f", .fields = "Node::mutex, Node::value"});
}

TEST(Regions, MacroOfAHeaderThatLockedBefore) {
  expect_impact({{"h.h", R"(
 #include <mutex>
-#define GUARD(m) std::lock_guard<std::mutex> guard_(m)
+#define GUARD(m) (void)m //!
)"},
                 {"a.cpp", R"(
 #include "h.h"
 std::mutex m;
 int x, y;
 void f() {
   y = 0;
   {
     GUARD(m); //!
     x = 1; //!
   } //!
   y = 1;
 }
)"}},
                {.methods = "f", .fields = "m, x"});
}

// Of the units that include a header only some are parsed because of it.
TEST(Regions, AliasOfAGuardThatLockedBefore) {
  const std::string user = R"(
 #include "h.h"
 std::mutex m@;
 int x@, y@;
 void f@() {
   y@ = 0;
   {
     Guard<std::mutex> guard(m@); //!
     x@ = 1; //!
   } //!
   y@ = 1;
 }
)";
  const auto of_unit = [&](char number) {
    std::string text = user;
    std::replace(text.begin(), text.end(), '@', number);
    return text;
  };
  std::map<std::string, std::string> files{{"h.h", R"(
 #include <mutex>
 struct None { template <class M> explicit None(M&) {} };
-template <class M> using Guard = std::lock_guard<M>;
+template <class M> using Guard = None; //!
)"}};
  std::string methods;
  std::string fields;
  for (const char number : std::string("123456")) {
    files[std::string("unit") + number + ".cpp"] = of_unit(number);
    methods += (methods.empty() ? "f" : ", f") + std::string(1, number);
    fields += (fields.empty() ? "m" : ", m") + std::string(1, number);
  }
  for (const char number : std::string("123456")) fields += ", x" + std::string(1, number);
  expect_impact(files, {.methods = methods, .fields = fields});
}

TEST(Regions, CalledFunctionsThatLockAndUnlock) {
  expect_impact({{"a.cpp", R"(
 #include <mutex>
 std::mutex m;
 int x, y;
 void enter() { m.lock(); }
 void leave() { m.unlock(); }
 void f() { //!
-  enter();
   int k = 1; //!
   k += 2; //!
   x += k; //!
   k = 3; //!
-  leave();
   y = 1; //!
 }
)"}},
                {.methods = "f", .fields = "m, x, y"});
}

// It lets others in and has the lock again: its callers get none from it.
TEST(Regions, CalledFunctionThatLocksAgain) {
  expect_impact({{"a.cpp", R"(
 #include <mutex>
 std::mutex m;
 int x, y;
 void work(int n) {
   std::unique_lock<std::mutex> lock(m); //!
   while (n > 0) { //!
     lock.unlock(); //!
     y = 1;
     lock.lock(); //!
-    x = 1;
+    x = 2; //!
   } //!
 } //!
 void f() {
   work(1);
   y = 2;
 }
)"}},
                {.methods = "work", .fields = "m, x"});
}

// On one path it does not release what it takes.
TEST(Regions, CalledFunctionThatMayLeaveALock) {
  expect_impact({{"a.cpp", R"(
 #include <mutex>
 std::mutex m;
 int x, y;
 bool begin() {
   m.lock();
   if (x == 1) {
     m.unlock();
     return false;
   }
   return true;
 }
 void end() { m.unlock(); }
 void f() {
   if (begin()) { //!
-    x = 1;
+    x = 2; //!
     end(); //!
   }
   y = 2;
 }
)"}},
                {.methods = "f", .fields = "m, x"});
}

TEST(Regions, CalledFunctionOfAnotherFileThatNoLongerLocks) {
  expect_impact({{"a.cpp", R"(
 void enter();
 void leave();
 int x, y;
 void f() {
   y = 1;
   enter(); //!
   x = 1; //!
   leave(); //!
   y = 2;
 }
)"},
                 {"b.cpp", R"(
 #include <mutex>
 static std::mutex m;
 void enter() { //!
-  m.lock();
 } //!
 void leave() { //!
-  m.unlock();
 } //!
)"}},
                {.methods = "enter, f, leave", .fields = "m, x"});
}

// A lock that is handed out in an object, whose constructor does not lock: the regions of those who get it
// end with the object, and who calls them has none.
const char* const k_locked = R"(
 #include <mutex>
 #include <utility>
 int x, y;
 struct State {
   int n = 0;
 };
 class Locked {
 public:
   Locked(std::mutex* of, State* state) : m_of(of), m_state(state) {}
   Locked(Locked&& other) : m_of(other.m_of), m_state(other.m_state) { other.m_of = nullptr; }
   ~Locked() {
     if (m_of != nullptr)
       m_of->unlock();
   }
   Locked& operator=(Locked&& other) {
     std::swap(m_of, other.m_of);
     std::swap(m_state, other.m_state);
     return *this;
   }
   State* operator->() { return m_state; }
 private:
   std::mutex* m_of;
   State* m_state;
 };
 class Guarded {
 public:
   Locked lock() {
     m.lock();
     return Locked(&m, &m_state);
   }
 private:
   std::mutex m;
   State m_state;
 };
 Guarded g;
)";

TEST(Regions, LockThatAnObjectKeeps) {
  expect_impact({{"a.cpp", std::string(k_locked) + R"(
 void keeps(int& at) {
   y = 1;
   {
     auto lock = g.lock(); //!
-    at = 1;
+    at = 2; //!
   } //!
   y = 2;
 }
 void calls() {
   keeps(x);
   y = 3;
 }
)"}},
                {.methods = "keeps", .fields = "Guarded::m, Guarded::m_state, Locked::m_of, g"});
}

TEST(Regions, LockThatAnObjectTakesLater) {
  expect_impact({{"a.cpp", R"(
 #include <mutex>
 std::mutex m;
 int x, y;
 class Guard {
 public:
   ~Guard() { m.unlock(); }
   void lock() { m.lock(); }
 };
 void keeps() {
   Guard guard;
   guard.lock();
   x = 1;
 }
 void calls() {
   keeps();
-  y = 1;
+  y = 2; //!
   y = 3;
 }
)"}},
                {.methods = "calls", .fields = "y"});
}

TEST(Regions, LockThatAnObjectKeepsForAStatement) {
  expect_impact({{"a.cpp", std::string(k_locked) + R"(
 void keeps(int by) {
-  g.lock()->n = by;
+  g.lock()->n = by + 1; //!
   y = 2;
 }
 void calls() {
   keeps(1);
   y = 3;
 }
)"}},
                {.methods = "keeps", .fields = "Guarded::m, Guarded::m_state, Locked::m_state, State::n, g"});
}

TEST(Regions, LockThatAnObjectGivesOn) {
  expect_impact({{"a.cpp", std::string(k_locked) + R"(
 Locked gives(int& at) {
   auto lock = g.lock(); //!
-  at = 1;
+  at = 2; //!
   return lock; //!
 } //!
 void calls() {
   auto lock = gives(x); //!
   y = 3; //!
 } //!
)"}},
                {.methods = "calls, gives",
                 .fields = "Guarded::m, Guarded::m_state, Locked::m_of, Locked::m_state, g, x, y"});
}

TEST(Regions, LockThatAVariableGetsLater) {
  expect_impact(
      {{"a.cpp", std::string(k_locked) + R"(
 void gets(int& at) {
   Locked lock(nullptr, nullptr);
   {
     y = 1;
     lock = g.lock(); //!
   } //!
-  at = 1;
+  at = 2; //!
 } //!
 void calls() {
   gets(x);
   y = 3;
 }
)"}},
      {.methods = "gets", .fields = "Guarded::m, Guarded::m_state, Locked::m_of, Locked::m_state, g"});
}

TEST(Regions, VirtualFunctionThatLocksIsNotCalledAnyMore) {
  expect_impact({{"a.cpp", R"(
 #include <mutex>
 struct Base {
   virtual void enter() {}
   virtual void leave() {}
   void add() { //!
-    enter();
     int k = 1; //!
     n += k; //!
     k = 2; //!
     leave(); //!
   }
   int n = 0;
 };
 struct Safe : Base {
   void enter() override { m.lock(); }
   void leave() override { m.unlock(); }
   std::mutex m;
 };
)"}},
                {.methods = "Base::add", .classes = "Base", .fields = "Base::n"});
}

TEST(Regions, FunctionInTheHeadOfALock) {
  expect_impact({{"a.cpp", R"(
 #include <mutex>
 std::mutex m[2];
 int x, y;
 int stripe(int key) {
-  return key % 2;
+  return key / 2; //!
 }
 void f(int key) {
   y = 1;
   std::lock_guard<std::mutex> guard(m[stripe(key)]); //!
   int k = 1; //!
   x += k; //!
 } //!
)"}},
                {.methods = "f, stripe", .fields = "m, x"});
}

TEST(Regions, ConditionOfALock) {
  expect_impact({{"a.cpp", R"(
 #include <mutex>
 std::mutex m;
 int x, y, users;
 void f() {
   y = 1;
-  if (users > 1)
+  if (users > 2) //!
     m.lock(); //!
   int k = 1; //!
   x += k; //!
-  if (users > 1)
+  if (users > 2) //!
     m.unlock(); //!
   y = 2;
 }
)"}},
                {.methods = "f", .fields = "m, users, x"});
}

TEST(Regions, ConditionOfADeferredLock) {
  expect_impact({{"a.cpp", R"(
 #include <mutex>
-constexpr bool k_shared = true;
+constexpr bool k_shared = false; //!
 std::mutex m;
 int x;
 void f() {
   std::unique_lock<std::mutex> lock(m, std::defer_lock);
   if (k_shared) lock.lock(); //!
   int k = 1; //!
   x += k; //!
 } //!
)"}},
                {.methods = "f", .fields = "m, x"});
}

TEST(Regions, LockThatIsReleasedUnderItsCondition) {
  expect_impact({{"a.cpp", R"(
 #include <mutex>
 std::mutex m;
 int x, y, users;
 void f() {
-  if (users > 1) {
+  if (users > 2) { //!
     m.lock();
     x = 1;
     m.unlock();
   }
   y = 2;
 }
)"}},
                {.methods = "f", .fields = "users"});
}

TEST(Regions, MutexesOfC) {
  expect_impact({{"a.cpp", R"(
 #include <pthread.h>
 #include <threads.h>
 struct Box { pthread_mutex_t m_mutex; mtx_t m_other; int m_in = 0; int m_out = 0; };
 void f(Box& box) {
   pthread_mutex_lock(&box.m_mutex); //!
-  box.m_in = 1;
+  box.m_in = 2; //!
   pthread_mutex_unlock(&box.m_mutex); //!
   box.m_out = 3;
 }
 void g(Box* box) {
   mtx_lock(&box->m_other); //!
-  box->m_in = 1;
+  box->m_in = 2; //!
   mtx_unlock(&box->m_other); //!
   box->m_out = 3;
 }
 int main() {
   Box box;
   f(box);
   g(&box);
 }
)"}},
                {.methods = "f, g", .fields = "Box::m_in, Box::m_mutex, Box::m_other"});
}

TEST(Regions, LocksOfSeveralThatGuardsAdopt) {
  expect_impact({{"a.cpp", R"(
 #include <mutex>
 struct Box { std::mutex m_mutex; int m_in = 0; int m_out = 0; };
 void f(Box& a, Box& b) {
   std::lock(a.m_mutex, b.m_mutex); //!
   std::lock_guard<std::mutex> one(a.m_mutex, std::adopt_lock); //!
   std::lock_guard<std::mutex> two(b.m_mutex, std::adopt_lock); //!
-  a.m_in = 1;
+  a.m_in = 2; //!
 } //!
 void g(Box& a, Box& b) {
   std::lock(a.m_mutex, b.m_mutex); //!
-  a.m_in = 1;
+  a.m_in = 2; //!
   a.m_mutex.unlock(); //!
   b.m_mutex.unlock(); //!
   a.m_out = 3;
 }
 int main() {
   Box a, b;
   f(a, b);
   g(a, b);
 }
)"}},
                {.methods = "f, g", .fields = "Box::m_in, Box::m_mutex"});
}

} // namespace
} // namespace reex::test
