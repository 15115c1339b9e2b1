#!/usr/bin/env python3
"""REUSE_BUILD=... REUSE_FOLDER=... reuse.py COMMAND...: a launcher for the compiler, in a build that has Limber in
REUSE_FOLDER. Where the build in REUSE_BUILD has compiled the same file by the same command, its object is copied;
otherwise COMMAND runs.
"""
import filecmp
import json
import os
import shlex
import shutil
import subprocess
import sys


def without(arguments, options, flags=()):
    """The arguments without these options and what follows each of them, and without flags."""
    kept, skip = [], False
    for argument in arguments:
        if not skip and argument not in options and argument not in flags:
            kept.append(argument)
        skip = not skip and argument in options
    return kept


def after(arguments, option):
    return arguments[arguments.index(option) + 1] if option in arguments else None


def object_of(build, folder, command):
    """The object in `build` that the command would make, or None."""
    source = after(command, "-c")
    there = [a.replace(folder, build) for a in without(command, ("-o", "-MF", "-MT"), ("-MD",))]
    with open(os.path.join(build, "compile_commands.json"), encoding="utf-8") as file:
        entries = json.load(file)
    for entry in entries:
        other = shlex.split(entry["command"])
        if command[0] in other:  # some versions of CMake write the launcher before it
            other = other[other.index(command[0]) :]
        if without(other, ("-o",)) == there and filecmp.cmp(source, after(other, "-c"), shallow=False):
            found = os.path.join(entry["directory"], after(other, "-o"))
            return found if os.path.exists(found) else None
    return None


def main():
    build, folder, command = os.environ["REUSE_BUILD"], os.environ["REUSE_FOLDER"], sys.argv[1:]
    found = object_of(build, folder, command) if "-c" in command else None
    if found is None:
        sys.exit(subprocess.call(command))
    output = after(command, "-o")
    shutil.copy(found, output)
    if after(command, "-MF"):
        with open(after(command, "-MF"), "w", encoding="utf-8") as file:
            file.write(f"{output}: {after(command, '-c')}\n")


main()
