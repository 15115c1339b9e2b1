#!/usr/bin/python3
"""build.py OUTPUT: all pages of docs/, the API reference and the examples as one site that can be searched.

Run it by scripts/site.sh. Every link inside the repository becomes one inside the site; a link to a file or a
heading that is not there is an error.
"""
import html
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

import markdown
from pygments import highlight
from pygments.formatters import HtmlFormatter
from pygments.lexers import TextLexer, get_lexer_for_filename
from pygments.util import ClassNotFound

from api import Api, text_of

HERE = Path(__file__).resolve().parent
TOP = HERE.parent.parent

# the menu: (heading, [(page in the repository, title)]); other pages of docs/ follow at the end
MENU = [
    ("Start", [("README.md", "Limber"), ("docs/your-robot.md", "Your own robot in ten minutes"),
               ("docs/README.md", "All pages"), ("examples", "Examples in C++")]),
    ("Simulate and design", [("docs/scenario.md", "Scenario files"), ("docs/drives.md", "Drives"),
                             ("docs/control.md", "Control"), ("docs/loops.md", "Closed mechanisms"), ("docs/contact.md", "Contact"), ("docs/environment.md", "Contact tasks"),
                             ("docs/collision.md", "Shapes and contacts"), ("docs/contact-solvers.md", "Laws and solvers of contact"),
                             ("docs/legs.md", "Legged vehicles"), ("docs/water.md", "Under water"), ("docs/vehicles.md", "Vehicles under water"), ("docs/forces.md", "Inputs and forces"),
                             ("docs/live.md", "Live simulations"),
                             ("docs/integrators.md", "Integrators"),
                             ("docs/analysis.md", "Design analysis")]),
    ("Reference", [("docs/command-line.md", "Command line"), ("docs/robot-files.md", "Robot files"),
                   ("docs/conventions.md", "Conventions"), ("docs/equations.md", "Equations to code"),
                   ("docs/reference.md", "The textbooks' formulations")]),
    ("Speed", [("docs/batch.md", "Many states at once"), ("docs/compiler.md", "Model compiler"),
               ("docs/gpu.md", "GPU"), ("docs/benchmarks.md", "Benchmarks")]),
    ("Project", [("docs/security.md", "Security"), ("CONTRIBUTING.md", "Contributing"),
                 ("CHANGELOG.md", "Changelog"), ("viewer/README.md", "The report page's sources")]),
]
named = {source for _, pages in MENU for source, _ in pages}
others = [str(page.relative_to(TOP)) for page in sorted((TOP / "docs").glob("*.md"))]
others = [(page, (TOP / page).read_text().splitlines()[0].lstrip("# ").replace("`", "")) for page in others if page not in named]
if others:
    MENU.append(("More", others))
TITLES = {source: title for _, pages in MENU for source, title in pages}
ROOMS = ["", "model", "io", "collision", "dynamics", "constraint", "contact", "fluid", "sim", "drive", "control", "scenario", "report", "analysis", "batch", "compile", "scalar", "math",
         "spatial", "mesh", "reference"]

errors = []


def page_address(source):
    """Where a page or file of the repository is on the site."""
    if source == "README.md":
        return "index.html"
    if source == "docs/README.md":
        return "pages.html"
    if source in TITLES:
        return re.sub(r"^docs/", "", source).replace("/README.md", ".md").lower().removesuffix(".md") + ".html"
    if source.startswith("include/") and source.endswith(".hpp"):
        return api.url(source.removeprefix("include/"))
    return f"files/{source}.html"


def github_slug(text, separator="-"):
    return re.sub(r"[^\w\- ]", "", text.lower().strip()).replace(" ", separator)


def prepared(text):
    """Markdown as GitHub reads it → as Python-Markdown does: names of files after a fence's language are dropped,
    lists and tables need no empty line before them."""
    out, fence, previous = [], False, ""
    for line in text.splitlines():
        if line.lstrip().startswith("```"):
            fence = not fence
            line = re.sub(r"^(\s*```\w+) .*", r"\1", line)
        elif not fence:
            starts = re.match(r"\s*([-*]|\d+\.) |\|", line)
            same = re.match(r"\s*([-*]|\d+\.) |\||\s+\S", previous)
            if starts and previous and not same:
                out.append("")
        out.append(line)
        previous = line
    return "\n".join(out)


