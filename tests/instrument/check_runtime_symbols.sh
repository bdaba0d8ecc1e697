#!/usr/bin/env bash
# check_runtime_symbols.sh HOOKS RUNTIME: checks that the runtime defines all functions that compilers call and the hooks
# define, and those of reex/imunit.h.
set -euo pipefail
hooks="$1" runtime="$2"

defined() { nm -D --defined-only "$1" | awk '{ print $3 }' | sort; }
emitted='^(__tsan_(init|func|vptr|read|write|unaligned|volatile|atomic|mem)|reex_assembly)'

# Those that reex/imunit.h calls where they are there.
for name in begin end event place thread name; do
  if ! defined "$runtime" | grep -x "reex_imunit_$name" > /dev/null; then # -q would end the pipe too early
    echo "the runtime does not define reex_imunit_$name"
    exit 1
  fi
done

missing="$(comm -23 <(defined "$hooks" | grep -E "$emitted") <(defined "$runtime"))"
if [[ -n "$missing" ]]; then
  echo "the runtime does not define:"
  echo "$missing"
  exit 1
fi
if readelf -d "$hooks" | grep SYMBOLIC; then
  echo "the hooks are bound to themselves"
  exit 1
fi
