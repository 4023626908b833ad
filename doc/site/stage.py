#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""stage.py IASIM INCLUDE OUT: puts the sources of the site together in the folder OUT.

All pages of the tree, where they are in it; a page for each file that they link to; the reference: commands from their
--help, headers from their comments (INCLUDE is the folder of the installed headers), and a page that has Sphinx read
the package for Python. The first page is README.md, then doc/README.md, whose sections and links are the contents.
"""
import base64
import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

from pygments.lexers import get_lexer_by_name
from pygments.util import ClassNotFound

ROOT = Path(__file__).resolve().parent.parent.parent
FOLDERS = ("analysis", "deployments", "doc", "models", "platforms", "scenarios", "sim", "test")
PICTURES = {".png", ".svg", ".jpg"}
FIRST = (Path("README.md"), Path("doc/README.md"))
LANGUAGES = {".c": "c", ".h": "c", ".py": "python", ".xml": "xml", ".xsd": "xml", ".sh": "sh", ".json": "json",
             ".cff": "yaml"}
LINK = re.compile(r"(\[(?:[^]]*)\]\()([^)#\s]+)(#[^)\s]*)?(\))")


def outside_of(code, text, change):
    """The text with what is not code changed; `code` is a pattern with one group, which is all of it."""
    parts = re.split(code, text, flags=re.S | re.M)
    return "".join(part if i % 2 else change(part) for i, part in enumerate(parts))


def plain(text):
    """Text as Markdown that shows it as it is, but for `code`."""
    return outside_of(r"(`[^`]+`)", text, lambda part: re.sub(r"([\\*_\[\]<>#|~$])", r"\\\1", part))


def of_help(text):
    """Text of --help: its options are code, too."""
    return plain(outside_of(r"(`[^`]+`)", text,
                            lambda part: re.sub(r"(?<![\w-])--[a-z][a-z-]*[a-z]", r"`\g<0>`", part)))


def fence(language, text):
    return f"```{language}\n" + text.rstrip().lstrip("\n") + "\n```\n"


# --- pages of the tree ---


def pages_of_tree():
    """All Markdown files, by their names from the root."""
    found = list(ROOT.glob("*.md"))
    for folder in FOLDERS:
        found += (ROOT / folder).rglob("*.md")
    return sorted(path.relative_to(ROOT) for path in found)


def title_of(page):
    return page.read_text(encoding="utf-8").split("\n", 1)[0].removeprefix("# ")


BLOCK = r"(^```.*?^```$)"


def stage_pages(out):
    """Copies pages and pictures; links to other files of the tree lead to pages that show these files."""
    pages, files = pages_of_tree(), set()

    def link_of(page, match):
        target = match[2]
        if re.match(r"[a-z]+:", target):
            return match[0]
        path = Path(os.path.normpath(page.parent / target))
        source = ROOT / path
        if source.is_dir():
            path, target = path / "README.md", target.rstrip("/") + "/README.md"
        if not (ROOT / path).exists():
            sys.exit(f"{page}: the link leads nowhere: {match[2]}")
        if path in FIRST:
            target = os.path.relpath("index.md", page.parent)
        elif path.suffix in PICTURES:
            (out / path).parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(ROOT / path, out / path)
        elif path.suffix != ".md":
            files.add(path)
            target += ".md"
        is_path = re.fullmatch(r"\[[\w./-]+\.md\]\(", match[1]) and not match[3]
        before = f"[{title_of(source)}](" if is_path else match[1]
        return before + target + (match[3] or "") + match[4]

    for page in pages:
        text = outside_of(BLOCK, (ROOT / page).read_text(encoding="utf-8"),
                          lambda part, page=page: LINK.sub(lambda match: link_of(page, match), part))
        write(out / page, re.sub(r"^```(\w+)", lambda match: match[0] if is_known(match[1]) else "```text", text,
                                 flags=re.M))
    for path in files:
        if path.suffix == ".ipynb":
            write(out / f"{path}.md", notebook_page(json.loads((ROOT / path).read_text(encoding="utf-8")), out / path))
            continue
        write(out / f"{path}.md", f"---\norphan: true\n---\n# {plain(str(path))}\n\n" +
              "````" + LANGUAGES.get(path.suffix, "text") + "\n" + (ROOT / path).read_text(encoding="utf-8") + "````\n")
    return pages


def notebook_page(notebook, place):
    """A notebook as a page: its words, its code, and what that gave; pictures are stored beside `place`."""
    page = "---\norphan: true\n---\n"
    for number, cell in enumerate(notebook["cells"]):
        text = "".join(cell["source"])
        page += (text if cell["cell_type"] == "markdown" else fence("python", text)) + "\n\n"
        for output in cell.get("outputs", []):
            data = output.get("data", {})
            if "image/png" in data:
                picture = place.with_name(f"{place.name}.{number}.png")
                picture.write_bytes(base64.b64decode("".join(data["image/png"])))
                page += f"![What this draws]({picture.name})\n\n"
            else:
                page += fence("text", "".join(output.get("text", data.get("text/plain", "")))) + "\n"
    return page


def is_known(language):
    """Whether Sphinx has colours for it."""
    try:
        return get_lexer_by_name(language) is not None
    except ClassNotFound:
        return False


def write(path, text):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")


# --- the commands ---


def help_of(iasim, *words):
    env = {**os.environ, "TERM": "dumb", "ARGP_HELP_FMT": "no-dup-args"}
    return subprocess.run([iasim, *words, "--help"], stdout=subprocess.PIPE, check=True, encoding="utf-8",
                          env=env).stdout


def command_page(name, summary, text):
    """The help of a command: usage, paragraphs, options as definitions, examples."""
    paragraphs = re.split(r"\n\s*\n", text.rstrip())
    usage = re.match(r"(?:Usage:|  or:).*\n(?:(?:  or:|   {6}).*\n)*", paragraphs[0] + "\n")[0]
    paragraphs[0] = paragraphs[0][len(usage):]
    page = f"# iasim {name}\n\n{plain(summary[0].upper() + summary[1:])}.\n\n" + fence("text", usage)
    for paragraph in paragraphs:
        if not paragraph.strip() or paragraph.startswith("Mandatory or optional arguments"):
            continue
        if re.match(r" +-", paragraph):
            page += "\n## Options\n\n" + options_of(paragraph)
        elif paragraph.startswith("Examples:"):
            page += "\n## Examples\n\n" + fence("sh", re.sub(r"^  ", "", paragraph.split("\n", 1)[1], flags=re.M))
        elif re.search(r"^\s{2,}\S", paragraph, re.M):
            page += "\n" + fence("text", paragraph)
        else:
            page += "\n" + of_help(paragraph) + "\n"
    return page


def options_of(text):
    """argp's columns as a list of definitions."""
    found = []
    for line in text.splitlines():
        option = re.match(r" {2,6}(-.+?)(?:  +(\S.*)| (?=[a-z]+ )(.*))?$", line)
        if option and not line.startswith(" " * 20):
            found.append([option[1], [option[2] or option[3] or ""]])
        else:
            found[-1][1].append(line.strip())
    return "".join(f"`{name}`\n: {of_help(' '.join(words).strip())}\n\n" for name, words in found)


