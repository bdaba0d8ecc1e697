#!/usr/bin/env bash
# started_early.sh REEX: a race is of the change if the change starts its thread too early, although the lines
# of both accesses are as they were.
set -euo pipefail
reex="$1"
work="$(mktemp -d)"
trap 'rm -rf "$work"' EXIT
cd "$work"
failures=0
fail() {
  failures=$((failures + 1))
  printf 'FAILED: %s\n' "$1"
  sed 's/^/  | /' out 2>/dev/null || true
}

# explore STATUS [MACRO]: the change, compiled with MACRO
explore() {
  local got=0
  # shellcheck disable=SC2046
  g++ -std=c++20 -O1 ${2:+"-D$2"} $("$reex" flags --compile) test.cpp -o test $("$reex" flags --link)
  "$reex" -o . --base HEAD --wait-for-impact --budget 20s ./test >out 2>&1 </dev/null || got=$?
  [[ "$got" = "$1" ]] || fail "${2:-plain}: status $got, expected $1"
}
says() { tr -s ' \n' ' ' <out | grep "$1" >/dev/null || fail "it is not said: $1"; }

cat >test.cpp <<'CPP'
#include <optional>
#include <thread>
int g_seed = 0;
int g_limit = 0;
int g_legacy = 0;
void use() { g_seed += g_limit; }
void start(std::optional<std::thread>& worker) {
#ifdef LEGACY
  worker.emplace([] {});
#elif defined NESTED
  worker.emplace([] { std::thread(use).join(); });
#else
  worker.emplace(use);
#endif
}
void prepare() {
  g_limit = 2;
  g_seed = 1;
}
void rest() {}
int main() {
  std::optional<std::thread> worker;
#ifdef LEGACY
  std::thread old([] { ++g_legacy; });
#endif
  rest();
  prepare();
  rest();
  rest();
  start(worker);
#ifdef LEGACY
  ++g_legacy;
  old.join();
#endif
  worker->join();
}
CPP
printf '[{"directory": "%s", "file": "test.cpp", "command": "c++ -std=c++20 -c test.cpp"}]\n' "$work" >compile_commands.json
git init -q .
git add test.cpp
git -c user.name=a -c user.email=a@b commit -qm base

sed -i -e '/^  start(worker);/d' -e 's/^  prepare();/  start(worker);\n&/' test.cpp
[[ "$(git diff -U0 | grep -c '^[-+] ')" = 2 ]] || fail "not only the start has moved"
explore 1
says 'thread create of the change, which does not order the two'
explore 1 NESTED

# A race between threads that the change does not start.
explore 0 LEGACY
says 'no failure: neither an access nor an operation that could order them is of the change'

((failures == 0))
