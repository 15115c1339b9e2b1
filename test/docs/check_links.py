#!/usr/bin/python3
"""check_links.py SITE: every address in every page leads to a file of the site, and its #part to an id there.

Prints what is wrong and counts what was checked; also the search's index and ids that stand twice.
"""
import json
import re
import sys
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urldefrag

KNOWN = set("""a b body br code dd details div dl dt em h1 h2 h3 h4 h5 h6 head header hr html input li link main meta
nav ol p pre script section small span strong style sub summary sup table tbody td th thead title tr ul del
blockquote""".split())


class Page(HTMLParser):
    def __init__(self, path):
        super().__init__()
        self.links, self.ids, self.wrong = [], [], []
        self.feed(path.read_text())

    def handle_starttag(self, tag, attributes):
        if tag not in KNOWN:
            self.wrong.append(f"line {self.getpos()[0]}: <{tag}>: text that was taken for HTML?")
        for name, value in attributes:
            if name == "id":
                self.ids.append(value)
            if name in ("href", "src"):
                self.links.append((self.getpos()[0], value))


site = Path(sys.argv[1]).resolve()
pages = {path: Page(path) for path in site.rglob("*.html")}
wrong, checked = [], 0


def check(origin, folder, link):
    global checked
    if re.match(r"(https?|mailto):", link):
        return
    checked += 1
    address, part = urldefrag(link)
    target = (folder / unquote(address)).resolve() if address else origin
    if not target.is_file():
        wrong.append(f"{origin.relative_to(site)}: {link}: no such file")
    elif part and unquote(part) not in pages[target].ids:
        wrong.append(f"{origin.relative_to(site)}: {link}: no such part of the page")


for path, page in pages.items():
    wrong += [f"{path.relative_to(site)}: {text}" for text in page.wrong]
    wrong += [f"{path.relative_to(site)}: id '{each}' stands {page.ids.count(each)} times"
              for each in set(page.ids) if page.ids.count(each) > 1]
    for line, link in page.links:
        check(path, path.parent, link)

index = (site / "search_index.js").read_text()
entries = json.loads(index[index.index("(") + 1:index.rindex(")")])
for title, owner, address, text in entries:
    check(site / "search_index.js", site, address)

print("\n".join(wrong))
print(f"{len(pages)} pages, {checked} links, {len(entries)} entries of the search, {len(wrong)} wrong")
sys.exit(bool(wrong))
