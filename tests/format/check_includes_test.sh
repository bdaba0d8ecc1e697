#!/usr/bin/env bash
# check_includes_test.sh CHECK: the include check reports each kind of wrong include and accepts the right ones.
set -euo pipefail
check="$1"
tree="$(mktemp -d)"
trap 'rm -rf "$tree"' EXIT
mkdir -p "$tree"/{git,impact,heuristics,report,cli,reex/runtime/order,reex/explorer}
echo '#include "impact/impact.h"' >"$tree/git/a.cpp"
printf '#include <git2.h>\n#include "git/a.h"\n#include <vector>\n' >"$tree/git/b.cpp"
echo '#include <git2.h>' >"$tree/impact/a.cpp"
printf '#include <clang-c/Index.h>\n#include "git/a.h"\n#include "heuristics/table.h"\n' >"$tree/impact/b.cpp"
printf '#include "reex/runtime/core/runtime.h"\n#include <nlohmann/json.hpp>\n' >"$tree/reex/runtime/order/a.cpp"
echo '#include "reex/runtime/worker/worker.h"' >"$tree/reex/runtime/order/b.cpp"
mkdir -p "$tree"/reex/{novel,search}
touch "$tree/reex/novel/a.cpp"
for i in $(seq 43); do touch "$tree/reex/search/$i.cpp"; done
echo '  #  include "cli/options/options.h"' >"$tree/reex/explorer/a.h"

expected='git/a.cpp:1: git/ may not include impact/impact.h
impact/a.cpp:1: impact/ may not include git2.h
reex/explorer/a.h:1: reex/explorer/ may not include cli/options/options.h
reex/novel: no row says what it may include: add one to check_includes.sh
reex/runtime/order/a.cpp:2: reex/runtime/order/ may not include nlohmann/json.hpp
reex/runtime/order/b.cpp:1: reex/runtime/order/ may not include reex/runtime/worker/worker.h
reex/search: 43 files: cut it by subject'
found="$("$check" "$tree" | sort)" && { echo "the check passed a wrong tree"; exit 1; }
diff <(echo "$expected") <(echo "$found")
rm -r "$tree"/reex/{novel,search} "$tree"/{reex/runtime/order/b.cpp,git/a.cpp,impact/a.cpp,reex/runtime/order/a.cpp,reex/explorer/a.h}
"$check" "$tree"
