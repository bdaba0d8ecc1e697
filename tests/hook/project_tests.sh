#!/usr/bin/env bash
# project_tests.sh REEX: the tests of .reex.toml, run without naming a binary.
set -euo pipefail
# shellcheck source=tests/hook/lib.sh
. "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

run() { # STATUS ARGUMENTS...
  local expected="$1" got=0
  shift
  "$reex" "$@" >"$work/out" 2>&1 </dev/null || got=$?
  [[ "$got" = "$expected" ]] || fail "reex $* gave $got, expected $expected"
}

git init -q "$work/two"
cd "$work/two"
printf '/build/\n' >.gitignore
mkdir -p build data sub
run 2
says 'the project names none: reex TEST_BINARY, or write \[\[test\]\]'

counter right
build
mv build/counter build/right
counter wrong
build
# It fails unless it runs in data/, with its argument and its variable.
sed -e 's/int main()/int main(int argc, char** argv)/' -e 's#pthread_t one,#if (argc != 2 || *argv[1] != 97 || *getenv("MODE") != 98 || fopen("here", "r") == nullptr) return 9; pthread_t one,#' \
  -e '1i #include <stdio.h>\n#include <stdlib.h>' counter.cpp >particular.cpp
sh -c "${build_line//counter/particular}"
touch data/here
cat >.reex.toml <<'TEXT'
[[test]]
name = "right"
binary = "build/right"
sources = ["lib/*.cpp"]

[[test]]
name = "particular"
binary = "build/particular"
arguments = ["a b"]
folder = "data"
environment = { MODE = "b" }
sources = ["particular.cpp"]
TEXT
commit first

run 1
says '^== right ==$'
says '^== particular ==$'
says '^  right +no failure$'
says '^  particular +failed$'
# The replay needs the environment, and is told with it.
replay="$(grep -oE 'env MODE=b .*reex replay .*' "$work/out" | head -1)"
[[ -n "$replay" ]] || fail 'the replay command'
got=0
sh -c "$replay" >"$work/out" 2>&1 || got=$?
[[ "$got" = 1 ]] || fail "the replay gave $got"

# From a subfolder; the files hold the runs of all.
(cd sub && run 1 run --format text,json:../all.json)
[[ "$(grep -c '"verdict":' all.json)" = 2 ]] || fail 'both in one report'
rm all.json

# Only what the change concerns.
printf '// more\n' >>particular.cpp
run 1 --base HEAD
says 'reex: right is skipped: the change touches none of its sources'
says 'FAILED'
git checkout -q particular.cpp
printf 'x\n' >>.gitignore
run 0 --base HEAD
says 'reex: right is skipped'
says 'reex: particular is skipped'
git checkout -q .gitignore

# What is of one test is refused; what is wrong with one test does not keep the others from being run.
for words in '--filter A' '--resume' '--schedule-log log' '--base-binary build/right'; do
  # shellcheck disable=SC2086
  run 2 $words
  says 'is of one test: give its binary'
done
rm build/right
run 1
says "there is no test binary $work/two/build/right"
says '^  right +not run: see the error$'
says '^  particular +failed$'
sed -i 's/folder = "data"/folder = "nowhere"/' .reex.toml
run 2
says 'particular: the folder .*/nowhere cannot be entered'

# The configuration of git names tests where the file does not.
mv build/particular build/right
rm .reex.toml
git config --add reex.test build/right
run 4
says 'does not start'

# A race that two of them show is told once with its stacks.
git config --unset reex.test
cat >.reex.toml <<'TEXT'
[[test]]
name = "one"
binary = "build/right"
arguments = ["a b"]
folder = "data"
environment = { MODE = "b" }

[[test]]
name = "two"
binary = "build/right"
arguments = ["a b"]
folder = "data"
environment = { MODE = "b", OTHER = "c" }
TEXT
run 1 -k 0
says '^  two +failed$'
says '^[0-9]+ failures? at lines that are told above, of another test'

# With a budget, a test that has a changed file in it comes first, and has more of it.
git init -q "$work/shares"
cd "$work/shares"
printf '/build/\n/.reex/\n' >.gitignore
counter right
build
mv build/counter build/unchanged
sed -e 's/counter.cpp/touched.cpp/' counter.cpp >touched.cpp
sh -c "${build_line//counter/touched}"
for name in unchanged touched; do printf '[[test]]\nname = "%s"\nbinary = "build/%s"\n' "$name" "$name"; done >.reex.toml
commit first
printf '// more\n' >>touched.cpp
commit second
sh -c "${build_line//counter/touched}"
sections() { grep -oE '^== [a-z]+ ==$' "$work/out" | tr -d '= \n'; }
run 0 --base HEAD~1 --budget 600s
[[ "$(sections)" = touchedunchanged ]] || fail 'the order with a budget'
says 'exploring unchanged, budget [0-9.]* s'
# What the change touches of itself is most of the budget, and the other has what is left.
first="$(sed -nE 's/.*exploring touched, budget ([0-9]+)\..*/\1/p' "$work/out")"
((first >= 400)) || fail 'four parts of five'
run 0 --budget 600s
[[ "$(sections)" = unchangedtouched ]] || fail 'the order without a change'

# What failed last time has the first turn, as long as it fails.
counter wrong
sh -c "${build_line/-o build\/counter/-o build/touched}"
run 1 --budget 600s
[[ "$(sections)" = unchangedtouched ]] || fail 'the order without an earlier run'
run 1 --budget 600s
[[ "$(sections)" = touchedunchanged ]] || fail 'the order behind a failure'
run 1
[[ "$(sections)" = unchangedtouched ]] || fail 'the order without a budget'
counter right
sh -c "${build_line/-o build\/counter/-o build/touched}"
run 0 --budget 600s
[[ "$(sections)" = touchedunchanged ]] || fail 'the order behind the mend'
run 0 --budget 600s
[[ "$(sections)" = unchangedtouched ]] || fail 'the order when all is well again'

# What the tests behind leave of the budget goes to those that it has cut short.
sed -e 's/i < 2/i < 12/' -e 's/counter == 4/counter == 36/' -e 's/pthread_t one, two;/pthread_t one, two, three;/' \
  -e 's/^  pthread_join(one, nullptr);/  pthread_create(\&three, nullptr, count, nullptr);\n  pthread_join(three, nullptr);\n&/' \
  counter.cpp >long.cpp
sh -c "${build_line//counter/long}"
for name in long touched unchanged; do printf '[[test]]\nname = "%s"\nbinary = "build/%s"\n' "$name" "$name"; done >.reex.toml
run 0 --budget 9s --bound none --reduction none --format text,json:all.json
says '^== long ==$'
says '^== long, with what is left of the budget ==$'
says '^  long +no failure$'
python3 -c '
import json
runs = json.load(open("all.json"))["runs"]
assert len(runs) == 3, len(runs)
seconds = max(run["wall_seconds"] for run in runs)
assert seconds > 5, seconds' || fail 'the budget was not used'