def to_html(text):
    reader = markdown.Markdown(tab_length=2, extensions=["tables", "fenced_code", "codehilite", "toc", "sane_lists"],
                               extension_configs={"toc": {"slugify": github_slug},
                                                  "codehilite": {"guess_lang": False}})
    body = reader.convert(prepared(text))
    return body.replace("<table>", '<div class="wide"><table>').replace("</table>", "</table></div>"), reader.toc_tokens


def way_up(address):
    return "../" * address.count("/")


files_to_show = set()


def with_moved_links(body, source, address):
    """Links to files of the repository become links of the site."""
    folder = os.path.dirname(source)

    def moved(found):
        target = html.unescape(found[1])
        if re.match(r"[a-z]+:|#", target):
            return found[0]
        path, _, fragment = target.partition("#")
        goal = os.path.normpath(os.path.join(folder, path))
        if not (TOP / goal).exists():
            errors.append(f"{source}: link to '{target}': there is no {goal}")
            return found[0]
        if goal not in TITLES and not (goal.startswith("include/") and goal.endswith(".hpp")):
            files_to_show.add(goal)
        return f'href="{way_up(address)}{page_address(goal)}{"#" + fragment if fragment else ""}"'

    return re.sub(r'href="([^"]*)"', moved, body)


def with_pictures(body, source, address):
    """Pictures beside a page come along."""
    def moved(found):
        goal = os.path.normpath(os.path.join(os.path.dirname(source), html.unescape(found[1])))
        if not (TOP / goal).exists():
            errors.append(f"{source}: picture '{found[1]}': there is no {goal}")
            return found[0]
        (output / goal).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(TOP / goal, output / goal)
        return f'src="{way_up(address)}{goal}"'

    return re.sub(r'src="([^":]*)"', moved, body)


def with_api_links(body, address):
    """`names` of the API and paths of headers become links."""
    def api_links(part):
        """Of one table row or one stretch of text: headers first, since they say which `names` are meant."""
        headers = {f"limber/{name}" for name in re.findall(r"<code>include/limber/([\w/]+\.hpp)</code>", part)}

        def one(found):
            text = html.unescape(found[1])
            if text.startswith("include/limber/") and text.removeprefix("include/") in api.headers:
                short = text.removeprefix("include/limber/") if part.startswith("<tr>") else text
                return f'<a href="{way_up(address)}{page_address(text)}"><code>{short}</code></a>'
            places = api.names.get(text.removesuffix("()").removeprefix("limber::"), set())
            if headers:
                places = {place for place in places if place[0] in headers}
            if len(places) != 1 or re.fullmatch(r"[a-z]+", text) and not headers:
                return found[0]
            header, anchor = next(iter(places))
            return f'<a href="{way_up(address)}{api.url(header)}#{anchor}">{found[0]}</a>'

        return re.sub(r"<code>([^<]+)</code>(?!</a>)", one, part)

    parts = re.split(r"(<tr>.*?</tr>|<pre>.*?</pre>|<a .*?</a>|<h\d.*?</h\d>)", body, flags=re.S)
    return "".join(part if part.startswith(("<pre", "<a ", "<h")) else api_links(part) for part in parts)


index = []  # of the search: [title, what it belongs to, address, text]


def plain(fragment):
    fragment = re.sub(r"<(style|script).*?</\1>", "", fragment, flags=re.S)
    return re.sub(r"\s+", " ", html.unescape(re.sub(r"<[^>]*>", " ", fragment))).strip()


def index_sections(body, title, address):
    """A page by its headings."""
    pieces = re.split(r'<h[123] id="([^"]*)">(.*?)</h[123]>', body, flags=re.S)
    if plain(pieces[0]):
        index.append([title, "", address, plain(pieces[0])])
    for anchor, heading, text in zip(pieces[1::3], pieces[2::3], pieces[3::3]):
        index.append([plain(heading), title, f"{address}#{anchor}", plain(text)])


