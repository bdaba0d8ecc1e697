#!/usr/bin/env bash
# check_discover.sh CMAKE FOLDER: reex_discover_tests() of the package in FOLDER. A case that passes natively and fails under
# a schedule fails in ctest, and only that one; a binary without threads, and one without a case, are never green.
set -euo pipefail
cmake="$1" package="$2"
ctest="$(dirname "$cmake")/ctest"
folder="$(mktemp -d)"
trap 'rm -rf "$folder"' EXIT
status=0
complain() { status=1; printf 'check_discover: %s\n' "$1"; }

cat >"$folder/cases.cpp" <<'CPP'
#include <gtest/gtest.h>

#include <atomic>
#include <thread>

namespace {
int run(bool atomically) {
  std::atomic<int> count{0};
  const auto add = [&] {
    if (atomically)
      ++count;
    else
      count = count + 1;
  };
  std::thread other(add);
  add();
  other.join();
  return count;
}
} // namespace

TEST(Counter, Atomic) { EXPECT_EQ(run(true), 2); }
TEST(Counter, LosesAnUpdate) { EXPECT_EQ(run(false), 2); }
TEST(Counter, NeedsNoThread) { EXPECT_EQ(1 + 1, 2); }
TEST(Counter, FailsWithoutThread) { EXPECT_EQ(1 + 1, 3); }
CPP
echo 'int main() { return 0; }' >"$folder/alone.cpp"
cat >"$folder/plain.cpp" <<'CPP'
#include <thread>
int main() { std::thread([] {}).join(); }
CPP
cat >"$folder/CMakeLists.txt" <<'CMAKE'
cmake_minimum_required(VERSION 3.20)
project(discover CXX)
set(CMAKE_CXX_STANDARD 20)
find_package(reex CONFIG REQUIRED)
find_package(GTest REQUIRED)
enable_testing()
add_executable(cases cases.cpp)
target_link_libraries(cases PRIVATE reex::instrument GTest::gtest_main)
reex_discover_tests(cases BUDGET 20 BOUND 1 LABELS mine)
reex_discover_tests(cases FILTER "Counter.At*" TEST_PREFIX "filtered." OPTIONS --strategy random --schedules 20)
reex_discover_tests(cases FILTER "Nothing.*" TEST_PREFIX "none.")
foreach(name plain alone)
  add_executable(${name} ${name}.cpp)
  target_link_libraries(${name} PRIVATE reex::instrument)
  reex_discover_tests(${name} BUDGET 20 DISCOVERY_MODE POST_BUILD)
endforeach()
CMAKE
# Frameworks with free names: what CMake or their own filters would understand is text.
cat >"$folder/free.cpp" <<'CPP'
#define DOCTEST_CONFIG_IMPLEMENT_WITH_MAIN
#include <doctest/doctest.h>

#include <atomic>
#include <thread>

namespace {
int run() {
  std::atomic<int> count{0};
  const auto add = [&] { count = count + 1; };
  std::thread other(add);
  add();
  other.join();
  return count;
}
} // namespace

TEST_CASE("runs, [a] \"b\"; \\") { CHECK(run() > 0); }
TEST_CASE("loses [ - ${an} update") { CHECK(run() == 2); }
CPP
free=0
[[ -e /usr/include/doctest/doctest.h ]] && free=1
((free == 0)) || cat >>"$folder/CMakeLists.txt" <<'CMAKE'
add_executable(free free.cpp)
target_link_libraries(free PRIVATE reex::instrument)
reex_discover_tests(free BUDGET 20 OPTIONS --strategy icb)
CMAKE
"$cmake" -G Ninja -S "$folder" -B "$folder/build" -Dreex_DIR="$package" >"$folder/log" 2>&1 ||
  { cat "$folder/log"; complain 'the project was not configured'; exit 1; }
# Before the build, an entry says that there is nothing to explore.
if "$ctest" --test-dir "$folder/build" >"$folder/log" 2>&1; then complain 'ctest is green before the build'; fi
"$cmake" --build "$folder/build" >"$folder/log" 2>&1 || { cat "$folder/log"; complain 'the project was not built'; exit 1; }
if "$ctest" --test-dir "$folder/build" >"$folder/log" 2>&1; then complain 'ctest is green'; fi

expect() {
  grep -qE "Test +#[0-9]+: $1 \.* *(\*+)?$2" "$folder/log" || complain "wanted $1: $2"
}
expect 'reex\.cases\.Counter\.Atomic' ' *Passed'
expect 'reex\.cases\.Counter\.LosesAnUpdate' 'Failed'
expect 'filtered\.cases\.Counter\.Atomic' ' *Passed'
expect 'reex\.cases\.Counter\.NeedsNoThread' 'Skipped'
expect 'reex\.cases\.Counter\.FailsWithoutThread' 'Failed'
expect 'none\.cases' 'Failed'
expect 'reex\.plain' ' *Passed'
expect 'reex\.alone' 'Failed'
if ((free == 1)); then
  expect 'reex\.free\.runs, \[a\] "b"; \\' ' *Passed'
  expect 'reex\.free\.loses \[ - \$\{an\} update' 'Failed'
fi
grep -qE '^mine .*\(4 tests\)' "$folder/log" || complain 'four entries have the label mine'
grep -qE "^concurrency .*\\($((7 + 2 * free)) tests\\)" "$folder/log" || complain 'not all entries have the label concurrency'
((status == 0)) || cat "$folder/log"
exit "$status"
