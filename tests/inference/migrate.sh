#!/usr/bin/env bash
# migrate.sh ROOT REEX CXX: migrations in a project of their own, with what is refused.
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
# expect STATUS TEXT COMMAND...: the command ends with the status, and prints the text
expect() {
  local status="$1" text="$2" got=0
  shift 2
  "$@" >output 2>&1 || got=$?
  [[ "$got" == "$status" ]] || fail "status $got, and not $status: $*"
  grep -qF -- "$text" output || fail "it does not say '$text': $*"
}
unchanged() { git diff --quiet || fail "the files have changed"; }

cat >test.cpp <<'CPP'
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdlib>
#include <cstring>
#include <mutex>
#include <thread>

std::mutex mutex;
std::condition_variable changed;
bool ready = false;

void wait() {
  std::unique_lock lock(mutex);
  changed.wait(lock, [] { return ready; });
}
void set() {
  const std::lock_guard lock(mutex);
  ready = true;
  changed.notify_all();
}

int main(int, char** argv) {
  using namespace std::chrono_literals;
  const char* what = argv[1] == nullptr ? "" : argv[1];
  if (std::strcmp(what, "never") == 0) {
    std::thread(set).join();
    return 0;
  }
  std::thread waiter([] {
    wait();
  });
  if (std::strcmp(what, "polls") == 0) {
    std::atomic<bool> done = false;
    std::thread other([&] { done = true; });
    while (!done) std::this_thread::sleep_for(1ms);
    other.join();
  } else {
    std::this_thread::sleep_for(20ms);
  }
  set();
  waiter.join();
  return std::strcmp(what, "fails") == 0 ? 1 : 0;
}
CPP
cat >Makefile <<MAKE
test: test.cpp
	$cxx -std=c++20 -g $("$reex" flags --compile) -I$root/include -c test.cpp -o test.o
	$cxx -o test test.o $("$reex" flags --link)
MAKE
printf 'test\ntest.o\noutput\n' >.gitignore
git init -q .
git add .
git -c user.name=a -c user.email=a@b commit -qm test
make -s

expect 2 'imunit takes infer or migrate' "$reex" imunit guess test
expect 2 'are for a migration' "$reex" imunit infer --apply test
expect 2 'give a number from 0 to 1' "$reex" imunit infer --confidence 2 test
expect 2 'never sleeps: there is nothing to infer from' "$reex" imunit infer ./test -- never
expect 1 'a schedule is inferred from a test that passes' "$reex" imunit infer ./test -- fails
expect 0 'it is in a loop' "$reex" imunit infer ./test -- polls
expect 2 'no test can be migrated' "$reex" imunit migrate ./test -- polls
expect 0 '[startingWait1]->startingSet1' "$reex" imunit infer ./test
unchanged

# A build that fails, and a migrated test that does: nothing is written.
expect 2 'say how, as in --build' "$reex" imunit migrate --verify ./test
expect 1 'FAILS build' "$reex" imunit migrate --verify --apply --build 'echo no; exit 3' ./test
unchanged
expect 1 'FAILS V4' "$reex" imunit migrate --verify --apply \
  --build 'make -s && if ! grep -q sleep_for.20ms test.cpp; then printf "#!/bin/sh\nexit 1\n" >test; fi' ./test
unchanged

# A file with changes is written only by force.
echo '// a change' >>test.cpp
make -s
expect 2 'has changes that are not committed' "$reex" imunit migrate --apply ./test
git checkout -q test.cpp
make -s

expect 0 'WRITTEN' "$reex" imunit migrate --verify --apply --build 'make -s' ./test
for check in V1 V2 V3 V4; do grep -q "HOLDS $check" output || fail "$check does not hold"; done
git diff --quiet && fail "nothing was written"
make -s
expect 0 'satisfied' "$reex" ./test
for _ in 1 2 3 4 5; do ./test || fail "it fails natively"; done
