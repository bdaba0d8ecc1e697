#!/usr/bin/env bash
# migrate_frameworks.sh ROOT REEX CXX: migrations of whole binaries of GoogleTest and doctest: several tests at once, of
# which some cannot be migrated.
set -euo pipefail
root="$1"
reex="$2"
cxx="$3"
work="$(mktemp -d)"
trap 'rm -rf "$work"' EXIT
cd "$work"
export GIT_CONFIG_GLOBAL=/dev/null GIT_CONFIG_SYSTEM=/dev/null

fail() {
  echo "$1"
  cat output
  exit 1
}
# expect STATUS COMMAND...: the command ends with the status
expect() {
  local status="$1" got=0
  shift
  "$@" >output 2>&1 || got=$?
  [[ "$got" == "$status" ]] || fail "status $got, and not $status: $*"
}
says() { grep -qF -- "$1" output || fail "it does not say '$1'"; }
silent() { ! grep -qF -- "$1" output || fail "it says '$1'"; }

cat >google.cpp <<'CPP'
#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

using namespace std::chrono_literals;

class Gate {
public:
  void wait() {
    std::unique_lock lock(m_mutex);
    m_changed.wait(lock, [this] { return m_open; });
  }
  void open() {
    const std::lock_guard lock(m_mutex);
    m_open = true;
    m_changed.notify_all();
  }

private:
  std::mutex m_mutex;
  std::condition_variable m_changed;
  bool m_open = false;
};

bool start(std::vector<std::thread>& threads, const std::function<void()>& work) {
  threads.emplace_back(work);
  return true;
}

TEST(None, Sleeps) { EXPECT_TRUE(true); }
TEST(None, SleepsEither) {
  std::thread thread([] {});
  thread.join();
}

// Both tasks sleep for the same time: none of them waits for the other.
TEST(Same, Lengths) {
  std::atomic<int> done = 0;
  std::vector<std::thread> threads;
  for (int i = 0; i < 2; ++i)
    threads.emplace_back([&] {
      std::this_thread::sleep_for(10ms);
      ++done;
    });
  std::this_thread::sleep_for(50ms);
  EXPECT_EQ(done, 2);
  for (auto& thread : threads) thread.join();
}

// The compiler puts the whole lambda at the line of the macro.
TEST(InMacro, Waits) {
  Gate gate;
  std::vector<std::thread> threads;
  EXPECT_TRUE(start(threads, [&] {
    gate.wait();
  }));
  std::this_thread::sleep_for(10ms);
  gate.open();
  threads[0].join();
}

// The event is in a loop, where it occurs more often than the schedule needs it.
TEST(InLoop, Starts) {
  Gate gate;
  std::atomic<int> opened = 0;
  std::thread waiter([&] {
    gate.wait();
    ++opened;
  });
  std::this_thread::sleep_for(10ms);
  for (int i = 0; i < 3; ++i) gate.open();
  waiter.join();
  EXPECT_EQ(opened, 1);
}

struct Joins {
  std::thread thread;
  Gate gate;
  ~Joins() {
    gate.wait();
    thread.join();
  }
};

// What blocks is the destructor.
TEST(AtTheEnd, OfABlock) {
  std::atomic<int> value = 0;
  {
    Joins joins;
    joins.thread = std::thread([&] {
      std::this_thread::sleep_for(10ms);
      value = 1;
      joins.gate.open();
    });
  }
  EXPECT_EQ(value, 1);
}

// Time is what is tested.
TEST(Time, IsTested) {
  const auto begin = std::chrono::steady_clock::now();
  std::atomic<bool> set = false;
  std::thread setter([&] { set = true; });
  std::this_thread::sleep_for(30ms);
  EXPECT_TRUE(set);
  EXPECT_GE(std::chrono::steady_clock::now() - begin, 30ms);
  setter.join();
}

template <typename T>
struct Typed : testing::Test {};
using Types = testing::Types<char, int>;
TYPED_TEST_SUITE(Typed, Types);