def menu(address):
    up = way_up(address)
    out = []
    for heading, pages in MENU:
        out.append(f"<h2>{heading}</h2><ul>")
        for source, title in pages:
            here = ' aria-current="page"' if page_address(source) == address else ""
            out.append(f'<li><a href="{up}{page_address(source)}"{here}>{title}</a></li>')
        out.append("</ul>")
    out.append(f'<h2><a href="{up}api/index.html">API reference</a></h2><ul>')
    for room in ROOMS:
        headers = [name for name in api.headers if os.path.dirname(name) == f"limber/{room}".rstrip("/")]
        inside = address in [api.url(name) for name in headers]
        out.append(f'<li><details{" open" if inside else ""}><summary>{room + "/" if room else "limber/"}</summary><ul>')
        for name in headers:
            here = ' aria-current="page"' if api.url(name) == address else ""
            out.append(f'<li><a href="{up}{api.url(name)}"{here}>{os.path.basename(name)}</a></li>')
        out.append("</ul></details></li>")
    return "\n".join(out + ["</ul>"])


def contents(tokens):
    """What is on the page, two levels."""
    items = []
    for token in tokens:
        items.append(f'<li><a href="#{html.escape(token["id"])}">{token["name"]}</a>{contents(token["children"])}</li>')
    return f"<ul>{''.join(items)}</ul>" if items else ""


def write_page(address, title, body, toc=""):
    template = (HERE / "page.html").read_text()
    values = {"title": html.escape(title), "body": body, "root": way_up(address), "menu": menu(address),
              "contents": f'<nav class="contents" aria-label="On this page"><h2>On this page</h2>{toc}</nav>' if toc else ""}
    path = output / address
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(re.sub(r"\{\{(\w+)\}\}", lambda found: values[found[1]], template))


def write_document(source):
    address = page_address(source)
    body, tokens = to_html((TOP / source).read_text())
    index_sections(body, TITLES[source], address)
    body = with_api_links(with_pictures(with_moved_links(body, source, address), source, address), address)
    inner = tokens[0]["children"] if len(tokens) == 1 else tokens
    write_page(address, TITLES[source], body, contents(inner) if len(inner) > 1 else "")


def highlighted(path):
    try:
        lexer = get_lexer_for_filename(path.name)
    except ClassNotFound:
        lexer = TextLexer()
    return highlight(path.read_text(), lexer, HtmlFormatter(cssclass="codehilite"))


def write_examples():
    body = ["<h1>Examples in C++</h1><p>Numbered programs, each with what it prints.</p>"]
    tokens = []
    for path in sorted((TOP / "examples").glob("*.cpp")):
        words = re.match(r"// (.*?)\n(?!//)", path.read_text().replace("\n// ", " "), flags=re.S)
        title = path.stem
        printed = path.with_suffix(".expected")
        body.append(f'<h2 id="{title}">{title}</h2><p>{html.escape(words[1]) if words else ""}</p>{highlighted(path)}')
        if printed.exists():
            body.append(f"<p>It prints</p><pre><code>{html.escape(printed.read_text())}</code></pre>")
        tokens.append({"id": title, "name": title, "children": []})
    index_sections("\n".join(body), TITLES["examples"], "examples.html")
    write_page("examples.html", TITLES["examples"], "\n".join(body), contents(tokens))


def write_files():
    for source in sorted(files_to_show):
        path = TOP / source
        if path.is_dir():
            errors.append(f"link to the folder {source}: link to a file, or add it to the menu of docs/site/build.py")
            continue
        write_page(page_address(source), source, f"<h1><code>{source}</code></h1>{highlighted(path)}")


def write_api():
    rows = []
    for room in ROOMS:
        headers = [name for name in api.headers if os.path.dirname(name) == f"limber/{room}".rstrip("/")]
        rows.append(f'<h2 id="{room or "limber"}">{room or "limber"}/</h2><div class="wide"><table class="headers">')
        for header in headers:
            write_header(header)
            first = re.split(r"(?<=[.:]) |\n\n", api.intro(header).replace("\n", " ") + " ")
            text = first[0] if not first[0].endswith(":") else " ".join(first[:2])
            names = ", ".join(f'<a href="{os.path.relpath(api.url(header), "api")}#{entity.anchor}">'
                              f"<code>{html.escape(entity.name)}</code></a>"
                              for entity in first_of_each(api.headers[header]))
            rows.append(f'<tr><td><a href="{os.path.relpath(api.url(header), "api")}">{os.path.basename(header)}</a></td>'
                        f"<td>{html.escape(text)}<br>{names}</td></tr>")
        rows.append("</table></div>")
    body = ("<h1>API reference</h1><p>One page for every header, room by room. Begin with "
            '<a href="limber.html"><code>limber/limber.hpp</code></a>, which includes every header that an ordinary '
            'program needs. Units, frames and signs are those of the <a href="../conventions.html">conventions</a>.</p>')
    tokens = [{"id": room or "limber", "name": (room or "limber") + "/", "children": []} for room in ROOMS]
    write_page("api/index.html", "API reference", body + "\n".join(rows), contents(tokens))


