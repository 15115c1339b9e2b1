#!/usr/bin/env bash
# pages.sh [--update] [BUILD]: checks what README.md and the pages of docs/ print from runs of the command in
# BUILD/app (build/release without it), or writes what is true into them. A page with a folder of its own name is
# for an installed Limber and has a test of its own.
set -euo pipefail
cd "$(dirname "$0")/.."
update=
if [ "${1:-}" = --update ]; then update=$1; shift; fi
app=${1:-build/release}/app
if [ -n "$update" ]; then "$app/limber" simulate --keys >docs/scenario.md; fi
status=0
for page in README.md docs/*.md; do
  [ ! -d "${page%.md}" ] || continue
  test/package/page.sh "$page" "$app" $update || status=1
done
exit $status