def stage_commands(iasim, out):
    """A page for each command, and one that lists them."""
    text = help_of(iasim)
    commands = re.findall(r"^  ([a-z_]+) {2,}(\S.*)$", text, re.M)
    for name, summary in commands:
        write(out / "reference/commands" / f"{name}.md", command_page(name, summary, help_of(iasim, name)))
    rows = "".join(f"| [{name}](commands/{name}.md) | {plain(summary)} |\n" for name, summary in commands)
    rest = text[text.index("\n  --plugin"):]
    write(out / "reference/commands.md",
          "# Commands\n\nWhat `iasim COMMAND --help` prints.\n\n| command | |\n|---|---|\n" + rows +
          "\n" + fence("text", rest.strip("\n")) + "\n" + toctree([f"commands/{name}" for name, _ in commands]))
    listed = subprocess.run([iasim, "list"], stdout=subprocess.PIPE, check=True, encoding="utf-8").stdout
    write(out / "reference/names.md",
          "# Names and their parameters\n\nWhat `iasim list` prints: schedulers, policies, models, formats, "
          "generators and the rest, with their parameters.\n\n" + fence("text", listed))


# --- the headers ---


def comment_as_page(text):
    """A comment: paragraphs, in which lines further to the right are code."""
    text = re.sub(r"^ {3}", "", text, flags=re.M).strip("\n")
    parts = re.split(r"((?:^ {4}.*\n?|^\n(?= {4}))+)", text, flags=re.M)
    return "\n".join(fence("c", re.sub(r"^ {4}", "", part, flags=re.M)) if i % 2 else plain(part)
                     for i, part in enumerate(parts)) + "\n"


