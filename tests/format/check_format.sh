#!/usr/bin/env bash
# check_format.sh ROOT CLANG_FORMAT [--fix]: checks that all C++ files are formatted as .clang-format says. --fix formats
# them.
set -euo pipefail
root="$1" clang_format="$2" fix="${3:-}"
# shellcheck source=tests/format/sources.sh
. "$(dirname "${BASH_SOURCE[0]}")/sources.sh"

cd "$root"
if [[ "$fix" = --fix ]]; then
  sources "$root" | xargs -0 "$clang_format" -i
elif ! sources "$root" | xargs -0 "$clang_format" --dry-run -Werror; then
  echo "format them with: tests/format/check_format.sh . clang-format-14 --fix" >&2
  exit 1
fi
