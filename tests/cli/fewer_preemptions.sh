#!/usr/bin/env bash
# fewer_preemptions.sh REEX: a schedule with fewer preemptions takes the place of another, but not if the change took
# part in that one alone: the same assertion may fail without it.
set -euo pipefail
reex="$1"
work="$(mktemp -d)"
trap 'rm -rf "$work"' EXIT
cd "$work"
failures=0

# explore PREEMPTIONS CONDITION: the failure that is shown if the changed line says CONDITION
explore() {
  local got=0
  sed -i "s/return false;/return $2;/" test.cpp
  # shellcheck disable=SC2046
  g++ -std=c++20 -O1 -g $("$reex" flags --compile) test.cpp -o test $("$reex" flags --link)
  "$reex" -o . --base HEAD --wait-for-impact --strategy random --schedules 2000 ./test >out 2>&1 </dev/null || got=$?
  if [[ "$got" != 1 ]] || ! grep -q ", $1, 3 threads" out || ! grep -q '^Changed lines that took part' out; then
    failures=$((failures + 1))
    printf 'FAILED: %s: status %s, and not the failure with %s\n' "$2" "$got" "$1"
    sed 's/^/  | /' out
  fi
  git checkout -q test.cpp
}

cat >test.cpp <<'CPP'
#include <atomic>
#include <cassert>
#include <thread>
std::atomic<int> g_count{0};
bool follows(int first) {
  const int second = g_count; return false;
}
int main() {
  std::thread one([] {
    for (int i = 1; i <= 20; ++i) g_count = i;
  });
  std::thread two([] {
    const int first = g_count;
    const bool bad = first == 18 || (first < 5 && follows(first));
    assert(!bad);
  });
  one.join();
  two.join();
}
CPP
git init -q .
git add test.cpp
git -c user.name=a -c user.email=a@b commit -qm test
explore '3 preemptions' 'first == 1 \&\& second == 3'
explore '1 preemption' 'first == 4 || (first == 1 \&\& second == 3)'

((failures == 0))