def header_page(name, text):
    """A header as a page: its first comment, then its declarations, each with the comment before it."""
    text = re.sub(r"\A/\* SPDX.*?\*/\n", "", text)
    text = re.sub(r"^#(ifndef \w+_H|define \w+_H|include .*|ifdef __cplusplus\n.*\n#endif)\n|^#endif\n\Z", "", text,
                  flags=re.M)
    head = re.match(r"\s*/\*(.*?)\*/\n", text, re.S)
    page = f"# {plain('<iasim/' + name + '>')}\n\n" + (comment_as_page("  " + head[1]) if head else "")
    text = text[head.end():] if head else text
    for paragraph in re.split(r"\n\s*\n(?=\S)", text.strip()):
        title = re.fullmatch(r"/\* -+ (.*?) -+ \*/", paragraph.strip())
        if title:
            page += f"\n## {plain(title[1][0].upper() + title[1][1:])}\n"
            continue
        comments = re.split(r"^/\*(.*?)\*/\n", paragraph.strip() + "\n", flags=re.S | re.M)
        for i in range(0, len(comments), 2):
            if i > 0:
                page += "\n" + comment_as_page("  " + comments[i - 1])
            if comments[i].strip():
                page += "\n" + fence("c", re.sub(r"^IASIM_API ", "", comments[i].strip("\n"), flags=re.M))
    return page


def stage_headers(include, out):
    """A page for each installed header, those that programs include first."""
    first = ["iasim.h", "plugin.h", "simgrid.h"]
    names = [str(path.relative_to(include / "iasim")) for path in (include / "iasim").rglob("*.h")]
    names = first + sorted(set(names) - set(first))
    rows = ""
    for name in names:
        text = (include / "iasim" / name).read_text(encoding="utf-8")
        write(out / "reference/c" / f"{name[:-2]}.md", header_page(name, text))
        about = re.search(r"\*/\n/\*\s*(.*?[.:])(\s|\*/)", text, re.S)
        about = plain(" ".join(about[1].rstrip(":.").split())) if about else ""
        rows += f"| [{plain(name)}](c/{name[:-2]}.md) | {about} |\n"
    write(out / "reference/c.md",
          "# C: the installed headers\n\nPrograms include `<iasim/iasim.h>`, plugins `<iasim/plugin.h>`, programs on "
          "SimGrid `<iasim/simgrid.h>`. These include the others. The pages are made from the headers' comments.\n\n"
          "| header | |\n|---|---|\n" + rows + "\n" + toctree([f"c/{name[:-2]}" for name in names]))


def stage_python(out):
    write(out / "reference/python.md", "# Python: the package iasim\n\n```{eval-rst}\n.. automodule:: iasim\n   :members:\n```\n")


# --- the contents ---


def toctree(entries, caption=""):
    options = (f":caption: {caption}\n" if caption else "") + ":hidden:\n:maxdepth: 1\n"
    return "```{toctree}\n" + options + "\n" + "\n".join(entries) + "\n```\n"


def stage_contents(out, pages):
    """The first page, with the contents; pages that these do not have stand below the README of their folder or of one
    above."""
    def from_root(part):
        return LINK.sub(lambda m: m[0] if re.match(r"[a-z]+:", m[2]) else
                        m[1] + os.path.normpath(os.path.join("doc", m[2])) + (m[3] or "") + m[4], part)

    about, index = ((out / name).read_text(encoding="utf-8") for name in FIRST)
    for name in FIRST:
        (out / name).unlink()
    about = about[:about.index("\n## Where to go next")]
    index = outside_of(BLOCK, index[index.index("\n## "):], from_root)
    contents, listed = "", set()
    for section in re.split(r"^## ", index, flags=re.M)[1:]:
        entries = [m[2][:-3] for m in LINK.finditer(section) if m[2].endswith(".md")]
        entries = [entry for entry in dict.fromkeys(entries) if entry not in listed]
        listed |= set(entries)
        if entries:
            contents += toctree(entries, section.split("\n")[0])
        if section.startswith("Your own code"):
            contents += toctree(["reference/commands", "reference/names", "reference/python", "reference/c"],
                                "Reference")
    below = {}
    for page in pages:
        name = str(page.with_suffix(""))
        if name in listed or page in FIRST:
            continue
        folder = page.parent.parent if page.stem == "README" else page.parent
        while str(folder) != "." and not (out / folder / "README.md").exists():
            folder = folder.parent
        below.setdefault(folder, []).append("/" + name)
    for folder, names in below.items():
        if str(folder) == ".":
            contents += toctree(names, "More")
        else:
            with (out / folder / "README.md").open("a", encoding="utf-8") as file:
                file.write("\n" + toctree(names))
    write(out / "index.md", about + index + "\n" + contents)


def main(iasim, include, out):
    out = Path(out)
    pages = stage_pages(out)
    stage_commands(iasim, out)
    stage_headers(Path(include), out)
    stage_python(out)
    stage_contents(out, pages)


if __name__ == "__main__":
    main(*sys.argv[1:])
