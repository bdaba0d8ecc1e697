#!/usr/bin/env bash
# Installs the Debian packages that reex needs and that are missing.
#
# usage: scripts/install-dependencies.sh [--to-build]   with the option, only what it takes to build and use reex, and not
#                                                       what its own tests take
set -euo pipefail

to_build=(
  # libclang is the one that the distribution has
  g++ cmake ninja-build ccache git pkg-config
  # for cpack's packages, and for reex-applicability
  file dpkg-dev python3
  libgit2-dev libclang-dev libdw-dev libelf-dev libzydis-dev libboost-context-dev
  nlohmann-json3-dev libcli11-dev libfmt-dev libpugixml-dev libtomlplusplus-dev libssl-dev
)
to_test=(
  libgtest-dev libgmock-dev catch2 doctest-dev libboost-test-dev cpputest libcppunit-dev qtbase5-dev
  libbenchmark-dev clang clang-format clang-tidy gdb lld mold meson python3-jsonschema
)

case "${1:-}" in
  '') packages=("${to_build[@]}" "${to_test[@]}") ;;
  --to-build) packages=("${to_build[@]}") ;;
  *) printf 'usage: scripts/install-dependencies.sh [--to-build]\n' >&2; exit 2 ;;
esac

fail() { printf 'install-dependencies: %s\n' "$1" >&2; exit 1; }

command -v dpkg-query >/dev/null || fail "this is no Debian: install the counterparts of: ${packages[*]}"

missing=()
for package in "${packages[@]}"; do
  status="$(dpkg-query --show --showformat='${Status}' "$package" 2>/dev/null || true)"
  [[ "$status" = 'install ok installed' ]] || missing+=("$package")
done
if ((${#missing[@]} == 0)); then
  echo 'install-dependencies: everything is there'
  exit 0
fi

as_root=()
if ((EUID != 0)); then
  command -v sudo >/dev/null || fail "neither root nor sudo: install ${missing[*]}"
  as_root=(sudo)
fi
echo "install-dependencies: installing ${missing[*]}"
"${as_root[@]}" apt-get update --quiet || fail "apt-get update failed: is there a network?"
"${as_root[@]}" env DEBIAN_FRONTEND=noninteractive \
  apt-get install --yes --quiet --no-install-recommends "${missing[@]}" ||
  fail "apt-get could not install: ${missing[*]}"
