#!/usr/bin/env bash
# site.sh SOURCE
# The site of documents is built without a complaint, no link of it is broken, and the search finds a function, a
# key and a word in a page. A link that is broken on purpose is noticed. Exit status 77: a tool is missing.
set -euo pipefail
source=$1
if ! command -v doxygen >/dev/null || ! /usr/bin/python3 -c 'import markdown, pygments' 2>/dev/null; then
  echo "skipped: Doxygen, Python-Markdown or Pygments is not here; scripts/deps.sh --docs installs them"
  exit 77
fi
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
site=$folder/site
/usr/bin/python3 -B "$source/docs/site/build.py" "$site"
/usr/bin/python3 "$source/test/docs/check_links.py" "$site"

# what a reader looks for is the first that is found
browser=$(command -v chromium || command -v chromium-browser || true)
found() {  # found QUERY ADDRESS
  "$browser" --headless --no-sandbox --disable-gpu --virtual-time-budget=5000 --user-data-dir="$folder/browser" \
    --dump-dom "file://$site/index.html?q=$1" 2>/dev/null |
    grep -oE '<ol id="search-results">.*' | grep -oE 'href="[^"]*"' | head -n 1 | grep -qF "$2" ||
    { echo "site.sh: the search for '$1' does not begin with $2" >&2; exit 1; }
}
if [ -n "$browser" ]; then
  found mass_matrix api/dynamics/mass_matrix.html#mass_matrix
  found Part::settled api/sim/part.html#Part.settled
  found 'fixed%20and%20floating' robot-files.html#fixed-and-floating
else
  echo "no Chromium here: the search is not tried"
fi

# a missing page, and a missing part of a page
sed -i '0,/conventions.html/s//convictions.html/' "$site/pages.html"
sed -i '0,/#fixed-and-floating/s//#fixed-and-floated/' "$site/conventions.html" "$site/command-line.html"
/usr/bin/python3 "$source/test/docs/check_links.py" "$site" >"$folder/wrong" && {
  echo "site.sh: broken links were not noticed" >&2; exit 1; }
grep -q 'convictions.html: no such file' "$folder/wrong"
grep -q '#fixed-and-floated: no such part' "$folder/wrong"
