#!/usr/bin/env bash
# select.sh REEX: what --select says: of skipped tests in each report, of a program that is skipped as a whole, and why
# nothing is skipped.
set -euo pipefail
reex="$(realpath "$1")"
work="$(mktemp -d)"
trap 'rm -rf "$work"' EXIT
fail() { printf 'select.sh: %s\n' "$1" >&2; cat out err >&2 || true; exit 1; }
export GIT_CONFIG_GLOBAL=/dev/null GIT_CONFIG_NOSYSTEM=1
cd "$work"
git init -q -b main .
git config user.name nobody
git config user.email nobody@reex.invalid
cat >stack.h <<'CPP'
#pragma once
#include <mutex>
struct Stack {
  void push() {
    std::lock_guard lock(mutex);
    ++size;
  }
  std::mutex mutex;
  int size = 0;
};
CPP
sed 's/Stack/Queue/' stack.h >queue.h
sed 's/Queue/Other/' queue.h >other.h
cat >suite.cpp <<'CPP'
#include "queue.h"
#include "stack.h"
#include <gtest/gtest.h>
#include <thread>
template <class T> void twice(T& t) {
  std::thread other([&] { t.push(); });
  t.push();
  other.join();
}
TEST(Stacks, Push) { Stack s; twice(s); }
TEST(Queues, Push) { Queue q; twice(q); }
struct Queues2 : testing::TestWithParam<int> {};
TEST_P(Queues2, Push) { Queue q; twice(q); }
INSTANTIATE_TEST_SUITE_P(Some, Queues2, testing::Values(1, 2));
CPP
cat >doc.cpp <<'CPP'
#define DOCTEST_CONFIG_IMPLEMENT_WITH_MAIN
#include "queue.h"
#include "stack.h"
#include <doctest/doctest.h>
#include <thread>
template <class T> void twice(T& t) {
  std::thread other([&] { t.push(); });
  t.push();
  other.join();
}
TEST_CASE("a stack") { Stack s; twice(s); }
TEST_CASE("a queue") { Queue q; twice(q); }
CPP
cat >plain.cpp <<'CPP'
#include "other.h"
#include "stack.h"
#include <thread>
int main() {
  Stack s;
  std::thread other([&] { s.push(); });
  s.push();
  other.join();
}
CPP
printf '.reex\n*.json\n*.xml\n*.md\nsuite\ndoc\nplain\nout\nerr\n' >.gitignore
separator='['
for name in suite doc plain; do
  printf '%s{"directory":"%s","file":"%s.cpp","command":"g++ -std=c++17 -c %s.cpp"}\n' "$separator" "$work" "$name" "$name"
  separator=,
done >compile_commands.json
echo ']' >>compile_commands.json
git add -A
git commit -q -m base
read -ra compile <<<"$("$reex" flags --compile)"
read -ra link <<<"$("$reex" flags --link)"
build() { # NAME LIBRARIES...
  g++ -std=c++17 -g "${compile[@]}" "$work/$1.cpp" -o "$1" "${link[@]}" "${@:2}" -pthread
}
run() { # STATUS ARGUMENTS...
  local wanted="$1" status=0
  "$reex" --bound 1 "${@:2}" >out 2>err || status=$?
  ((status == wanted)) || fail "status $status, not $wanted: ${*:2}"
}
says() { grep -qF -- "$1" out err || fail "it does not say '$1'"; }

sed -i 's/++size;/size += 1;/' stack.h
git commit -q -a -m 'The stack'
build suite -lgtest -lgtest_main
build doc
build plain

run 0 --select --base HEAD~1 --format text,json:suite.json,junit:suite.xml,markdown:suite.md,jsonl:suite.jsonl ./suite
says '--select: 3 of 4 tests can reach nothing impacted, and are skipped'
says 'SKIPPED 3 tests: nothing that the change has an impact on can be reached'
says '  Queues.Push'
says '  Some/Queues2.Push/1'
python3 - <<'PYTHON' || fail 'the reports'
import json
report = json.load(open("suite.json"))
assert report["skipped"] == ["Queues.Push", "Some/Queues2.Push/0", "Some/Queues2.Push/1"], report["skipped"]
assert [run["test"]["name"] for run in report["runs"]] == ["Stacks.Push"]
assert open("suite.xml").read().count("<skipped") == 3
assert "skipped | <code>Queues.Push<" in open("suite.md").read()
PYTHON
run 0 --base HEAD~1 ./suite
if grep -q SKIPPED out; then fail 'without --select'; fi

