#!/usr/bin/env bash
# man_pages.sh LIMBER FOLDER
# Writes limber.1.gz and limber-SUBCOMMAND.1.gz for every subcommand into FOLDER, from what
# `LIMBER --help` and `LIMBER SUBCOMMAND --help` print.
set -euo pipefail
limber=$(realpath "$1")
folder=$2
mkdir -p "$folder"
version=$("$limber" --version | cut -d ' ' -f 2)
subcommands=$("$limber" --help | awk '/^[A-Z].*:$/ { inside = $0 == "Subcommands:" } inside && /^  [a-z]/ { print $1 }')
[ -n "$subcommands" ] || { echo "man_pages.sh: $limber --help lists no subcommands" >&2; exit 1; }

# help text → manual page: the first line is the description, `Usage:` the synopsis, a line that ends in a
# colon at the margin a section; its rows become paragraphs with a tag, examples stay as they are
page() {  # page NAME SEE_ALSO, help text on standard input
  awk -v name="$1" -v see="$2" -v version="$version" '
    function escaped(text) {
      gsub(/\\/, "\\e", text)
      gsub(/-/, "\\-", text)
      if (text ~ /^[.\x27]/) text = "\\&" text
      return text
    }
    function row(tag, text) { print ".TP"; print "\\fB" escaped(tag) "\\fR"; if (text != "") print escaped(text) }
    NR == 1 {
      print ".TH " toupper(escaped(name)) " 1 \"\" \"limber " version "\" \"User Commands\""
      print ".SH NAME"
      print escaped(name) " \\- " escaped($0)
      next
    }
    /^Usage: / { print ".SH SYNOPSIS"; print "\\fB" escaped(substr($0, 8)) "\\fR"; section = "top"; next }
    /^[A-Z][a-z]+:$/ {
      if (section == "Examples") print ".fi"
      section = substr($0, 1, length($0) - 1)
      print ".SH " toupper(section)
      if (section == "Examples") print ".nf"
      next
    }
    section == "Examples" { print escaped(substr($0, 3)); next }
    /^$/ { blank = 1; next }
    /^  +[^ ]/ && section != "Description" {
      text = $0
      sub(/^ +/, "", text)
      if ($0 ~ /^   /) { print escaped(text); next }  # the text of the tag above
      cut = match(text, /   */)
      cut ? row(substr(text, 1, cut - 1), substr(text, cut + RLENGTH)) : row(text, "")
      next
    }
    {
      if (section != "Description") { print ".SH DESCRIPTION"; section = "Description" }
      else if (blank) print ".PP"
      blank = 0
      print escaped($0)
    }
    END {
      if (section == "Examples") print ".fi"
      print ".SH SEE ALSO"
      print see
    }' | gzip -9n >"$folder/$1.1.gz"
}

reference() { sed 's/-/\\-/g; s/.*/.BR & (1)/' <<<"$1"; }
"$limber" --help | page limber "$(for each in $subcommands; do reference "limber-$each"; done)"
for each in $subcommands; do
  "$limber" "$each" --help | page "limber-$each" "$(reference limber)"
done
