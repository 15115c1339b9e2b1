#!/usr/bin/env bash
# viewer.sh types|browser FOLDER: checks the report page that was built in FOLDER.
# Status 77 means that something it needs is not here.
set -euo pipefail
part=$1
folder=$2

skip() { echo "skipped: $1"; exit 77; }

[ -s "$folder/report.html" ] || skip "the report page was not built (is npm here? see LIMBER_BUILD_VIEWER)"
cd "$folder"
case $part in
  types) npm run --silent check ;;
  browser)
    CHROMIUM=${CHROMIUM:-$(command -v chromium || command -v chromium-browser || true)}
    [ -n "$CHROMIUM" ] || skip "there is no Chromium; scripts/deps.sh --browser installs it"
    export CHROMIUM REPORT_TEMPLATE=$folder/report.html
    npm test --silent
    ;;
esac
