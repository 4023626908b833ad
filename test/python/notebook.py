#!/usr/bin/python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""Executes a notebook without Jupyter and compares what its cells print and return with what is stored in it.

    test/python/notebook.py [--store] NOTEBOOK.ipynb

Status 1: the text of an output differs, or an output is missing. --store writes the outputs into the notebook instead;
the same code then gives the same bytes. Pictures are drawn and stored, but not compared, because versions of matplotlib
differ. The cells run in one process, in the notebook's folder, as plain Python; of Jupyter's own commands only
%%writefile is known. """
import argparse
import ast
import base64
import contextlib
import io
import json
import os
import sys
import traceback
from pathlib import Path

os.environ["MPLBACKEND"] = "Agg"
MOST_PICTURE_BYTES = 60000


def lines_of(text):
    return text.splitlines(keepends=True)


def run_code(source, names):
    """Runs the code; returns the value of its last line if that is an expression."""
    tree = ast.parse(source)
    last = tree.body.pop() if tree.body and isinstance(tree.body[-1], ast.Expr) else None
    exec(compile(tree, "cell", "exec"), names)  # pylint: disable=exec-used
    if last is None:
        return None
    return eval(compile(ast.Expression(last.value), "cell", "eval"), names)  # pylint: disable=eval-used


def run_source(source, names):
    if not source.startswith("%"):
        return run_code(source, names)
    first, _, rest = source.partition("\n")
    command, _, name = first.partition(" ")
    if command != "%%writefile":
        raise ValueError(f"unknown command {command}; known: %%writefile FILE")
    Path(name).write_text(rest + "\n", encoding="utf-8")
    print(f"Writing {name}")
    return None


def pictures():
    """The open figures, which are closed."""
    plt = sys.modules.get("matplotlib.pyplot")
    for number in plt.get_fignums() if plt else []:
        figure, file = plt.figure(number), io.BytesIO()
        figure.savefig(file, format="png", dpi=100, metadata={"Software": None})
        plt.close(figure)
        data = {"image/png": base64.b64encode(file.getvalue()).decode("ascii") + "\n",
                "text/plain": lines_of(repr(figure))}
        yield {"output_type": "display_data", "metadata": {}, "data": data}


def execute(source, count, names):
    """The outputs of a cell, as a notebook stores them."""
    printed, outputs = io.StringIO(), []
    with contextlib.redirect_stdout(printed):
        value = run_source(source, names)
    if printed.getvalue():
        outputs.append({"output_type": "stream", "name": "stdout", "text": lines_of(printed.getvalue())})
    if value is not None:
        data = {"text/plain": lines_of(repr(value))}
        if hasattr(value, "_repr_html_"):
            data["text/html"] = lines_of(value._repr_html_())
        outputs.append({"output_type": "execute_result", "execution_count": count, "metadata": {}, "data": data})
    return outputs + list(pictures())


def text_of(output):
    """What is compared: kinds of output, and their text."""
    data = output.get("data", {})
    text = "".join(output.get("text") or data.get("text/plain") or [])
    return f"{output['output_type']} {' '.join(sorted(data))}\n{text}"


def execute_all(notebook):
    """Puts the outputs into the code cells, and returns those that differ: (cell's number, what was stored, what is
    found)."""
    names, changed = {"__name__": "__main__"}, []
    for count, cell in enumerate((c for c in notebook["cells"] if c["cell_type"] == "code"), 1):
        stored = [text_of(o) for o in cell["outputs"]]
        cell["outputs"], cell["execution_count"] = execute("".join(cell["source"]), count, names), count
        found = [text_of(o) for o in cell["outputs"]]
        if found != stored:
            changed.append((count, "\n".join(stored), "\n".join(found)))
        for output in cell["outputs"]:
            size = len(base64.b64decode(output.get("data", {}).get("image/png", "")))
            if size > MOST_PICTURE_BYTES:
                sys.exit(f"cell {count}: its picture has {size} bytes; at most {MOST_PICTURE_BYTES} are welcome")
    return changed


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("notebook", type=Path)
    parser.add_argument("--store", action="store_true", help="write the outputs into the notebook")
    options = parser.parse_args()
    path = options.notebook.resolve()
    notebook = json.loads(path.read_text(encoding="utf-8"))
    os.chdir(path.parent)
    try:
        changed = execute_all(notebook)
    except Exception:  # pylint: disable=broad-except
        sys.exit(f"{path.name}: a cell failed\n{traceback.format_exc()}")
    if options.store:
        path.write_text(json.dumps(notebook, indent=1, ensure_ascii=False, sort_keys=True) + "\n", encoding="utf-8")
        return
    for count, stored, found in changed:
        print(f"--- cell {count}, stored:\n{stored}\n--- found:\n{found}")
    if changed:
        sys.exit(f"{path.name}: {len(changed)} cells differ from what is stored; if that is right, store: "
                 f"{sys.argv[0]} --store")


main()
