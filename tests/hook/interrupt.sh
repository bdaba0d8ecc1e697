#!/usr/bin/env bash
# interrupt.sh REEX PYTHON: Ctrl-C at a terminal during a push stops it, says what was done, and leaves nothing behind.
set -euo pipefail
# shellcheck source=tests/hook/lib.sh
. "$(dirname "${BASH_SOURCE[0]}")/lib.sh"
at_terminal=("$2" "$(dirname "$(realpath "${BASH_SOURCE[0]}")")/at_terminal.py")

# push_and_interrupt PATTERN: pushes main with a budget of ten minutes; Ctrl-C is typed when PATTERN is seen.
push_and_interrupt() {
  env TERM=xterm COLUMNS=200 "${at_terminal[@]}" "$1" git -c reex.bound=none -c reex.hook.budget=10m push origin main \
    >"$work/out" 2>&1 || fail "interrupted at: $1"
  says 'at_terminal: status [1-9].*, typed$' 'the push is not stopped'
  says 'reex: .*interrupted.*the push is stopped; git push --no-verify sends it untested'
  there one main ''
  [[ -z "$(ls -A .reex/runs 2>/dev/null)" ]] || fail "state is left: $(ls .reex/runs)"
  [[ -z "$(ls -A .reex/receipts 2>/dev/null)" ]] || fail 'a receipt of an interrupted run'
  local left
  left="$(pgrep -f "$work" | grep -vx $$ || true)"
  [[ -z "$left" ]] || fail "processes are left: $(ps -o pid,args -p "$left")"
}

project one
# So many schedules that no machine comes to their end.
sed -i 's/i < 2/i < 40/; s/counter == 4/counter == 80/' counter.cpp
commit 'many schedules'
build
cat >>.reex.toml <<'TEXT'
[[test]]
name = "second"
binary = "build/counter"
TEXT
commit 'two tests'

# While a test is explored.
push_and_interrupt 'exploring .*counter'
says 'INTERRUPTED'
says 'reex: second was not begun'

# While the test is built: the build is ended too.
printf 'build = "echo building; sleep 300; touch never"\n' | cat - .reex.toml >.reex.toml.new
mv .reex.toml.new .reex.toml
commit 'a build'
touch -d '1 hour ago' build/counter
push_and_interrupt '\nbuilding'
says 'reex: the build was interrupted: nothing is tested'

rm -f "$work/out"
# One process alone, as by kill(1): the push is stopped likewise, and the build ended.
git push origin main >"$work/out" 2>&1 </dev/null &
pushing=$!
for ((i = 0; i < 100; ++i)); do grep -qs '^building' "$work/out" && break; sleep 0.1; done
for pid in $(pgrep -f 'hook run -- origin'); do
  [[ "$(readlink "/proc/$pid/cwd")" != "$work/one" ]] || [[ ! "/proc/$pid/exe" -ef "$reex" ]] || kill -TERM "$pid"
done
status=0
wait "$pushing" || status=$?
[[ "$status" != 0 ]] || fail 'the push went on'
says 'reex: interrupted: the push is stopped'
there one main ''
for pid in $(pgrep -f 'sleep 300'); do
  [[ "$(readlink "/proc/$pid/cwd")" != "$work/one" ]] || fail 'the build is left'
done
