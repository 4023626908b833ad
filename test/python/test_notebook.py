# SPDX-License-Identifier: LGPL-2.1-or-later
"""The notebook in doc/: executed, it prints and returns what is stored in it."""
import base64
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

HERE = Path(__file__).resolve().parent
NOTEBOOK = HERE.parents[1] / "doc" / "python.ipynb"


@pytest.fixture(autouse=True)
def in_new_folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    monkeypatch.delenv("PYTHONPATH")  # the notebook finds the package itself


def execute(path, *options):
    return subprocess.run([sys.executable, HERE / "notebook.py", *options, path], capture_output=True, text=True,
                          check=False)


def write(*sources):
    """A notebook with these cells, and no outputs."""
    cells = [{"cell_type": "code", "execution_count": None, "id": f"c{i}", "metadata": {}, "outputs": [],
              "source": [source]}
             for i, source in enumerate(sources)]
    Path("n.ipynb").write_text(json.dumps({"cells": cells, "metadata": {}, "nbformat": 4, "nbformat_minor": 5}))
    return "n.ipynb"


def test_it_gives_what_is_stored():
    before = NOTEBOOK.read_bytes()
    done = execute(NOTEBOOK)
    assert done.returncode == 0, done.stdout + done.stderr
    assert NOTEBOOK.read_bytes() == before
    assert not list(NOTEBOOK.parent.glob("home.*")) and not (NOTEBOOK.parent / "g.dot").exists()


def test_it_reads_well_where_nothing_is_executed():
    notebook = json.loads(NOTEBOOK.read_text(encoding="utf-8"))
    codes = [c for c in notebook["cells"] if c["cell_type"] == "code"]
    assert [c["execution_count"] for c in codes] == list(range(1, len(codes) + 1))
    assert all(c["outputs"] for c in codes[1:])
    kinds = [o["output_type"] for c in codes for o in c["outputs"]]
    assert set(kinds) == {"stream", "execute_result", "display_data"}
    data = [o.get("data", {}) for c in codes for o in c["outputs"]]
    pictures = [base64.b64decode(d["image/png"]) for d in data if "image/png" in d]
    assert len(pictures) == 1 and pictures[0].startswith(b"\x89PNG") and len(pictures[0]) < 60000
    assert "/tmp" not in NOTEBOOK.read_text(encoding="utf-8")


def test_what_is_stored_is_what_is_found():
    path = write("print('one')\n2 + 2", "import matplotlib.pyplot as plt\n_ = plt.plot([1, 2])",
                 "%%writefile f.txt\nthree",
                 "open('f.txt').read()")
    assert execute(path).returncode == 1  # nothing is stored yet
    assert execute(path, "--store").returncode == 0
    first = Path(path).read_bytes()
    outputs = [c["outputs"] for c in json.loads(first)["cells"]]
    assert [[o["output_type"] for o in x] for x in outputs] == [["stream", "execute_result"], ["display_data"],
                                                                ["stream"], ["execute_result"]]
    assert outputs[3][0]["data"]["text/plain"] == ["'three\\n'"]
    assert execute(path, "--store").returncode == 0 and Path(path).read_bytes() == first
    assert execute(path).returncode == 0


@pytest.mark.parametrize("source,words", [
    ("1 / 0", "ZeroDivisionError"),
    ("%matplotlib inline", "unknown command %matplotlib; known: %%writefile FILE"),
])
def test_a_cell_that_fails_is_a_fault(source, words):
    done = execute(write(source))
    assert done.returncode == 1 and words in done.stderr


def test_another_result_is_a_fault():
    path = write("2 + 2")
    execute(path, "--store")
    Path(path).write_text(Path(path).read_text().replace('"2 + 2"', '"2 + 3"'))
    done = execute(path)
    assert done.returncode == 1 and "4" in done.stdout and "5" in done.stdout
