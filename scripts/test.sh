#!/usr/bin/env bash
# Installs what is missing, builds everything and runs all tests. Arguments go to ctest: scripts/test.sh -R io,
# scripts/test.sh -LE nightly without those of packages and pages, which take some minutes.
set -euo pipefail
cd "$(dirname "$0")/.."

scripts/deps.sh --test
cmake --preset release >/dev/null
scripts/build.sh release
# one more at a time than there are cores: some tests wait most of the time
ctest --preset release -j "$(($(nproc) + 1))" "$@"
