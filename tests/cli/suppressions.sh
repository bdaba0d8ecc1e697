#!/usr/bin/env bash
# suppressions.sh REEX CORPUS: checks what suppressed failures and findings do to a run.
set -euo pipefail
reex="$1" corpus="$2"
work="$(mktemp -d)"
trap 'rm -rf "$work"' EXIT
cd "$work"
failures=0
fail() {
  failures=$((failures + 1))
  printf 'FAILED: %s\n' "$1"
  sed 's/^/  | /' out err 2>/dev/null || true
}
run() {
  local expected="$1" got=0
  shift
  "$reex" -o . "$@" >out 2>err </dev/null || got=$?
  [[ "$got" = "$expected" ]] || fail "$*: status $got, expected $expected"
}
deadlock="$corpus/fails/deadlock/ab_ba" race="$corpus/fails/race/lost_increment"
assertion="$corpus/fails/assertion/lost_update"

# A deadlock that is suppressed does not end the search: it goes on to the bound.
run 1 "$deadlock"
cat >.reex.toml <<'TOML'
[[suppress]]
kind = "deadlock"
function = "*"
reason = "the locks go away"
TOML
for options in '--isolation restore' '--isolation fork' '-j 2'; do
  # shellcheck disable=SC2086
  run 0 $options --format text,json:report.json "$deadlock"
  grep -q 'PASSED' out || fail "$options: a suppressed deadlock: the bound is not reached"
  grep -q '1 failure (deadlock) suppressed by .reex.toml:1: the locks go away' out || fail "$options: it is not told"
  grep -q '"reason": "the locks go away"' report.json || fail "$options: it is not in the JSON"
  [[ -z "$(ls .reex/failures)" ]] || fail "$options: a schedule file of a suppressed failure is left"
done
# Another kind of failure is not covered, nor what another function does.
run 1 "$assertion"
sed -i 's/"\*"/"nobody"/' .reex.toml
run 1 "$deadlock"

# The search stops at the first failure that counts, as without suppressions.
rm .reex.toml
run 1 --races report --format text,json:plain.json "$assertion"
printf '[[suppress]]\nkind = "deadlock"\nfunction = "nobody"\nreason = "r"\n' >.reex.toml
run 1 --races report --format text,json:report.json "$assertion"
[[ "$(grep '"schedules":' plain.json | head -1)" = "$(grep '"schedules":' report.json | head -1)" ]] ||
  fail 'a suppression that matches nothing changes the number of schedules'

# Findings: a race by the file that it is in. The failure that it causes is another matter.
printf '[[suppress]]\nkind = "race"\nfile = "lost_increment.cpp"\nreason = "counts are approximate"\nexpires = 2999-12-31\n' >.reex.toml
run 1 --format text,sarif:race.sarif "$race"
grep -q '"justification": "counts are approximate"' race.sarif || fail 'SARIF has no suppression'
grep -qE 'data races? suppressed by .reex.toml:1: counts are approximate' out || fail 'a suppressed race is not told'
grep -q 'FAILED.*race' out && fail 'a suppressed race fails'

# What has expired does not count, and is told.
sed -i 's/2999/2019/' .reex.toml
run 1 "$race"
grep -q '.reex.toml:1: the suppression expired on 2019-12-31 and does not count any more' err || fail 'expiry'
grep -q 'suppressed by' out && fail 'an expired suppression counts'

# With -v, one that matched nothing in a finished run is told.
printf '[[suppress]]\nfunction = "nobody"\nreason = "old"\n' >.reex.toml
run 0 -v "$corpus/passes/queue/take_under_lock"
grep -q '.reex.toml:1: the suppression matched nothing in this run (old)' err || fail 'nothing is said of an idle one'

# A file of ThreadSanitizer's does the same: as an option, as a setting, with fork and with two workers.
rm .reex.toml
printf '# known\nrace:lost_increment.cpp\ndeadlock:anything\n' >tsan.supp
for options in '--isolation restore' '--isolation fork' '-j 2'; do
  # shellcheck disable=SC2086
  run 1 $options --suppressions tsan.supp "$race"
  grep -qE 'data races? suppressed by tsan.supp:2: race:lost_increment.cpp' out || fail "$options: tsan.supp is not told"
  grep -q 'FAILED.*race' out && fail "$options: a race that tsan.supp suppresses fails"
done
grep -q 'tsan.supp:3: deadlock:anything does not count: reex reports deadlocks that happen' err ||
  fail 'a line that does not count is not told'
mkdir -p elsewhere && printf 'suppressions = "%s"\n' "$work/tsan.supp" >.reex.toml
run 1 "$race"
grep -qE 'data races? suppressed by tsan.supp:2' out || fail 'the setting suppressions does nothing'
rm .reex.toml
sed -i 's/lost_increment.cpp/nobody/' tsan.supp
run 1 --races fail --suppressions tsan.supp "$race"
grep -q 'suppressed by' out && fail 'a line that matches nothing suppresses'
printf 'races:add\n' >bad.supp
run 2 --suppressions bad.supp "$race"
grep -q "bad.supp:1: 'races:add' is no suppression of ThreadSanitizer: .*race" err || fail 'a bad line is not told'
run 2 --suppressions missing.supp "$race"

# What the shards have suppressed is in what merge makes of them.
printf '[[suppress]]\nkind = "deadlock"\nfunction = "*"\nreason = "the locks go away"\n' >.reex.toml
for shard in 1 2; do run 0 --shard $shard/2 --format text,json:shard$shard.json "$deadlock"; done
got=0
"$reex" merge shard1.json shard2.json --format text,json:merged.json >out 2>err || got=$?
[[ "$got" = 0 ]] || fail "merge of shards with a suppressed deadlock: status $got"
[[ "$(grep -c 'suppressed by .reex.toml:1: the locks go away' out)" = 1 ]] || fail 'merge does not tell what is suppressed'
grep -q '"reason": "the locks go away"' merged.json || fail 'what is suppressed is not in the JSON of merge'

exit $((failures > 0))
