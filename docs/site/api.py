"""The API reference: what Doxygen reads in the headers, as one page for every header."""
import html
import re
import xml.etree.ElementTree as xml
from dataclasses import dataclass, field
from pathlib import Path


@dataclass
class Entity:
    """Something that a header declares, or a member of it."""
    kind: str                       # struct, class, enum, function, typedef, variable
    name: str                       # as the user writes it inside namespace limber
    header: str                     # limber/dynamics/jacobian.hpp
    line: int
    node: xml.Element
    anchor: str = ""
    members: list = field(default_factory=list)

    def documented(self):
        return any("".join(part.itertext()).strip() for part in descriptions(self.node))


def descriptions(node):
    return [part for part in (node.find("briefdescription"), node.find("detaileddescription")) if part is not None]


def text_of(node):
    return re.sub(r"\s+", " ", "".join(node.itertext())).strip() if node is not None else ""


def code(text):
    """Doxygen writes `span< const T > &x`; we write `span<const T>& x`."""
    text = re.sub(r"<\s+", "<", text)
    text = re.sub(r"\s+>", ">", text)
    return re.sub(r" ([&*]+)(\w|$)", lambda found: found[1] + (" " + found[2] if found[2] else ""), text)


class Api:
    def __init__(self, folder: Path, include: Path):
        self.include = include
        self.headers = {}            # header → entities in the order of its lines
        self.places = {}             # Doxygen's id → (header, anchor)
        self.names = {}              # name → {(header, anchor)}, for links from other pages
        for path in sorted(include.rglob("*.hpp")):
            self.headers[str(path.relative_to(include.parent))] = []
        roots = [xml.parse(path).getroot().find("compounddef") for path in sorted(folder.glob("*.xml"))
                 if path.name.startswith(("namespace", "struct", "class"))]
        types = {}
        for root in roots:
            if root.get("kind") in ("struct", "class") and root.get("prot") == "public":
                place = root.find("location")
                name = root.findtext("compoundname").removeprefix("limber::")
                types[name] = Entity(root.get("kind"), name, place.get("file"), int(place.get("line")), root)
        for root in roots:
            owner = root.findtext("compoundname").removeprefix("limber::")
            if root.get("kind") != "namespace" and owner not in types:
                continue
            for section in root.findall("sectiondef"):
                for node in section.findall("memberdef"):
                    if node.get("prot") == "public" and section.get("kind") != "friend":
                        self.take_member(node, types.get(owner))
        for name, entity in types.items():
            if "<" in name or entity.header not in self.headers:
                continue
            owner = types.get(name.rpartition("::")[0])
            (owner.members if owner else self.headers[entity.header]).append(entity)
        for header, entities in self.headers.items():
            self.place(header, entities, set())

    def take_member(self, node, owner):
        place = node.find("location")
        kind = node.get("kind")
        name = node.findtext("name")
        if kind == "friend" or place is None or place.get("file") not in self.headers or name.startswith("@"):
            return
        entity = Entity(kind, name, place.get("file"), int(place.get("line")), node)
        if owner is not None:
            owner.members.append(entity)
        elif node.findtext("qualifiedname", "").startswith("limber::"):
            self.headers[entity.header].append(entity)

    def place(self, header, entities, taken, prefix=""):
        """Sorts entities by their lines and gives each its anchor on the page of its header."""
        entities.sort(key=lambda entity: entity.line)
        for entity in entities:
            own = entity.name.rpartition("::")[2]
            stem = prefix + re.sub(r"[^\w~.]+", lambda found: "-" + "-".join(str(ord(c)) for c in found[0]), own)
            entity.anchor = stem
            count = 1
            while entity.anchor in taken:
                count += 1
                entity.anchor = f"{stem}-{count}"
            taken.add(entity.anchor)
            self.places[entity.node.get("id")] = (header, entity.anchor)
            if not prefix:
                self.names.setdefault(own, set()).add((header, stem))
            self.place(header, entity.members, taken, entity.anchor + ".")

    # --- HTML

    def url(self, header):
        return "api/" + header.removeprefix("limber/").replace(".hpp", ".html")

    def link(self, root, identity):
        """Address of what Doxygen knows by this id, from a page whose way to the site's root is `root`."""
        if identity in self.places:
            header, anchor = self.places[identity]
            return f"{root}{self.url(header)}#{anchor}"
        return None

    def linked(self, node, root):
        """A type or a default value, with links to what it names."""
        parts = [html.escape(node.text or "")]
        for child in node:
            target = self.link(root, child.get("refid", ""))
            text = html.escape("".join(child.itertext()))
            parts.append(f'<a href="{target}">{text}</a>' if target else text)
            parts.append(html.escape(child.tail or ""))
        joined = re.sub(r"\s+", " ", "".join(parts))
        joined = joined.replace("&lt; ", "&lt;").replace(" &gt;", "&gt;")
        return re.sub(r" (&amp;|\*)", r"\1", joined).strip()

    def prose(self, node, root):
        """A description: Doxygen's paragraphs, lists and code."""
        tags = {"para": "p", "computeroutput": "code", "emphasis": "em", "bold": "strong", "itemizedlist": "ul",
                "orderedlist": "ol", "listitem": "li", "verbatim": "pre", "preformatted": "pre",
                "superscript": "sup", "subscript": "sub"}
        inner = html.escape(node.text or "")
        for child in node:
            inner += self.prose(child, root) + html.escape(child.tail or "")
        if node.tag == "ref":
            target = self.link(root, node.get("refid"))
            return f'<a href="{target}">{inner}</a>' if target else inner
        if node.tag in tags:
            return f"<{tags[node.tag]}>{inner.strip() if node.tag == 'para' else inner}</{tags[node.tag]}>"
        return inner

    def description(self, entity, root):
        text = "".join(self.prose(part, root) for part in descriptions(entity.node))
        return re.sub(r"<p>\s*</p>", "", text).strip()

    def template(self, node):
        parameters = node.find("templateparamlist")
        if parameters is None or not len(parameters):
            return ""
        words = []
        for each in parameters:
            default = text_of(each.find("defval"))
            word = " ".join(filter(None, [text_of(each.find("type")), text_of(each.find("declname"))]))
            words.append(word + (f" = {default}" if default else ""))
        return f'<span class="faint">template &lt;{html.escape(code(", ".join(words)))}&gt;</span>\n'

    def signature(self, entity, root):
        node = entity.node
        if entity.kind in ("struct", "class"):
            bases = ", ".join(text_of(base) for base in node.findall("basecompoundref"))
            after = f" : {html.escape(bases)}" if bases else ""
            return f"{self.template(node)}{entity.kind} <b>{html.escape(entity.name)}</b>{after}"
        if entity.kind == "enum":
            strong = "enum class" if node.get("strong") == "yes" else "enum"
            return f"{strong} <b>{html.escape(entity.name)}</b>"
        kind = self.linked(node.find("type"), root) if node.find("type") is not None else ""
        name = f"<b>{html.escape(entity.name)}</b>"
        if entity.kind == "typedef":
            return f"{self.template(node)}using {name} = {kind}"
        if entity.kind == "variable":
            start = html.escape(re.sub(r"\s+", " ", node.findtext("initializer", ""))[:80])
            return f"{self.template(node)}{kind} {name} {start}".rstrip()
        parameters = []
        for each in node.findall("param"):
            word = self.linked(each.find("type"), root)
            if each.find("declname") is not None:
                word += " " + html.escape(each.findtext("declname"))
            word += html.escape(each.findtext("array", ""))
            if each.find("defval") is not None:
                word += " = " + self.linked(each.find("defval"), root)
            parameters.append(word)
        tail = " const" if node.get("const") == "yes" else ""
        if node.get("virt") == "pure-virtual":
            tail += " = 0"
        before = "virtual " if node.get("virt") != "non-virtual" else ""
        before += "static " if node.get("static") == "yes" else ""
        plain = len(re.sub("<[^>]*>", "", kind + name + ", ".join(parameters)))
        inside = ", ".join(parameters) if plain < 88 else "\n    " + ",\n    ".join(parameters)
        return f"{self.template(node)}{before}{kind} {name}({inside}){tail}"

    def write(self, entity, root, level=2):
        """One entity with its members."""
        out = [f'<section class="entity" id="{html.escape(entity.anchor)}">']
        own = html.escape(entity.name.rpartition("::")[2])
        out.append(f'<h{level}><a class="anchor" href="#{html.escape(entity.anchor)}">{own}</a>'
                   f' <small>{entity.kind}</small></h{level}>')
        out.append(f'<pre class="signature">{self.signature(entity, root)}</pre>')
        out.append(self.description(entity, root))
        if entity.kind == "enum":
            out.append('<div class="wide"><table>')
            for value in entity.node.findall("enumvalue"):
                text = "".join(self.prose(part, root) for part in descriptions(value))
                out.append(f"<tr><td><code>{value.findtext('name')}</code></td><td>{text}</td></tr>")
            out.append("</table></div>")
        out.append(self.fields([each for each in entity.members if each.kind in ("variable", "typedef")], root))
        for each in entity.members:
            if each.kind not in ("variable", "typedef"):
                out.append(self.write(each, root, min(level + 1, 4)))
        out.append("</section>")
        return "\n".join(filter(None, out))

    def fields(self, members, root):
        """Data members as a table; those of one line, whose comment Doxygen gives to the last, in one row."""
        rows = {}
        for each in members:
            rows.setdefault(each.line, []).append(each)
        if not rows:
            return ""
        out = ['<div class="wide"><table class="fields">']
        for group in rows.values():
            names = ", ".join(f'<span id="{html.escape(each.anchor)}">{html.escape(each.name)}</span>' for each in group)
            kind = self.linked(group[0].node.find("type"), root)
            start = html.escape(re.sub(r"\s+", " ", group[-1].node.findtext("initializer", ""))[:60])
            if group[0].kind == "typedef":
                names, start = f"using {names}", ""
            text = "".join(filter(None, (self.description(each, root) for each in group)))
            out.append(f"<tr><td><code>{kind}</code></td><td><code>{names} {start}</code></td><td>{text}</td></tr>")
        return "\n".join(out + ["</table></div>"])

    def intro(self, header):
        """The comment that a header begins with, after `#pragma once` or a guard, as Markdown: indented lines,
        unless they go on with an item of a list, are equations or tables and keep their shape."""
        lines = (self.include.parent / header).read_text().splitlines()
        begin = next(k for k, line in enumerate(lines) if line.startswith("#"))
        while lines[begin].startswith("#"):
            begin += 1
        taken, item, shaped = [], False, False
        for line in lines[begin:]:
            if not line.startswith("//"):
                break
            line = line[2:].removeprefix(" ")
            if line[:1].strip():
                item = bool(re.match(r"([-*]|\d+\.) ", line))
            if line.startswith("  ") and not item:
                if not shaped:
                    taken += ["", "```text"]
                shaped = True
            elif shaped and line:
                taken += ["```", ""]
                shaped = False
            taken.append(line)
        return "\n".join(taken + (["```"] if shaped else []))

    def undocumented(self):
        """Types and functions without a word. One comment is enough for all overloads and for the lines that follow
        it without an empty one, a type that its header's first comment begins with is explained there, and
        operators say what they do by themselves."""
        said = {entity.name for entities in self.headers.values() for entity in entities if entity.documented()}
        for header, entities in self.headers.items():
            subjects = set(re.findall(r"\w+", self.intro(header).partition(":")[0]))
            for entity in entities:
                name = entity.name
                if not (name in said or name.removeprefix("Basic") in subjects or name.startswith("operator") or
                        self.follows_comment(entity)):
                    yield f"include/{header}:{entity.line}: {entity.kind} {name}"

    def follows_comment(self, entity):
        lines = (self.include.parent / entity.header).read_text().splitlines()[:entity.line - 1]
        while lines and lines[-1].strip():
            if lines.pop().lstrip().startswith("//"):
                return True
        return False
