# SPDX-License-Identifier: LGPL-2.1-or-later
"""Sphinx renders what stage.py has put together. Nothing is fetched from a network, neither here nor by readers."""
import re
import sys
from pathlib import Path

from pygments.formatters import HtmlFormatter

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent.parent
sys.path.insert(0, str(ROOT / "analysis"))  # for autodoc

project = "iasim"
version = release = re.search(r"project\(iasim VERSION ([0-9.]+)", (ROOT / "CMakeLists.txt").read_text())[1]
extensions = ["myst_parser", "sphinx.ext.autodoc"]
myst_heading_anchors = 4
myst_enable_extensions = ["deflist"]
smartquotes = False
html_domain_indices = False
highlight_language = "text"
suppress_warnings = ["misc.highlighting_failure"]  # C and JSON with `...` for what is left out

autodoc_member_order = "bysource"
default_role = "code"

html_theme = "basic"
html_title = "iasim"
templates_path = [str(HERE / "templates")]
html_static_path = [str(HERE / "static")]
html_css_files = ["site.css", "dark.css"]
html_copy_source = False  # and no excerpts of it in search results, which pages opened from files could not read
html_show_search_summary = False
html_show_sphinx = False
html_use_index = True
pygments_style = "default"


def mark_code(_app, _what, _name, _object, _options, lines):
    """Docstrings are plain text, in which code stands four columns to the right; a name may end in an underscore."""
    text, was_blank, in_code = [], False, False
    for line in lines:
        is_code = line.startswith("    ") and (was_blank or in_code)
        if is_code and not in_code:
            text += ["::", ""]
        in_code = is_code
        text.append(line if in_code else re.sub(r"(?<=\w)_(?=\W|$)", r"\\_", line))
        was_blank = not line.strip()
    lines[:] = text


def write_dark_style(app, _error):
    """The colours of code in the dark."""
    rules = HtmlFormatter(style="monokai").get_style_defs(".highlight")
    (Path(app.outdir) / "_static" / "dark.css").write_text("@media (prefers-color-scheme: dark) {\n" + rules + "\n}\n")


def setup(app):
    app.connect("autodoc-process-docstring", mark_code)
    app.connect("build-finished", write_dark_style)
