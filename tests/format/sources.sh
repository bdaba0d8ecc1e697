# shellcheck shell=bash
# sources ROOT [FOLDER...]: prints the C++ files of the tree, each followed by a zero byte, without the subjects in data/.
sources() {
  local root="$1"
  shift
  if git -C "$root" rev-parse --is-inside-work-tree >/dev/null 2>&1; then
    git -C "$root" ls-files -z --cached --others --exclude-standard -- "${@:-.}" |
      grep -zE '\.(cpp|h)$' | grep -zv '^data/' | (cd "$root" && xargs -0 -r -I{} find {} -maxdepth 0 -print0)
  else
    (cd "$root" && find "${@:-.}" \( -name 'build*' -o -path ./data \) -prune -o -type f \
      \( -name '*.cpp' -o -name '*.h' \) -print0)
  fi
}