def first_of_each(entities):
    """Overloads once, operators not at all."""
    seen = {}
    for entity in entities:
        if not entity.name.startswith("operator"):
            seen.setdefault(entity.name, entity)
    return seen.values()


def write_header(header):
    address = api.url(header)
    up = way_up(address)
    entities = api.headers[header]
    source = f"include/{header}"
    # plain text: <T> is no HTML; `code` stays as it is
    words = re.split(r"(```.*?```|`[^`]*`)", api.intro(header), flags=re.S)
    intro, _ = to_html("".join(word if word.startswith("`") else html.escape(word, quote=False) for word in words))
    listing = f"files/{source}.html"
    write_page(listing, source, f"<h1><code>{source}</code></h1>{highlighted(TOP / source)}")
    body = [f"<h1><code>{header}</code></h1>", intro,
            f'<pre class="signature">#include &lt;<a href="{up}{listing}">{header}</a>&gt;</pre>']
    body += [api.write(entity, up) for entity in entities]
    text = re.sub(r"\bdocs/[\w-]+\.md\b", lambda found: f'<a href="{up}{page_address(found[0])}">{found[0]}</a>'
                  if found[0] in TITLES else found[0], "\n".join(body))
    write_page(address, os.path.basename(header), with_api_links(text, address),
               contents([{"id": entity.anchor, "name": html.escape(entity.name), "children": []}
                         for entity in first_of_each(entities)]) if len(entities) > 1 else "")
    index.append([header, "API", address, plain(intro)])
    for entity in entities:
        text = plain(api.description(entity, up))
        index.append([entity.name, header, f"{address}#{entity.anchor}", text])
        for member in entity.members:
            index.append([f"{entity.name}::{member.name.rpartition('::')[2]}", header, f"{address}#{member.anchor}",
                          " ".join(text_of(part) for part in member.node.findall("briefdescription") +
                                   member.node.findall("detaileddescription"))])


def read_headers():
    with tempfile.TemporaryDirectory() as folder:
        settings = (HERE / "Doxyfile").read_text()
        settings += (f"INPUT = {TOP}/include/limber\nOUTPUT_DIRECTORY = {folder}\n"
                     f"STRIP_FROM_PATH = {TOP}/include\nSTRIP_FROM_INC_PATH = {TOP}/include\n")
        done = subprocess.run(["doxygen", "-"], input=settings, text=True, capture_output=True)
        errors.extend(line.replace(f"{TOP}/", "") for line in done.stderr.splitlines() if "warning:" in line)
        if done.returncode != 0:
            sys.exit(f"build.py: doxygen failed:\n{done.stderr}")
        return Api(Path(folder) / "xml", TOP / "include" / "limber")


output = Path(sys.argv[1]).resolve()
shutil.rmtree(output, ignore_errors=True)
output.mkdir(parents=True)
api = read_headers()
for document in TITLES:
    if document.endswith(".md"):
        write_document(document)
write_examples()
write_api()
write_files()
index.sort(key=lambda entry: entry[1] == "limber/eigen.hpp")  # overloads after what they overload
for name in ("style.css", "search.js"):
    shutil.copy(HERE / name, output / name)
colours = [HtmlFormatter(style="default").get_style_defs(".codehilite"), "@media (prefers-color-scheme: dark) {",
           HtmlFormatter(style="native").get_style_defs(".codehilite"), "}"]
(output / "code.css").write_text("\n".join(colours))
(output / "search_index.js").write_text(f"limberSearch({json.dumps(index, ensure_ascii=False, separators=(',', ':'))});\n")
errors += [f"{place} has no description" for place in api.undocumented()]
if errors:
    print("\n".join(errors), file=sys.stderr)
    sys.exit(f"build.py: {len(errors)} errors")
print(f"{sum(1 for _ in output.rglob('*.html'))} pages, {len(index)} entries of the search: {output}/index.html")
