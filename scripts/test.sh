#!/usr/bin/env bash
# Installs missing packages, builds everything with warnings as errors, and runs all tests.
# It passes its arguments to ctest: scripts/test.sh -R hooks
set -euo pipefail

root="$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd -P)"
cd "$root"

fail() { printf 'test: %s\n' "$1" >&2; exit 1; }

scripts/install-dependencies.sh
cmake --preset developer || fail "the project could not be configured"
cmake --build --preset developer || fail "the project did not build"
# One more than there are cores: some tests wait.
ctest --test-dir build-developer --output-on-failure --no-tests=error --parallel "$(($(nproc) + 1))" "$@"
