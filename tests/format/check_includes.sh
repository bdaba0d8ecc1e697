#!/usr/bin/env bash
# check_includes.sh ROOT: which folder may include what. Each row is a folder, the folders of the project it may use
# besides itself (a header alone is named without .h), and the headers of libraries. What is not in the table (cli, tests, bench) sees all.
set -euo pipefail
root="$1"

rows() {
  cat <<'TABLE'
heuristics     -                                                   -
git            -                                                   git2
impact         git heuristics reex/symbols reex/explorer/result    clang-c nlohmann
reex/hooks     -                                                   -
reex/search    heuristics                                          -
reex/shared    heuristics reex/search                              -
reex/runtime   heuristics reex/search reex/shared reex/hooks       boost
reex/symbols   reex/explorer/result                                elfutils dwarf.h gelf.h libelf.h
reex/explorer  heuristics reex/search reex/shared reex/symbols     nlohmann fmt
report         git heuristics impact reex/explorer reex/symbols    nlohmann fmt
TABLE
}

# shellcheck source=tests/format/sources.sh
. "$(dirname "${BASH_SOURCE[0]}")/sources.sh"

folders='heuristics|git|impact|reex/[a-z]+|report|cli'
libraries='git2|git2\.h|clang-c|clang|boost|elfutils|dwarf\.h|gelf\.h|libelf\.h|nlohmann|fmt|CLI'

status=0
while read -r folder rest; do
  read -r -a words <<<"$rest"
  allowed="$folder"
  for word in "${words[@]}"; do [[ "$word" = - ]] || allowed+="|${word//./\\.}"; done
  [[ -d "$root/$folder" ]] || continue
  while IFS= read -r -d '' file; do
    # file:line:path of the include, of those that are the project's or a library's
    bad="$(grep -nE '^[[:space:]]*#[[:space:]]*include[[:space:]]*[<"]' "$root/$file" |
      sed -E 's/^([0-9]+):[^<"]*[<"]([^>"]*)[>"].*/\1:\2/' |
      grep -E "^[0-9]+:(($folders|$libraries)(/|\$)|git2\.h)" |
      grep -vE "^[0-9]+:($allowed)(/|\.h\$|\$)" || true)"
    if [[ -n "$bad" ]]; then
      status=1
      while IFS= read -r line; do echo "$file:${line%%:*}: $folder/ may not include ${line#*:}"; done <<<"$bad"
    fi
  done < <(sources "$root" "$folder")
done < <(rows)
exit "$status"
