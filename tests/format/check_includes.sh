#!/usr/bin/env bash
# check_includes.sh ROOT: checks which folder includes what. Each row has a folder, the other folders of the project that
# it may use (a single header is named without .h; ~x means reex/runtime/x), and the headers of libraries. A row is valid
# for everything below its folder. The tests, the benchmarks and cli/main.cpp may use everything; every other folder
# needs a row.
set -euo pipefail
root="$1"

rows() {
  cat <<'TABLE'
heuristics: |
git: | git2
impact: git heuristics reex/process/forked_work reex/run/sha256 reex/symbols | clang-c nlohmann
impact/clang: heuristics impact/facts impact/sources reex/symbols | clang-c
impact/facts: git/module impact/clang/library impact/sources reex/process/forked_work reex/run/sha256 reex/symbols/resolver | nlohmann
impact/reach: impact/code_points impact/facts impact/sources |
impact/sources: git/change reex/symbols | nlohmann
reex/hooks: |
reex/hooks/assembler: reex/hooks |
reex/frameworks: |
reex/search: heuristics |
include/reex: reex/imunit |
include/reex/imunit: reex/imunit |
reex/shared: heuristics reex/frameworks/framework reex/imunit reex/search |
reex/symbols: reex/frameworks | elfutils dwarf.h gelf.h libelf.h
reex/run: heuristics reex/frameworks/framework reex/search reex/symbols/frame | nlohmann openssl
reex/schedules: reex/frameworks reex/run reex/symbols | nlohmann fmt
reex/records: reex/imunit reex/search reex/shared |
reex/trace: heuristics reex/frameworks reex/imunit reex/records reex/run reex/search reex/shared reex/symbols | fmt
reex/files: reex/process/descriptor reex/shared |
reex/process: heuristics reex/files reex/frameworks reex/imunit reex/records reex/run reex/schedules reex/search reex/shared reex/symbols reex/trace | fmt
reex/explorer: heuristics reex/frameworks reex/imunit reex/process reex/records reex/run reex/schedules reex/search reex/shared reex/symbols reex/trace | nlohmann
reex/replay: reex/explorer reex/frameworks reex/process reex/records reex/run reex/schedules reex/search reex/shared reex/symbols reex/trace |
edits: |
promotion: edits impact reex/frameworks/framework reex/imunit reex/run reex/symbols/frame | fmt
imunit: edits reex/run reex/symbols | nlohmann fmt
imunit/source: |
imunit/native: imunit reex/symbols |
report: git heuristics impact reex/run reex/schedules reex/symbols | nlohmann fmt pugixml.hpp
report/text: reex/run | fmt
report/document: git reex/run reex/symbols report | nlohmann fmt
report/ci: git reex/run reex/symbols report | nlohmann fmt pugixml.hpp
report/events: reex/run report | nlohmann
report/statistics: |
report/figures: report | fmt
report/compare: git/change heuristics reex/run/finding_kinds reex/run/result report | nlohmann fmt
report/html: git reex/run reex/symbols report | nlohmann fmt
cli/terminal: reex/process/stray_signals reex/run | fmt
cli/options: cli/terminal git heuristics promotion/expect reex/run reex/search | CLI fmt toml\+\+
cli/subject: cli/options cli/terminal git impact report reex/frameworks reex/hooks reex/process reex/run reex/symbols reex/trace | fmt
cli/verdict: cli/options cli/subject/binary cli/terminal heuristics/match_bits reex/explorer/explore reex/records/damaged_memory reex/replay reex/run reex/schedules reex/trace | fmt
cli/run: cli/options cli/subject cli/terminal cli/verdict heuristics impact report reex/explorer reex/process reex/records reex/run reex/schedules | fmt
cli/native: cli/terminal report | fmt
cli/manual: cli/options cli/terminal heuristics reex/run | fmt
cli/receipts: cli/options cli/run cli/terminal git reex/process reex/run reex/symbols | nlohmann fmt
cli/hook: cli/options cli/terminal git report reex/process reex/symbols | fmt
cli/compare: cli/native cli/options cli/receipts cli/run cli/subject cli/terminal git heuristics report reex/run reex/symbols | nlohmann fmt
cli/project: cli/terminal reex/process report | fmt
cli/promote: cli/options cli/terminal impact promotion reex/explorer reex/frameworks reex/process reex/run reex/schedules reex/symbols | fmt
cli/imunit: cli/options cli/project cli/subject cli/terminal git edits imunit impact reex/frameworks reex/hooks reex/process reex/replay reex/run reex/symbols report | nlohmann fmt
cli/commands: cli edits imunit git heuristics impact promotion report reex | fmt
reex/runtime/machine: |
reex/runtime/core: reex/search reex/shared ~machine |
reex/runtime/record: heuristics reex/frameworks/framework reex/search reex/shared ~machine ~core |
reex/runtime/order: heuristics reex/search reex/shared ~machine ~core ~record |
reex/runtime/environment: reex/search reex/shared ~machine ~core ~record ~order |
reex/runtime/signals: reex/search reex/shared ~machine ~core ~record ~order ~environment |
reex/runtime/threads: reex/search reex/shared ~machine ~core ~record ~order ~environment ~signals | boost
reex/runtime/memory: reex/search reex/shared ~machine ~core ~record ~order ~threads |
reex/runtime/primitives: reex/search reex/shared ~machine ~core ~record ~order ~environment ~threads |
reex/runtime/accesses: reex/runtime/memory/heap reex/search reex/shared reex/hooks ~machine ~core ~record ~order ~environment ~signals ~primitives |
reex/runtime/descriptors: reex/runtime/threads/scheduling reex/runtime/threads/thread reex/search reex/shared ~machine ~core ~record ~order ~environment ~signals ~primitives ~accesses |
reex/runtime/descriptors/kept: reex/runtime/descriptors ~machine ~core ~record ~environment |
reex/runtime/processes: ~machine ~core ~record ~order ~environment ~signals ~primitives ~descriptors |
reex/runtime/imunit: reex/imunit reex/search reex/shared ~machine ~core ~record ~order |
reex/runtime/schedule: heuristics reex/search reex/shared ~machine ~core ~record ~order ~environment ~signals ~threads ~memory ~descriptors ~imunit |
reex/runtime/worker: heuristics reex/search reex/shared ~machine ~core ~record ~order ~environment ~signals ~threads ~memory ~primitives ~descriptors ~processes ~imunit ~schedule | boost
TABLE
}

