#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""style.py [DIR]: no line of C, C++, shell, Python, JavaScript, CSS or CMake has more than 120 columns. What cannot be
broken may: a line with an address (https://), one that is a single quoted text, which stays in one piece so that it can
be searched, and one of a picture or table, which has a gap of three blanks.
"""
import os
import re
import sys

COLUMNS = 120
ENDS = (".c", ".h", ".cpp", ".hpp", ".sh", ".py", ".js", ".css", ".bash", ".zsh", ".cmake", "CMakeLists.txt")
ONE_TEXT = re.compile(r"""\s*[\w.,=({\[<$-]*("[^"]*"|'[^']*'|`[^`]*`)[\w.,:;)}\]<]*( \\| \|\|| &&)?$""")
PICTURE = re.compile(r"\S {3,}\S")


def sources(root):
    """Files of the tree, without what is built and what tests read."""
    for path in (os.path.join(folder, name) for folder, _, names in os.walk(root) for name in names):
        file = os.path.relpath(path, root)
        if re.search(r"(^|/)(build|gallery|corpus|\.git)/", file) or os.path.islink(path):
            continue
        if file.endswith(ENDS):
            yield file
        elif "." not in os.path.basename(file):
            with open(path, "rb") as opened:
                if opened.read(2) == b"#!":
                    yield file


def main(root):
    n_files = n_long = 0
    for file in sources(root):
        n_files += 1
        with open(os.path.join(root, file), encoding="utf-8", errors="replace") as opened:
            for number, line in enumerate(opened, 1):
                line = line.rstrip("\n")
                if len(line) > COLUMNS and "://" not in line and not ONE_TEXT.match(line) and not PICTURE.search(line):
                    n_long += 1
                    print(f"{file}:{number}: {len(line)} columns, more than {COLUMNS}")
    print(f"{n_files} files, {n_long} lines are too long")
    return n_long > 0 or n_files == 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1] if len(sys.argv) > 1 else "."))
