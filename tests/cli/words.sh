#!/usr/bin/env bash
# words.sh REEX GTEST_BINARY: checks the output of the verbs that need no exploration.
set -euo pipefail
reex="$1" gtest="$2"
work="$(mktemp -d)"
trap 'rm -rf "$work"' EXIT
cd "$work"
fail() { printf 'FAILED: %s\n' "$1"; exit 1; }

"$reex" --help | grep -- '--heuristic' >/dev/null || fail 'help names --heuristic'
"$reex" --version | grep -E '^reex [0-9]+\.[0-9]+' >/dev/null || fail 'version'
"$reex" list heuristics | grep 'LOA' >/dev/null || fail 'list heuristics'
[[ "$("$reex" list strategies | awk '{print $1}' | tr '\n' ' ')" = 'icb dfs random pct pos urw surw auto ' ]] ||
  fail 'list strategies'
"$reex" flags --compile | grep -- '-fsanitize=thread' >/dev/null || fail 'flags --compile'

expected='Plain.One Plain.Two_WithWords Typed/0.Holds Typed/1.Holds Few/Numbered.Counts/0 Few/Numbered.Counts/1 One/Awkward.Prints/0 '
[[ "$("$reex" list tests "$gtest" | tr '\n' ' ')" = "$expected" ]] || fail 'list tests'
[[ "$("$reex" --list-tests --filter 'Plain.*-*One' "$gtest")" = 'Plain.Two_WithWords' ]] || fail '--list-tests'

plan="$("$reex" --dry-run --filter 'Typed/*' --bound none "$gtest" 2>/dev/null)"
grep -q 'Tests to be explored: 2' <<<"$plan" || fail 'dry run names the tests'
grep -q 'Bound: none' <<<"$plan" || fail 'dry run names the bound'
[[ ! -e .reex ]] || fail 'dry run leaves nothing'

# A setting has no effect with another strategy.
REEX_DEPTH=4 REEX_INTERESTING=impacted "$reex" --dry-run "$gtest" >/dev/null 2>&1 || fail 'depth as a setting'

git init -q .
git config reex.bound 5
REEX_SEED=9 "$reex" doctor >doctor.txt || true
grep -qE '^  bound +5 +git config reex.bound$' doctor.txt || fail 'doctor shows git config'
grep -qE '^  seed +9 +REEX_SEED$' doctor.txt || fail 'doctor shows the environment'
