#!/usr/bin/env bash
# receipts.sh REEX: what passed before is not explored again, and nothing but that.
set -euo pipefail
# shellcheck source=tests/hook/lib.sh
. "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

# rehearse: what the hook says to a push of main that is not made
rehearse() {
  printf 'refs/heads/main %s refs/heads/main %s\n' "$(git rev-parse HEAD)" "$(git rev-parse origin/main)" |
    "$reex" hook run -- origin address >"$work/out" 2>&1 || true
}
by_receipt() {
  rehearse
  says "counter passed (just now|.* ago) by $1" "no receipt: $2"
  says_not 'PASSED' 'explored'
}
explored() {
  rehearse
  says_not 'counter passed' "a receipt: $1"
  says "${2:-PASSED}"
  rm -rf .reex/receipts
}

project one
push 0 origin main
says 'PASSED'
git commit -q --allow-empty -m 'nothing'
by_receipt 'the hook' 'of the hook'
rm -rf .reex/receipts

# A change, and runs of it by hand.
"$reex" --base origin/main build/counter >/dev/null 2>&1
by_receipt 'reex run: (bound 2, )?[0-9]+ schedules' 'of a run by hand'
git commit -q --amend --allow-empty -m 'another message'
by_receipt 'reex run' 'the same tree'
rm -rf .reex/receipts
# Without a change every race counts: that is more than the hook wants.
"$reex" build/counter >/dev/null 2>&1
by_receipt 'reex run' 'without a change'
rm -rf .reex/receipts
"$reex" --races report build/counter >/dev/null 2>&1
explored 'races that were only reported'
"$reex" --bound 0 build/counter >/dev/null 2>&1
explored 'a weaker bound'
"$reex" --strategy random --schedules 5 build/counter >/dev/null 2>&1
explored 'a sample'
"$reex" build/counter -- argument >/dev/null 2>&1
explored 'other arguments'
(cd build && "$reex" ../build/counter >/dev/null 2>&1)
explored 'another folder'
SOME=1 LD_LIBRARY_PATH=/nowhere "$reex" build/counter >/dev/null 2>&1
explored 'other libraries'
"$reex" -o "$work/elsewhere" build/counter >/dev/null 2>&1
explored 'kept elsewhere'

# Another base.
printf '// more\n' >>counter.cpp
commit 'more'
build
"$reex" --base HEAD~1 build/counter >/dev/null 2>&1
git update-ref refs/remotes/origin/main HEAD~2
by_receipt 'reex run' 'a base with the same tree'
rm -rf .reex/receipts
printf 'text\n' >README
commit 'text'
"$reex" --base HEAD~1 build/counter >/dev/null 2>&1
explored 'another base'

# Sources that are not committed; then another build of the same.
printf '// not committed\n' >>README
"$reex" --base origin/main build/counter >/dev/null 2>&1
git checkout -q README
explored 'a file that was not committed'
"$reex" --base origin/main build/counter >/dev/null 2>&1
by_receipt 'reex run' 'to begin with'
sh -c "${build_line/-g /-g -O1 }"
explored 'another build' 'PASSED'

# Torn, emptied, forged.
"$reex" --base origin/main build/counter >/dev/null 2>&1
receipt="$(echo .reex/receipts/*)"
cp "$receipt" "$work/receipt"
for size in 0 1 100 "$(($(stat -c %s "$receipt") - 3))"; do
  mkdir -p .reex/receipts
  head -c "$size" "$work/receipt" >"$receipt"
  explored "torn at $size"
done
mkdir -p .reex/receipts
sed 's/"reex_receipt": 1/"reex_receipt": 2/' "$work/receipt" >"$receipt"
explored 'of another format'
mkdir -p .reex/receipts
cp "$work/receipt" "$receipt"
by_receipt 'reex run' 'as it was'

# A failure takes back what was said; it is never a receipt itself.
counter wrong
commit 'forget the mutex'
build
for _ in 1 2; do
  rehearse
  says 'FAILED'
  says 'the push is stopped'
done
[[ -z "$(ls .reex/receipts | grep -v "$(basename "$receipt")")" ]] || fail 'a receipt of a failure'

# Their number is limited.
for number in $(seq 80); do printf 'old\n' >".reex/receipts/$number.receipt"; done
touch -d '1 day ago' .reex/receipts/*
counter right
commit 'the mutex again'
build
rehearse
says 'PASSED'
[[ "$(ls .reex/receipts | wc -l)" = 64 ]] || fail 'more than 64 receipts'
by_receipt 'the hook' 'the newest'
[[ -z "$(git status --porcelain)" ]] || fail 'git sees .reex'
