#!/usr/bin/env bash
# install.sh REEX: the hook beside other hooks and settings: chained, refused, put back.
set -euo pipefail
# shellcheck source=tests/hook/lib.sh
. "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

refused() {
  local before
  before="$(cd "$folder" && ls -la --time-style=full-iso | grep -v ' \.$')"
  ! "$reex" hook install 2>"$work/out" || fail "not refused: $1"
  says "$1"
  [[ "$(wc -l <"$work/out")" = 1 ]] || fail 'one line'
  [[ "$(cd "$folder" && ls -la --time-style=full-iso | grep -v ' \.$')" = "$before" ]] || fail 'the folder has changed'
}

project one
hook="$work/one/.git/hooks/pre-push"
folder="$work/one/.git/hooks"
kept="$folder/pre-push.before-reex"

# Twice is once; uninstalling leaves nothing; twice, too.
sum="$(stat -c '%i %Y' "$hook")"
"$reex" hook install 2>"$work/out"
says 'is installed already'
says 'git push runs counter \(build/counter, of .reex.toml\)'
[[ "$(stat -c '%i %Y' "$hook")" = "$sum" ]] || fail 'written again'
"$reex" hook uninstall 2>"$work/out"
[[ ! -e "$hook" ]] || fail 'still there'
"$reex" hook uninstall 2>"$work/out"
says 'no hook of reex is installed'

# A hook that is there runs first, with the same arguments and standard input.
printf '#!/bin/sh\nprintf "%%s\\n" "$@" >"%s/arguments"\ncat >"%s/input"\nexit "${HOOK_STATUS:-0}"\n' "$work" "$work" >"$hook"
chmod 750 "$hook"
cp -p "$hook" "$work/original"
inode="$(stat -c %i "$hook")"
"$reex" hook install 2>"$work/out"
says 'is kept as pre-push.before-reex, and runs first'
"$reex" hook install 2>"$work/out"
says 'is installed already'
push 0 origin main
says 'PASSED'
printf 'origin\n%s\n' "$work/one.git" | cmp - "$work/arguments" || fail 'arguments'
printf 'refs/heads/main %s refs/heads/main %040d\n' "$(git rev-parse HEAD)" 0 | cmp - "$work/input" || fail 'input'
git commit -q --allow-empty -m more
HOOK_STATUS=3 push 1 origin main
says_not 'reex:' 'runs although the other hook failed'
"$reex" hook uninstall 2>"$work/out"
cmp "$hook" "$work/original" || fail 'not put back'
[[ "$(stat -c '%i %a' "$hook")" = "$inode 750" ]] || fail 'another file'
[[ ! -e "$kept" ]] || fail 'left over'

# One that git does not run, because it may not be executed, is kept and not run either.
chmod 640 "$hook"
rm -f "$work/input"
"$reex" hook install 2>/dev/null
push 0 origin main
[[ ! -e "$work/input" ]] || fail 'run'
"$reex" hook uninstall 2>/dev/null
[[ "$(stat -c '%i %a' "$hook")" = "$inode 640" ]] || fail 'another mode'

# What cannot be kept under another name is refused.
printf '#!/bin/sh\n. "$(dirname "$0")/run" "$(basename "$0")"\n' >"$hook"
refused "goes by its own name \('basename'\), so it cannot be kept"
cp /bin/true "$hook"
refused 'is no script'
rm "$hook"
ln -s nowhere "$hook"
refused 'leads nowhere'
rm "$hook"
printf '#!/bin/sh\n' | tee "$hook" >"$kept"
refused 'are both there: remove the one that is out of date'
rm "$hook" "$kept"

# core.hooksPath of this repository is where the hook goes; one for all repositories is left alone.
git config core.hooksPath .githooks
"$reex" hook install 2>"$work/out"
says "$work/one/.githooks/pre-push is installed"
(mkdir -p sub && cd sub && "$reex" hook install 2>"$work/out")
says 'is installed already'
git commit -q --allow-empty -m 'more still'
push 0 origin main
says 'reex: main at'
"$reex" hook uninstall 2>/dev/null
printf '#!/bin/sh\n' >.githooks/pre-push
git add -A
folder="$work/one/.githooks"
refused 'is a file of the project'
git rm -qf .githooks/pre-push
git config --unset core.hooksPath
git config --global core.hooksPath "$work/for-all"
mkdir "$work/for-all"
folder="$work/for-all"
refused 'core.hooksPath is set for more than this repository'
git config --global --unset core.hooksPath

# Binaries that are named become reex.test, and what was there comes back.
git rm -qf .reex.toml
git commit -qm 'no file'
"$reex" hook install 2>"$work/out"
says 'no test is named yet: reex hook install -- build/my_test'
push 0 origin main
says 'reex: no test binary was given, and the project names none'
says 'although not all was tested'
"$reex" hook uninstall 2>/dev/null
git config reex.test build/before
(cd build && "$reex" hook install -- counter 2>"$work/out")
says 'git push runs counter \(build/counter, of git config reex.test\)'
"$reex" hook install -- build/counter 2>/dev/null
[[ "$(git config --get-all reex.test)" = build/counter ]] || fail 'reex.test'
git commit -q --allow-empty -m 'and again'
push 0 origin main
says 'PASSED'
"$reex" hook uninstall 2>/dev/null
[[ "$(git config --get-all reex.test)" = build/before ]] || fail 'reex.test is not put back'

# For use by hand.
"$reex" hook print >"$work/printed"
sh -n "$work/printed" || fail 'no script'
printf '' | sh "$work/printed" origin address || fail 'nothing is pushed'

# reex itself is gone.
"$reex" hook print | sed 's,^reex=.*,reex=/nowhere/reex,' >"$hook"
chmod +x "$hook"
git commit -q --allow-empty -m 'and once more'
push 0 origin main
says 'reex: /nowhere/reex is gone, so nothing was tested'
git config reex.hook.on-error block
git commit -q --allow-empty -m 'the last'
push 1 origin main

# Words that are wrong.
for words in '' 'frob' 'install more' 'print -- x' 'install --bound 1'; do
  got=0
  # shellcheck disable=SC2086
  "$reex" hook $words >"$work/out" 2>&1 </dev/null || got=$?
  [[ "$got" = 2 && "$(wc -l <"$work/out")" = 1 ]] || fail "hook $words gave $got"
done
cd /
! "$reex" hook install 2>"$work/out" || fail 'outside of a repository'
says 'no git repository here'
