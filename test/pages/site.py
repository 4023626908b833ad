#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""site.py IASIM INCLUDE: the documentation as a site, as `./iasim docs` makes it.

It renders without a warning. Every link leads to a page, and to a place in it, that exists; nothing is loaded from
elsewhere. It has a page for each command, with all of its options, the functions of all headers, and everything that
the package for Python exports. Where Chromium is installed, the search is tried in it, from files. Skipped (77)
without Sphinx and MyST, unless TESTS_REQUIRED=1.
"""
import html.parser
import os
import re
import shutil
import subprocess
import sys
import tempfile
import urllib.parse
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
PACKAGES = {"sphinx": "python3-sphinx", "myst_parser": "python3-myst-parser"}
faults = []


def skip_without_packages():
    """As the scripts of test/python."""
    for module, package in PACKAGES.items():
        if subprocess.run(["/usr/bin/python3", "-c", f"import {module}"], stderr=subprocess.DEVNULL,
                          check=False).returncode:
            print(f"skipped: the package {package} is not installed")
            sys.exit(1 if os.environ.get("TESTS_REQUIRED") == "1" else 77)


class Page(html.parser.HTMLParser):
    """What a page links to, what it loads, the places in it, and its words."""

    def __init__(self, path):
        super().__init__()
        self.links, self.loads, self.ids, self.words = [], [], set(), []
        self.feed(path.read_text(encoding="utf-8"))
        self.text = " ".join("".join(self.words).split())

    def handle_starttag(self, tag, attrs):
        attrs = dict(attrs)
        self.ids |= {attrs[name] for name in ("id", "name") if attrs.get(name)}
        if tag == "a" and "href" in attrs:
            self.links.append(attrs["href"])
        elif tag == "link" and attrs.get("rel") == "stylesheet":
            self.loads.append(attrs["href"])
        elif "src" in attrs:
            self.loads.append(attrs["src"])

    def handle_data(self, data):
        self.words.append(data)


def check_links(site):
    """Every link and everything loaded; returns the pages."""
    pages = {path: Page(path) for path in site.rglob("*.html")}
    n_links = 0
    for path, page in pages.items():
        for link in page.links + page.loads:
            url = urllib.parse.urlsplit(link)
            if url.scheme or url.netloc:
                if link in page.loads:
                    faults.append(f"{path}: loads {link}")
                continue
            n_links += 1
            target = (path.parent / urllib.parse.unquote(url.path)).resolve() if url.path else path
            if not target.is_file():
                faults.append(f"{path}: nothing at {link}")
            elif url.fragment and target in pages and urllib.parse.unquote(url.fragment) not in pages[target].ids:
                faults.append(f"{path}: no such place: {link}")
    for style in site.rglob("*.css"):
        faults.extend(f"{style}: loads {url}"
                      for url in re.findall(r"""(?:url\(|@import)\s*["']?(https?:[^"')]*)""", style.read_text()))
    return pages, n_links


def check_reference(site, pages, iasim, include):
    """What the program, the headers and the package have is in the reference."""
    def text_of(name):
        page = pages.get(site / "reference" / name)
        return page.text if page else ""

    def run(*words):
        return subprocess.run(words, stdout=subprocess.PIPE, encoding="utf-8", check=True).stdout

    n_names = 0
    for command in re.findall(r"^  ([a-z_]+) {2,}", run(iasim, "--help"), re.M):
        shown = text_of(f"commands/{command}.html")
        for option in set(re.findall(r"(?:^ {2,6}(?:-., )?|, )(--[a-z][a-z-]*)", run(iasim, command, "--help"),
                                     re.M)) | {f"iasim {command}"}:
            n_names += 1
            if option not in shown:
                faults.append(f"the page of {command} does not have {option}")
    for header in include.rglob("*.h"):
        shown = text_of(f"c/{header.relative_to(include / 'iasim').with_suffix('.html')}")
        for name in re.findall(r"^IASIM_API [^(]*?(\w+)\(", header.read_text(), re.M):
            n_names += 1
            if f"{name}(" not in shown:
                faults.append(f"the page of {header.name} does not have {name}")
    exported = run("/usr/bin/python3", "-B", "-c",
                   f"import sys; sys.path.insert(0, {str(ROOT / 'analysis')!r}); import iasim; print(*iasim.__all__)")
    python = pages.get(site / "reference/python.html")
    for name in exported.split():
        n_names += 1
        if f"iasim.{name}" not in python.ids:
            faults.append(f"the page of the package for Python does not have {name}")
    return n_names


def check_search(site, folder):
    """Sphinx's search, in a page opened from a file."""
    chromium = shutil.which("chromium")
    if not chromium:
        return "the search was not tried: there is no Chromium"
    address = (site / "search.html").as_uri() + "?q=involvement"
    seen = subprocess.run([chromium, "--headless=new", "--no-sandbox", "--disable-gpu",
                           f"--user-data-dir={folder}/profile",
                           "--virtual-time-budget=10000", "--dump-dom", address], stdout=subprocess.PIPE,
                           stderr=subprocess.DEVNULL,
                          encoding="utf-8", timeout=60, check=False).stdout
    found = re.findall(r'<li[^>]*><a href="([^"?]*)[^"]*"', seen.split('id="search-results"', 1)[-1])
    if len(found) < 5 or not any(link.endswith("model.html") for link in found):
        faults.append(f"the search for involvement finds {found}")
    return f"{len(found)} pages found by the search"


def main(iasim, include):
    skip_without_packages()
    with tempfile.TemporaryDirectory() as folder:
        site = Path(folder).resolve() / "site"
        made = subprocess.run([ROOT / "doc/site/build", iasim, include, site], stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT,
                              encoding="utf-8", check=False)
        if made.returncode != 0 or made.stdout:
            print(f"status {made.returncode}\n{made.stdout}")
            return 1
        pages, n_links = check_links(site)
        n_names = check_reference(site, pages, iasim, Path(include))
        search = check_search(site, folder)
        print("\n".join(faults))
        print(f"{len(pages)} pages, {n_links} links, {n_names} names in the reference, {search}; {len(faults)} faults")
        return len(faults) > 0 or n_links < 1000 or n_names < 300


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
