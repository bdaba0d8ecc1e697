#!/usr/bin/env bash
# check_includes_test.sh CHECK: the include check notices each kind of wrong arrow and lets the right ones pass.
set -euo pipefail
check="$1"
tree="$(mktemp -d)"
trap 'rm -rf "$tree"' EXIT
mkdir -p "$tree"/{git,impact,reex/runtime,reex/explorer}
echo '#include "impact/impact.h"' >"$tree/git/a.cpp"
printf '#include <git2.h>\n#include "git/a.h"\n#include <vector>\n' >"$tree/git/b.cpp"
echo '#include <git2.h>' >"$tree/impact/a.cpp"
printf '#include <clang-c/Index.h>\n#include "git/a.h"\n#include "heuristics/table.h"\n' >"$tree/impact/b.cpp"
printf '#include "reex/shared/control.h"\n#include <nlohmann/json.hpp>\n' >"$tree/reex/runtime/a.cpp"
echo '  #  include "cli/options/options.h"' >"$tree/reex/explorer/a.h"

expected='git/a.cpp:1: git/ may not include impact/impact.h
impact/a.cpp:1: impact/ may not include git2.h
reex/explorer/a.h:1: reex/explorer/ may not include cli/options.h
reex/runtime/a.cpp:2: reex/runtime/ may not include nlohmann/json.hpp'
found="$("$check" "$tree" | sort)" && { echo "the check passed a wrong tree"; exit 1; }
diff <(echo "$expected") <(echo "$found")
rm "$tree"/{git/a.cpp,impact/a.cpp,reex/runtime/a.cpp,reex/explorer/a.h}
"$check" "$tree"
