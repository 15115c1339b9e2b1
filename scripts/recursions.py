#!/usr/bin/env python3
"""Counts where the recursions over the tree are written, and compares with test/recursions.txt.

  scripts/recursions.py    prints the count; status 1: the sources and the table differ

A loop that runs from the last to the first is a pass inward: it is part of a recursion, or listed as none. So a
second text of a recursion cannot come in without a line that says why."""
import collections
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
TABLE = ROOT / "test" / "recursions.txt"
# where recursions over bodies may be; reference/ has the books' other formulations, each once, by intention
PLACES = ["src/dynamics/*", "src/compile/gradient*", "src/compile/column_*", "src/batch/*"]
INWARD = re.compile(r"for \([^;]*;[^;]*--[^;]*;|for \([^;]*;[^;]*;[^;)]*--\w+\)")


def found():
    counts = collections.Counter()
    for pattern in PLACES:
        for file in ROOT.glob(pattern):
            if file.suffix in (".hpp", ".ipp", ".cpp"):
                counts[str(file.relative_to(ROOT))] = len(INWARD.findall(file.read_text()))
    return +counts


def listed():
    """[(recursion or None, file, loops, reason)]"""
    entries, name = [], None
    for number, line in enumerate(TABLE.read_text().splitlines(), 1):
        if not line.strip() or line.startswith("#"):
            continue
        if line.startswith("recursion "):
            name = line.split(None, 1)[1]
        elif line.startswith("none "):
            name = None
        elif match := re.fullmatch(r"  (\S+) (\d+)(?:  (\S.*))?", line):
            entries.append((name, match[1], int(match[2]), match[3]))
        else:
            sys.exit(f"{TABLE.name}:{number}: expected 'recursion NAME', 'none WORDS' or '  FILE LOOPS  REASON'")
    return entries


def main():
    errors, entries, sources = [], listed(), found()
    table = collections.Counter()
    texts = collections.defaultdict(list)
    for name, file, loops, reason in entries:
        table[file] += loops
        if name:
            if texts[name] and not reason:
                errors.append(f"{file}: a second text of '{name}' needs a reason")
            texts[name].append(file)
    for file in sorted(set(sources) | set(table)):
        if sources[file] != table[file]:
            errors.append(f"{file}: {sources[file]} loops inward, {table[file]} in {TABLE.name}")
    for name, files in texts.items():
        print(f"{len(files)}  {name}: {', '.join(pathlib.Path(f).name for f in files)}")
    for error in errors:
        print(f"recursions.py: {error}", file=sys.stderr)
    return 1 if errors else 0


if __name__ == "__main__":
    sys.exit(main())
