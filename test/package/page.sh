#!/usr/bin/env bash
# page.sh PAGE.md FOLDER_OF_LIMBER [--update]
# A page shows what is true: a block that opens with ```LANGUAGE FILE contains this file (named from the
# page's folder), a block that opens with ```console contains commands and what they print. Fails when the
# page says something else; --update writes what is true into the page.
set -euo pipefail
page=$(realpath "$1")
PATH=$(realpath "$2"):$PATH
fresh=$(mktemp)
trap 'rm -f "$fresh"' EXIT
cd "$(dirname "$page")"

listing_fence='^```[a-z]+ ([^ ]+)$'
block=none  # or plain, listing; for a console: first before its first command, next after it
while IFS= read -r line; do
  case $block in
    none)
      echo "$line"
      if [ "$line" = '```console' ]; then block=first
      elif [[ $line =~ $listing_fence ]]; then block=listing; cat "${BASH_REMATCH[1]}"
      elif [[ $line == '```'* ]]; then block=plain
      fi ;;
    *)
      if [ "$line" = '```' ]; then block=none; echo "$line"
      elif [ $block = plain ]; then echo "$line"
      elif [ $block != listing ] && [[ $line == '$ '* ]]; then
        [ $block = first ] || echo
        echo "$line"
        bash -c "${line#'$ '}" </dev/null 2>&1 || true  # pages show mistakes too
        block=next
      fi ;;
  esac
done <"$page" >"$fresh"

if [ "${3:-}" = --update ]; then cat "$fresh" >"$page"; fi
diff -u "$page" "$fresh"