# shellcheck source=tests/format/sources.sh
. "$(dirname "${BASH_SOURCE[0]}")/sources.sh"

folders='heuristics|edits|git|impact|imunit|promotion|reex/[a-z]+|report|cli'
libraries='openssl|git2|git2\.h|clang-c|clang|boost|elfutils|dwarf\.h|gelf\.h|libelf\.h|nlohmann|fmt|CLI|pugixml\.hpp|toml\+\+'

status=0
complain() {
  status=1
  echo "$1"
}

while IFS='|' read -r row libs; do
  folder="${row%%:*}"
  allowed="$folder"
  for word in ${row#*:} $libs; do
    word="${word/#\~/reex/runtime/}"
    allowed+="|${word//./\\.}"
  done
  [[ -d "$root/$folder" ]] || continue
  while IFS= read -r -d '' file; do
    # "line:path" of each include of the project or a library
    bad="$(grep -nE '^[[:space:]]*#[[:space:]]*include[[:space:]]*[<"]' "$root/$file" |
      sed -E 's/^([0-9]+):[^<"]*[<"]([^>"]*)[>"].*/\1:\2/' |
      grep -E "^[0-9]+:(($folders|$libraries)(/|\$)|git2\.h)" |
      grep -vE "^[0-9]+:($allowed)(/|\.h\$|\$)" || true)"
    if [[ -n "$bad" ]]; then
      while IFS= read -r line; do complain "$file:${line%%:*}: $folder/ may not include ${line#*:}"; done <<<"$bad"
    fi
  done < <(sources "$root" "$folder")
done < <(rows)

# A new folder needs a row. No folder may have more than about forty files; a source and its header count as two.
k_most_files=42
while read -r count folder; do
  rows | grep "^$folder:" >/dev/null || complain "$folder: no row says what it may include: add one to check_includes.sh"
  ((count <= k_most_files)) || complain "$folder: $count files: cut it by subject"
done < <(sources "$root" edits git impact imunit heuristics include promotion reex report cli | tr '\0' '\n' | grep -v '^cli/main.cpp$' |
  sed -E 's#/[^/]*$##' | sort | uniq -c)
exit "$status"