run 0 --select --base HEAD~1 --format text,json:doc.json ./doc
grep -q '"a queue"' doc.json && says 'SKIPPED 1 test' || fail 'doctest'

# A program is one case. Green is nothing that was not tested.
run 0 --select --base HEAD~1 ./plain
says '--select: no test is skipped, because every test may run what is impacted at stack.h:3'
sed -i 's/++size;/size += 1;/' other.h
git commit -q -a -m 'Another class'
build plain
run 77 --select --base HEAD~1 --format text,json:plain.json,markdown:plain.md,html:plain.html,jsonl:plain.jsonl ./plain
says 'SKIPPED 1 test'
python3 -c 'import json; r = json.load(open("plain.json")); assert r["runs"] == [] and r["skipped"] == ["plain"], r' ||
  fail 'the JSON of a program that is skipped'

grep -qF '## ➖ reex: SKIPPED' plain.md || fail 'Markdown of a program that is skipped'
grep -qF 'SKIPPED' plain.html || fail 'the page of a program that is skipped'
grep -qF '"verdict":"skipped"' plain.jsonl || fail 'the events of a program that is skipped'

# The hook lets the push go on, and says so.
git init -q --bare "$work/remote.git"
git remote add origin "$work/remote.git"
git push -q origin HEAD~1:refs/heads/main
git fetch -q origin
"$reex" hook install -- plain >out 2>err
git -c reex.select=true -c reex.bound=1 push origin main >out 2>err || fail 'the push is stopped'
says 'plain is skipped: none of its tests can reach what is impacted'

# What no test reads does not count.
mkdir -p .github/workflows
printf 'on: push\n' >.github/workflows/test.yml
sed -i 's/size += 1;/++size;/' other.h
git add .github
git commit -q -a -m 'Continuous integration'
build plain
git -c reex.select=true -c reex.bound=1 push origin main >out 2>err || fail 'the push is stopped'
says 'plain is skipped: none of its tests can reach what is impacted'
# The hook says why none is skipped.
sed -i 's/size += 1;/++size;/' stack.h
git commit -q -a -m 'The stack again'
build plain
git -c reex.select=true -c reex.bound=1 push origin main >out 2>err || fail 'the push is stopped'
says 'plain: no test is skipped, because every test may run what is impacted at stack.h:'
git reset -q --hard HEAD~1
build suite -lgtest -lgtest_main
build doc

# Why nothing is skipped.
nothing() {
  run 0 --select --base HEAD ./suite
  says "--select: no test is skipped, because $1"
}
sed -i '1a #include <string>' queue.h
build suite -lgtest -lgtest_main
nothing 'code outside of functions, classes and variables was changed at queue.h:2'
git checkout -q queue.h
printf 'int helper() { return 1; }\nint g_of_all = helper();\n' >>suite.cpp
build suite -lgtest -lgtest_main
nothing 'every test may run what is impacted at suite.cpp:'
git checkout -q suite.cpp
sed -i 's/size += 1;/size += 1 + 0;/' stack.h
build suite -lgtest -lgtest_main
echo 'set(x y)' >CMakeLists.txt
git add CMakeLists.txt
nothing 'CMakeLists.txt changed, which is not C or C++'

# A header by any name, if the test is made of it.
git checkout -q HEAD .
git rm -q --cached CMakeLists.txt
cp stack.h shelf
sed 's/stack.h/shelf/' plain.cpp >shelves.cpp
printf '[{"directory":"%s","file":"shelves.cpp","command":"g++ -std=c++17 -c shelves.cpp"}]' "$work" >compile_commands.json
git add shelf shelves.cpp
git commit -q -m 'A header without an extension'
sed -i 's/size += 1;/size += 1 + 0;/' shelf
build shelves
run 0 --base HEAD ./shelves
says 'LOA'
"$reex" impact --base HEAD ./shelves >out 2>err || fail 'the impact of a header without an extension'
says 'shelf'
says 'changed'
"$reex" impact --base HEAD ./plain >out 2>err || fail 'the impact on another program'
says 'No C or C++ file changed'

status=0
"$reex" --select ./suite >out 2>err || status=$?
((status == 2)) || fail "status $status without a change"
says '--select needs a change to go by'
echo 'select says what it leaves out'
