#!/usr/bin/env bash
# equations.sh PAGE.md SOURCE_TREE
# Checks the tables of PAGE that have the columns equations, what, function and file: every file exists and
# declares every function or type that its row names. Names and files stand in backquotes.
set -euo pipefail
page=$1
cd "$2"
failures=0
rows=0

complain() {
  echo "$(basename "$page"): $1"
  failures=$((failures + 1))
}

# the words in backquotes of a text, one per line
quoted() { grep -o '`[^`]*`' <<<"$1" | tr -d '`' || true; }

# whether file $1 declares $2: as a type, or as a function: after the end of a type and before a parenthesis,
# and not in a statement that only calls it
declares() {
  local name
  name=$(sed 's/[*+]/\\&/g' <<<"$2")
  sed 's|//.*||' "$1" | grep -v '^ *\(return\|else\|throw\) ' |
    grep -P "\b(struct|class|enum class|using) +$name\b|(\w|>|[^&]&|\*) +$name *\(" >/dev/null
}

check_row() {
  local names files
  names=$(quoted "$1")
  files=$(quoted "$2")
  [ -n "$names" ] || complain "a row without a function: $3"
  [ -n "$files" ] || complain "a row without a file: $3"
  for file in $files; do
    if [ ! -f "$file" ]; then
      complain "there is no file $file ($3)"
      continue
    fi
    while IFS= read -r name; do
      declares "$file" "$name" || complain "$file does not declare $name ($3)"
    done <<<"$names"
  done
}

inside=no
while IFS='|' read -r _ equations what functions file rest; do
  if [ "$equations$what$functions$file" = ' equations  what  function  file ' ]; then
    inside=yes
  elif [ -z "$equations" ]; then
    inside=no
  elif [ $inside = yes ] && [ "$equations" != --- ]; then
    rows=$((rows + 1))
    [ -z "$rest" ] || complain "a row with too many columns:$equations"
    check_row "$functions" "$file" "${equations# }"
  fi
done <"$page"

echo "$rows rows checked, $failures wrong"
[ "$rows" -gt 0 ] && [ "$failures" -eq 0 ]
