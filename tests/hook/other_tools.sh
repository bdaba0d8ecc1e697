#!/usr/bin/env bash
# other_tools.sh REEX: tools that install a hook of their own, before reex and after it. Stand-ins name the hook that
# they find as pre-commit and lefthook do; lefthook itself is tried where it is there.
set -euo pipefail
# shellcheck source=tests/hook/lib.sh
. "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

# tool NAME: a hook that counts its runs. `legacy` runs the hook that was there, `old` does not.
tool() {
  local hook=.git/hooks/pre-push
  if [[ -e "$hook" ]] && ! grep -q 'a tool' "$hook"; then mv "$hook" "$hook.$1"; fi
  cat >"$hook" <<TEXT
#!/bin/sh
# a tool
refs="\$(cat)"
echo run >>"$work/runs"
hook="\$(dirname "\$0")/pre-push.legacy"
if [ -x "\$hook" ]; then printf '%s\n' "\$refs" | "\$hook" "\$@"; fi
TEXT
  chmod +x "$hook"
}
runs_once() {
  [[ "$(wc -l <"$work/runs")" = 1 ]] || fail "$1: the other hook ran $(wc -l <"$work/runs") times"
  rm "$work/runs"
}
hooks() { (cd .git/hooks && ls | grep -v sample | sort | xargs); }

# One that runs what it finds: before reex, after it, and again over the hook that chains it.
project legacy
tool legacy
counter wrong
commit wrong
build
push 1 origin main
says 'FAILED'
runs_once 'legacy, after reex'
"$reex" hook uninstall 2>/dev/null
"$reex" hook install 2>"$work/out"
says 'is kept as pre-push.before-reex'
push 1 origin main
says 'FAILED'
runs_once 'legacy, before reex'
tool legacy
[[ "$(hooks)" = 'pre-push pre-push.before-reex pre-push.legacy' ]] || fail "hooks: $(hooks)"
push 1 origin main
says 'FAILED'
runs_once 'legacy, installed again'
"$reex" hook install 2>"$work/out"
[[ "$(hooks)" = 'pre-push pre-push.legacy' ]] || fail "hooks: $(hooks)"
push 1 origin main
runs_once 'legacy, and reex installed again'
"$reex" hook uninstall 2>/dev/null
[[ "$(hooks)" = pre-push ]] || fail "hooks: $(hooks)"
push 0 origin main
runs_once 'legacy alone'

# One that does not: reex's hook is there and never runs. Another installation mends this.
project old
tool old
[[ "$(hooks)" = 'pre-push pre-push.old' ]] || fail "hooks: $(hooks)"
"$reex" hook install 2>"$work/out"
says 'pre-push is installed'
says 'had named reex.s hook pre-push.old, where git did not run it'
[[ "$(hooks)" = 'pre-push pre-push.before-reex' ]] || fail "hooks: $(hooks)"
counter wrong
commit wrong
build
push 1 origin main
says 'FAILED'
runs_once 'old, before reex'
tool old
"$reex" hook install 2>"$work/out"
[[ "$(hooks)" = 'pre-push pre-push.before-reex' ]] || fail "hooks: $(hooks)"
push 1 origin main
says 'FAILED'
runs_once 'old, installed again'
"$reex" hook uninstall 2>/dev/null
[[ "$(hooks)" = pre-push ]] || fail "hooks: $(hooks)"

if ! command -v lefthook >/dev/null; then exit 0; fi
project lefthook
printf 'pre-push: {commands: {mark: {run: "echo run >>%s/runs"}}}\n' "$work" >lefthook.yml
counter wrong
commit wrong
build
lefthook install >/dev/null 2>&1
"$reex" hook install 2>"$work/out"
push 1 origin main
says 'FAILED'
runs_once 'lefthook, after reex'
"$reex" hook uninstall 2>/dev/null
"$reex" hook install 2>"$work/out"
push 1 origin main
says 'FAILED'
runs_once 'lefthook, before reex'
