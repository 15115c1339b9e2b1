#!/usr/bin/env python3
"""Finds types that are defined more than once with one name in one namespace.

  scripts/definitions.py    status 1: there are some; prints where

Compilers see one file at a time, and the linker takes one of two inline functions of the same name without a word:
objects of one type are then copied and destroyed by the code of the other."""
import collections
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
PLACES = ["include", "src", "app"]
# comments, strings, characters and directives, in which braces are none
TEXT = re.compile(r'//[^\n]*|/\*.*?\*/|R"(\w*)\(.*?\)\1"|"(?:\\.|[^"\\\n])*"|(?<!\w)\'(?:\\.|[^\'\\\n])+\''
                  r"|^\s*#(?:[^\n\\]|\\.)*", re.S | re.M)
NAMESPACE = re.compile(r"namespace\s*([\w:]*)$")
TEMPLATE = re.compile(r"^(?:template\s*<(?:[^<>]|<(?:[^<>]|<[^<>]*>)*>)*>\s*)+")
TYPE = re.compile(r"(?:struct|class|union|enum(?:\s+(?:class|struct))?)\s+(?:alignas\([^)]*\)\s*)?"
                  r"(\w+(?:<.*>)?)\s*(?:final\s*)?(?::(?!:).*)?$", re.S)


def types(text):
    """(line, name with its namespaces) of the types at namespace scope outside anonymous namespaces"""
    text = TEXT.sub(lambda match: re.sub(r"[^\n]", " ", match[0]), text)
    scopes, start = [], 0  # the namespace of each open brace; None: the brace of something else
    for brace in re.finditer(r"[{};]", text):
        head = text[start:brace.start()].strip()
        start = brace.end()
        if brace[0] == "{":
            namespace = NAMESPACE.search(head)
            kind = TYPE.match(TEMPLATE.sub("", head))
            if kind and None not in scopes and "" not in scopes:
                yield text.count("\n", 0, brace.start()) + 1, "::".join([*scopes, kind[1]])
            scopes.append(namespace[1] if namespace else None)
        elif brace[0] == "}" and scopes:
            scopes.pop()


def main():
    places = collections.defaultdict(list)
    for folder in PLACES:
        for file in sorted((ROOT / folder).rglob("*.[chi]pp")):
            for line, name in types(file.read_text()):
                places[name].append(f"{file.relative_to(ROOT)}:{line}")
    twice = {name: at for name, at in places.items() if len(at) > 1}
    for name, at in twice.items():
        print(f"{name} is defined {len(at)} times: {', '.join(at)}", file=sys.stderr)
    print(f"{len(places)} types")
    sys.exit(1 if twice else 0)


if __name__ == "__main__":
    main()
