#!/usr/bin/env bash
# scripts/build.sh PRESET [TARGET…]: cmake --build with one line of progress and the time to go. What compilers say is
# shown as it is. The time to go takes files for alike, which they are not: it is good to a third.
set -euo pipefail
cd "$(dirname "$0")/.."
preset=$1
shift

progress() {
  local line built all left said=0 files='^\[([0-9]+)/([0-9]+)\] '
  while IFS= read -r line; do
    if ! [[ $line =~ $files ]]; then
      printf '%s\n' "$line"
      continue
    fi
    built=$((BASH_REMATCH[1] > 0 ? BASH_REMATCH[1] : 1)) all=${BASH_REMATCH[2]}
    left=$((SECONDS * (all - built) / built))
    if [ -t 1 ]; then
      printf '\r\033[K%d of %d, %d:%02d to go' "$built" "$all" $((left / 60)) $((left % 60))
    elif ((SECONDS >= said + 20)); then
      said=$SECONDS
      printf '%d of %d, %d:%02d to go\n' "$built" "$all" $((left / 60)) $((left % 60))
    fi
  done
  [ ! -t 1 ] || printf '\r\033[K'
}

NINJA_STATUS='[%f/%t] ' cmake --build --preset "$preset" ${1+--target "$@"} 2>&1 | progress
