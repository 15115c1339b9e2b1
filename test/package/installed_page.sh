#!/usr/bin/env bash
# installed_page.sh PAGE.md BUILD [--update]
# page.sh with Limber installed in a temporary folder, for pages whose commands build programs with it.
set -euo pipefail
prefix=$(mktemp -d)
trap 'rm -rf "$prefix"' EXIT
cmake --install "$2" --prefix "$prefix" >/dev/null
CMAKE_PREFIX_PATH=$prefix CMAKE_GENERATOR=Ninja "$(dirname "$0")/page.sh" "$1" "$prefix/bin" "${@:3}"
