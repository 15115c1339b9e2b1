#!/usr/bin/env bash
# page.sh PAGE.md FOLDER_OF_LIMBER [--update]
# A page shows what is true: a block that opens with ```LANGUAGE FILE contains this file (named from the
# page's folder), a block that opens with ```console contains commands and what they print. Fails when the
# page says something else; --update writes what is true into the page. A command in a block of another kind is
# refused, since nobody would notice when what stands below it is no longer true. Commands run in an empty folder.
# A page with a folder of its own name, NAME.md with NAME/, tells its reader to make the files of that folder:
# its commands run in a copy of it, those of ```sh blocks too, which must succeed.
set -euo pipefail
page=$(realpath "$1")
PATH=$(realpath "$2"):$PATH
temporary=$(mktemp -d)
trap 'rm -rf "$temporary"' EXIT
fresh=$temporary/page.md
cd "$(dirname "$page")"
own=no
work=$temporary/work
mkdir "$work"
if [ -d "${page%.md}" ]; then
  own=yes
  cp -r "${page%.md}" "$temporary/folder"
  work=$temporary/folder
  cd "$work"
fi

run_block() {  # the commands of a block, which print what they like
  bash -euc "$1" </dev/null >"$temporary/printed" 2>&1 && return
  echo "page.sh: these commands of $page failed:" "$1" >&2
  cat "$temporary/printed" >&2
  exit 1
}

listing_fence='^```[a-z]+ ([^ ]+)$'
block=none  # or plain, listing, commands; for a console: first before its first command, next after it
while IFS= read -r line; do
  case $block in
    none)
      echo "$line"
      if [ "$line" = '```console' ]; then block=first
      elif [[ $line =~ $listing_fence ]]; then block=listing; cat "${BASH_REMATCH[1]}"
      elif [ "$line$own" = '```shyes' ]; then block=commands; commands=
      elif [[ $line == '```'* ]]; then block=plain
      fi ;;
    *)
      if [ "$line" = '```' ]; then
        [ $block != commands ] || run_block "$commands"
        block=none
        echo "$line"
      elif [ $block = plain ]; then
        echo "$line"
        [[ $line != '$ '* ]] || { echo "page.sh: $page: '$line' does not stand in a \`\`\`console block" >&2; exit 1; }
      elif [ $block = commands ]; then echo "$line"; commands+=$line$'\n'
      elif [ $block != listing ] && [[ $line == '$ '* ]]; then
        [ $block = first ] || echo
        echo "$line"
        (cd "$work" && bash -c "${line#'$ '}" </dev/null 2>&1) || true  # pages show mistakes too
        block=next
      fi ;;
  esac
done <"$page" >"$fresh"

# the last digits of long numbers differ from machine to machine
rounded() { perl -pe 's/-?\d+\.\d{9,}(e[-+]?\d+)?/sprintf "%.9g", $&/ge' "$1"; }
same() { diff -u <(rounded "$page") <(rounded "$fresh"); }
if [ "${3:-}" = --update ] && ! same >/dev/null; then cat "$fresh" >"$page"; fi
same
