#!/usr/bin/env bash
# places.sh REEX: worktrees, submodules, bare and shallow repositories, folders, other owners.
set -euo pipefail
# shellcheck source=tests/hook/lib.sh
. "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

project one
push 0 origin main
says 'PASSED'

# A worktree has the same hook, and binaries of its own.
git worktree add -q -b tree "$work/tree"
cd "$work/tree"
git commit -q --allow-empty -m 'of the worktree'
push 0 origin tree
says "there is no test binary $work/tree/build/counter"
build
git --git-dir="$work/one.git" branch -qD tree
git update-ref -d refs/remotes/origin/tree
mkdir sub
(cd sub && push 0 origin tree)
says 'PASSED'
[[ -d "$work/tree/.reex" ]] || fail 'the worktree has a .reex of its own'
# A push from elsewhere, with the repository named by options.
git commit -q --allow-empty -m 'from elsewhere'
(cd / && git -C "$work/tree" push origin tree >"$work/out" 2>&1) || fail 'git -C'
says 'reex: tree at'

# A submodule is a repository of its own.
git init -q "$work/super"
cd "$work/super"
git submodule -q add "$work/one.git" module
cd module
build
"$reex" hook install 2>"$work/out"
says "$work/super/.git/modules/module/hooks/pre-push is installed"
git commit -q --allow-empty -m 'in the submodule'
push 0 origin HEAD:refs/heads/sub
says 'PASSED'
[[ -d .reex/receipts && ! -e ../.reex ]] || fail 'where .reex is'

# A worktree of a bare repository.
git clone -q --bare "$work/one.git" "$work/bare"
git -C "$work/bare" worktree add -q "$work/of-bare" main
cd "$work/of-bare"
build
"$reex" hook install 2>/dev/null
git commit -q --allow-empty -m 'of the bare one'
push 0 "$work/one.git" HEAD:refs/heads/bare
says 'PASSED'
# The bare one itself has no files.
(cd "$work/bare" && push 0 "$work/one.git" main:refs/heads/bare2)
says 'is bare: run where its files are checked out'

# A shallow clone: what is here is enough, or the clone is named.
cd "$work/one"
for number in 1 2 3; do git commit -q --allow-empty -m "number $number"; done
push 0 origin main
git clone -q --depth 1 "file://$work/one.git" "$work/shallow"
cd "$work/shallow"
build
"$reex" hook install 2>/dev/null
git commit -q --allow-empty -m 'in the shallow clone'
push 0 origin main
says 'PASSED'
says ': what the remote has'
git commit -q --amend --allow-empty -m 'forced'
push 0 --force origin main
says ': the merge base with what the remote has'
# A branch that parted before what is here.
(cd "$work/one" && git push -q --no-verify origin main~3:refs/heads/before)
git fetch -q --depth 1 origin before
git checkout -q FETCH_HEAD
build
git commit -q --allow-empty -m 'from before'
git config reex.base main
push 0 origin HEAD:refs/heads/new
says 'is not here, because the clone is shallow: git fetch --unshallow'
says 'although not all was tested'

# Another owner, as git itself sees it.
if [[ "$(id -u)" = 0 ]]; then
  cd "$work/one"
  git commit -q --allow-empty -m 'of another owner'
  chown -R 12345 "$work/one"
  printf 'refs/heads/main %s refs/heads/main %s\n' "$(git rev-parse HEAD 2>/dev/null || echo "${zeros:-0000000000000000000000000000000000000001}")" 0000000000000000000000000000000000000002 >"$work/lines"
  "$reex" hook run -- origin address <"$work/lines" >"$work/out" 2>&1
  says 'belongs to another user: run .git config --global --add safe.directory'
  git config --global --add safe.directory '*'
  printf 'refs/heads/main %s refs/heads/main %s\n' "$(git rev-parse HEAD)" "$(git rev-parse HEAD~1)" >"$work/lines"
  "$reex" hook run -- origin address <"$work/lines" >"$work/out" 2>&1
  says 'PASSED|passed'
  chown -R 0 "$work/one"
fi

# SHA-256.
git init -q --object-format=sha256 "$work/new"
cd "$work/new"
git init -q --bare --object-format=sha256 "$work/new.git"
git commit -q --allow-empty -m first
"$reex" hook install 2>/dev/null
push 0 "$work/new.git" main
says 'reex: the repository uses SHA-256, which libgit2 cannot read'
# By hand, the same is said, and a diff that is given as text will do.
counter right
commit 'with a test'
build
status=0
"$reex" --base HEAD~1 build/counter >"$work/out" 2>&1 || status=$?
says 'uses an object format .SHA-256. that libgit2 cannot read: give the change with --diff FILE'
((status == 6)) || fail "status $status of a repository that cannot be read"
git diff HEAD~1 -- counter.cpp >"$work/change.diff"
"$reex" --diff "$work/change.diff" build/counter >"$work/out" 2>&1 || fail 'a diff of it'
says 'PASSED'
says 'LOA'
