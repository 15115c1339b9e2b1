#!/usr/bin/env bash
# commands.sh PAGE.md FOLDER_OF_LIMBER [--update]
# Runs every `$ command` of the page's ```console blocks; fails when one prints something else than the
# page says. --update writes what they print into the page.
set -euo pipefail
page=$1
PATH=$(realpath "$2"):$PATH
fresh=$(mktemp)
trap 'rm -f "$fresh"' EXIT
cd "$(dirname "$page")"

# console: empty outside a block, `first` before its first command, `next` after it
console=
while IFS= read -r line; do
  case $line in
    '```console') console=first; printf '%s\n' "$line" ;;
    '```'*) console=; printf '%s\n' "$line" ;;
    '$ '*)
      [ "$console" != next ] || echo
      printf '%s\n' "$line"
      [ -z "$console" ] || { bash -c "${line#'$ '}" </dev/null 2>&1 || true; }
      [ -z "$console" ] || console=next ;;
    *) [ -n "$console" ] || printf '%s\n' "$line" ;;
  esac
done <"$page" >"$fresh"

if [ "${3:-}" = --update ]; then cat "$fresh" >"$page"; fi
diff -u "$page" "$fresh"
