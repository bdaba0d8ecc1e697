#!/usr/bin/env bash
# shared_library.sh REEX: a change in a shared library of the project is a change of the tests that start with it.
set -euo pipefail
reex="$1"
work="$(mktemp -d)"
trap 'rm -rf "$work"' EXIT
cd "$work"
fail() {
  printf 'FAILED: %s\n' "$1"
  sed 's/^/  | /' out 2>/dev/null || true
  exit 1
}

cat >stats.cpp <<'CPP'
#include <mutex>
static std::mutex g_mutex;
static int g_sum = 0;
void add() {
  std::lock_guard lock(g_mutex);
  ++g_sum;
}
int sum() {
  std::lock_guard lock(g_mutex); // reader
  return g_sum;
}
CPP
cat >test.cpp <<'CPP'
#include <thread>
void add();
int sum();
int main() {
  std::thread other(add);
  const bool good = sum() <= 1;
  other.join();
  return good ? 0 : 1;
}
CPP
build() {
  # shellcheck disable=SC2046
  g++ -std=c++20 -g -shared -fPIC $("$reex" flags --compile) "$PWD/stats.cpp" -o libstats.so $("$reex" flags --link)
  # shellcheck disable=SC2046
  # shellcheck disable=SC2016
  g++ -std=c++20 -g $("$reex" flags --compile) "$PWD/test.cpp" -o test -L. -lstats '-Wl,-rpath,$ORIGIN' $("$reex" flags --link)
}
printf '[{"directory": "%s", "file": "%s", "command": "c++ -std=c++20 -c %s"},\n' "$work" stats.cpp stats.cpp >compile_commands.json
printf ' {"directory": "%s", "file": "%s", "command": "c++ -std=c++20 -c %s"}]\n' "$work" test.cpp test.cpp >>compile_commands.json
git init -q .
git add test.cpp stats.cpp
git -c user.name=a -c user.email=a@b commit -qm base
# run STATUS OPTIONS...
run() {
  local expected="$1" got=0
  shift
  "$reex" run -o . --base HEAD --wait-for-impact --budget 20s "$@" ./test >out 2>&1 </dev/null || got=$?
  [[ "$got" = "$expected" ]] || fail "$*: status $got, expected $expected"
}

# Without the lock of the reader there is no failure but the race, which is one of the change.
sed -i '/reader/d' stats.cpp
build
run 1
grep -q 'data race' out || fail 'no race'
grep -q 'not parsed\|none of the changed files' out && fail 'the library is not known'
run 1 --select

# A source of the library that is newer than it.
touch -d '1 hour' stats.cpp
run 1
grep -q 'stats.cpp was written after libstats.so was built' out || fail 'the library is older than its source'

# Without debug information, nothing tells which lines the accesses are at.
strip -g libstats.so test
run 3
grep -q 'may be of the change: the test has no debug information' out || fail 'the race was judged'

# A library that the test itself loads.
git checkout -q stats.cpp
sed -i 's/^void add/extern "C" void add/; s/^int sum/extern "C" int sum/' stats.cpp
cat >test.cpp <<'CPP'
#include <dlfcn.h>
#include <thread>
int main() {
  void* library = dlopen("./libstats.so", RTLD_NOW);
  const auto sum = reinterpret_cast<int (*)()>(dlsym(library, "sum"));
  std::thread other(reinterpret_cast<void (*)()>(dlsym(library, "add")));
  const bool good = sum() <= 1;
  other.join();
  return good ? 0 : 1;
}
CPP
git -c user.name=a -c user.email=a@b commit -qam plugin
sed -i '/reader/d' stats.cpp
build
# shellcheck disable=SC2046
g++ -std=c++20 -g $("$reex" flags --compile) "$PWD/test.cpp" -o test $("$reex" flags --link)
run 3
grep -q 'may be of the change: stats.cpp was not parsed with any unit' out || fail 'the race of a plugin was judged'