TYPED_TEST(Typed, Agrees) {
  Gate gate;
  TypeParam value = 0;
  std::thread waiter([&] {
    gate.wait();
    value = 1;
  });
  std::this_thread::sleep_for(10ms);
  gate.open();
  waiter.join();
  EXPECT_EQ(value, 1);
}

TYPED_TEST(Typed, Differs) {
  Gate gate;
  if (sizeof(TypeParam) == 1) gate.open();
  std::thread waiter([&] {
    gate.wait();
  });
  std::this_thread::sleep_for(10ms);
  gate.open();
  waiter.join();
}
CPP

cat >doc.cpp <<'CPP'
#define DOCTEST_CONFIG_IMPLEMENT_WITH_MAIN
#include <doctest/doctest.h>

#include <chrono>
#include <future>
#include <thread>

TEST_CASE("a future::get, that waits - for a value") {
  std::promise<int> promise;
  int value = 0;
  std::thread waiter([&] {
    value = promise.get_future().get();
  });
  std::this_thread::sleep_for(std::chrono::milliseconds(10));
  promise.set_value(3);
  waiter.join();
  CHECK(value == 3);
}

TEST_CASE("another: the value comes first") {
  std::promise<int> promise;
  std::thread setter([&] { promise.set_value(4); });
  std::this_thread::sleep_for(std::chrono::milliseconds(10));
  CHECK(promise.get_future().get() == 4);
  setter.join();
}

TEST_CASE("sections") {
  std::promise<int> promise;
  std::thread waiter([&] { promise.get_future().wait(); });
  SUBCASE("one") { std::this_thread::sleep_for(std::chrono::milliseconds(10)); }
  SUBCASE("two") { std::this_thread::sleep_for(std::chrono::milliseconds(10)); }
  promise.set_value(3);
  waiter.join();
}
CPP
cat >Makefile <<MAKE
%: %.cpp
	$cxx -std=c++20 -g $("$reex" flags --compile) -I$root/include -c \$< -o \$@.o
	$cxx -o \$@ \$@.o $("$reex" flags --link) \$(LIBS)
google: LIBS = -lgtest_main -lgtest
MAKE
printf 'google\ndoc\n*.o\noutput\n' >.gitignore
git init -q .
git add .
git -c user.name=a -c user.email=a@b commit -qm test
make -s google doc

expect 0 "$reex" imunit infer google
says '2 of 11 tests create no thread, or never sleep: -v names them'
silent 'None.Sleeps'
silent '#2->startingIncr'
says 'schedule     [startingWait1]->startingOpen1#1'
says ': startingWait1, before `gate.wait();`'
says ': startingEndOfBlock1, at the end of the block'

expect 1 "$reex" imunit migrate --verify --apply --build 'make -s google' google
says 'Typed/1.Differs: one schedule cannot be that of its instances Typed/0.Differs and Typed/1.Differs: it stays'
says '  Time.IsTested: '
says 'Without Time.IsTested:'
says 'HOLDS V4'
says 'WRITTEN'
git diff google.cpp >output
says '+  REEX_SCHEDULE("finishedDone1#2->startingDone2");'
[[ "$(grep -c '^-.*sleep_for' output)" == 5 ]] || fail "not five sleeps are gone"
[[ "$(grep -c '^+.*REEX_SCHEDULE' output)" == 5 ]] || fail "there are not five schedules"
make -s google
expect 0 "$reex" google
for _ in 1 2 3; do expect 0 ./google --gtest_filter=-Time.*; done

expect 0 "$reex" imunit infer doc
says 'it is in a section: the test is executed once for each'
cp Makefile kept
sed -i "s|-I$root/include||" Makefile
expect 1 "$reex" imunit migrate --verify --build 'make -s doc' doc
says 'link its target with reex::imunit'
mv kept Makefile
expect 0 "$reex" imunit migrate --verify --apply --build 'make -s doc' doc
says 'WRITTEN'
[[ "$(grep -c 'REEX_SCHEDULE' doc.cpp)" == 2 ]] || fail "not both are migrated"
says 'HOLDS V4'
make -s doc
expect 0 ./doc
expect 0 "$reex" --filter 'a future::get, that waits - for a value' doc
says 'satisfied'
