#!/usr/bin/env bash
# manual.sh REEX FOLDER: the manual page and the completions in FOLDER have the verbs and options of `reex --help`, and
# the shells that are here accept them.
set -euo pipefail
reex="$(realpath "$1")" folder="$(realpath "$2")"
status=0
complain() { status=1; printf 'manual: %s\n' "$1"; }

verbs=$("$reex" --help | sed -n 's/^  reex \([a-z]*\) .*/\1/p')
(($(wc -w <<<"$verbs") > 5)) || complain "--help names only these verbs: $verbs"
for verb in $verbs; do
  grep -q "^\.B reex $verb" "$folder/reex.1" || complain "reex.1 has no verb $verb"
  grep -q -- "-a $verb " "$folder/reex.fish" || complain "reex.fish has no verb $verb"
  grep -q "'$verb:" "$folder/_reex" || complain "_reex has no verb $verb"
  for option in $("$reex" "$verb" --help | grep -oE '^ +(-[a-z], )?--[a-z-]+' | grep -oE -- '--[a-z-]+$'); do
    [[ $option == --version ]] && continue
    if [[ $option != --help ]]; then
      grep -qF -- "\\fB${option//-/\\-}\\fR" "$folder/reex.1" || complain "reex.1 has no $option"
    fi
    grep -qE "^ +$verb\) options=.*[' ]$option[' ]" "$folder/reex.bash" || complain "reex.bash: $verb has no $option"
  done
done

# What bash offers behind these words.
offers() {
  bash -c 'source "$1"; shift; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _reex; echo "${COMPREPLY[*]}"' \
    - "$folder/reex.bash" "$@"
}
expect() {
  local wanted="$1"
  shift
  [[ $(offers "$@") == "$wanted" ]] || complain "behind '$*' bash offers '$(offers "$@")', wanted '$wanted'"
}
cd "$(mktemp -d)"
touch test_of_mine
expect '--strategy --strict-findings --strict' reex --str
expect 'pct pos' reex --strategy p
expect 'auto always never' reex replay --color ''
expect '--gdb' reex replay --gd
expect 'replay' reex repl
expect 'test_of_mine' reex --base-binary test_
expect 'test_of_mine' reex -- test_
expect '' reex --budget ''

if command -v zsh >/dev/null; then zsh -n "$folder/_reex" || complain '_reex: zsh does not accept it'; fi
if command -v fish >/dev/null; then fish -n "$folder/reex.fish" || complain 'reex.fish: fish does not accept it'; fi
if command -v groff >/dev/null; then
  [[ -z $(groff -man -ww -Tascii "$folder/reex.1" 2>&1 >/dev/null) ]] || complain 'reex.1: groff warns'
fi
exit "$status"
