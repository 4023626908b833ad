# SPDX-License-Identifier: LGPL-2.1-or-later
"""Schedulers in Python, given as `--plugin FILE.py`."""
import csv
import json
import os
import re
import shutil
import signal
import subprocess
from pathlib import Path

import cffi
import iasim
import pytest
from iasim import _plugin

PLATFORM = "platforms/sinnen-hetero.xml"
HERE = Path(__file__).resolve().parent
PACKAGE = Path(iasim.__file__).resolve().parent

HEFT = '''
import iasim

@iasim.scheduler
def by_program(problem, draft):
    """HEFT with what the program offers."""
    order = problem.priority_list(problem.bottom_levels)
    draft.begin(order=order)
    for task in order:
        draft.place(task, draft.choose_host(task))

@iasim.scheduler
def by_hand(problem, draft):
    """HEFT from the paper: upward ranks, then the earliest finish of all hosts."""
    rank = [0.0] * problem.n_tasks
    for task in reversed(problem.order):
        below = (problem.mean_edge_s[e] + rank[problem.edges[e].dst] for e in problem.leaving[task])
        rank[task] = problem.mean_compute_s[task] + max(below, default=0.0)
    order = problem.priority_list(rank)
    draft.begin(order=order)
    for task in order:
        draft.place(task, min(problem.hosts, key=lambda host: iasim.rounded(draft.try_(task, host).finish_s)))
'''


@pytest.fixture(scope="module", autouse=True)
def endless(tmp_path_factory):
    """The program with a file whose statements never end: while the tests run, because it takes 10 s."""
    folder = tmp_path_factory.mktemp("endless")
    (folder / "endless.py").write_text("import time\nwhile True:\n    time.sleep(1)\n")
    with subprocess.Popen([iasim.program(), "--plugin", "endless.py", "list"], cwd=folder, stdin=subprocess.DEVNULL,
                          stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        yield process
        process.kill()


@pytest.fixture(autouse=True)
def in_new_folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)


def call(*words, status=0, timeout=100):
    done = subprocess.run([iasim.program(), *map(str, words)], capture_output=True, text=True, check=False,
                          timeout=timeout, stdin=subprocess.DEVNULL)
    assert done.returncode == status, done.stderr + done.stdout
    return done


def make_graph(name="g.dot", tasks=12, seed=3, generator="layered[tasks={},width=4]"):
    call("graph", "generate", generator.format(tasks), "--seed", seed, "--ccr", 1, "--platform", PLATFORM, "--out",
         name)
    return name


def planned(scheduler, graph, model, *options, plugin="mine.py"):
    """The text of a schedule without its first line, which names the scheduler."""
    words = ["--graph", graph, "--platform", PLATFORM, "--model", model, "--scheduler", scheduler, *options]
    return call("--plugin", plugin, "schedule", *words).stdout.split("\n", 1)[1]


# --- what a scheduler is given ---


@pytest.mark.parametrize("seed,model", [(1, "classic"), (2, "contention"), (3, "involvement")])
def test_heft_in_python_is_heft(seed, model):
    Path("mine.py").write_text(HEFT)
    graph = make_graph(tasks=60, seed=seed)
    theirs = planned("heft", graph, model)
    assert planned("by_program", graph, model) == theirs
    assert planned("by_hand", graph, model) == theirs


def test_heft_in_python_is_heft_on_unrelated_hosts():
    Path("mine.py").write_text(HEFT)
    graph = make_graph(tasks=10, seed=1)
    lines = Path(graph).read_text().splitlines()
    tasks = [line.split()[0].strip('"') for line in lines if re.match(r' *"?task\S* \[', line)]
    hosts = [f"p{i}" for i in range(8)]
    rows = [["task", *hosts]] + [[t, *("" if (i + h) % 5 == 0 else str(1 + (3 * i + 7 * h) % 11) for h in range(8))]
                                 for i, t in enumerate(tasks)]
    assert len(rows) == 11
    Path("c.csv").write_text("".join(",".join(row) + "\n" for row in rows))
    theirs = planned("heft", graph, "involvement", "--costs", "c.csv")
    assert planned("by_program", graph, "involvement", "--costs", "c.csv") == theirs
    assert planned("by_hand", graph, "involvement", "--costs", "c.csv") == theirs


def test_the_problem_is_the_graph_and_the_platform():
    graph = make_graph()
    Path("mine.py").write_text('''
import iasim, json

@iasim.scheduler
def mine(problem, draft):
    """Writes what it is given."""
    x = {name: getattr(problem, name) for name in ("task_names", "host_names", "work_flop", "speed_flop_per_s", "edges",
         "entering", "leaving", "order", "model", "bottom_levels", "top_levels", "mean_compute_s", "mean_edge_s")}
    x["compute_s"] = [[problem.compute_s(t, h) for h in problem.hosts] for t in problem.tasks]
    json.dump(x, open("given.json", "w"))
    mark = draft.mark()
    ready = [t for t in problem.tasks if draft.is_ready(t)]
    first = draft.try_(ready[0], 1)
    assert draft.place(ready[0], 1) == first.finish_s <= draft.end_s(1) and not draft.is_ready(ready[0])
    draft.rollback(mark)
    assert draft.end_s(1) == 0 and draft.is_ready(ready[0]) and draft.try_(ready[0], 1) == first
    assert ready == [t for t in problem.tasks if not problem.entering[t]]
    for t in problem.order:
        draft.place(t, draft.choose_host(t, least="start"))
''')
    planned("mine", graph, "involvement")
    x = json.loads(Path("given.json").read_text())
    info = json.loads(call("graph", "info", graph, "--json", "--platform", PLATFORM).stdout)
    assert len(x["task_names"]) == 12 and x["host_names"] == [f"p{i}" for i in range(8)]
    assert x["model"] == "involvement"
    assert sum(x["work_flop"]) == pytest.approx(info["work_flop"])
    assert sum(e[2] for e in x["edges"]) == pytest.approx(info["volume_bytes"])
    for t, row in enumerate(x["compute_s"]):
        assert row == [x["work_flop"][t] / speed for speed in x["speed_flop_per_s"]]
        assert x["mean_compute_s"][t] == pytest.approx(sum(row) / len(row))
        assert [x["edges"][e][1] for e in x["entering"][t]] == [t] * len(x["entering"][t])
        assert [x["edges"][e][0] for e in x["leaving"][t]] == [t] * len(x["leaving"][t])
        ends = [x["mean_edge_s"][e] + x["bottom_levels"][x["edges"][e][1]] for e in x["leaving"][t]]
        assert x["bottom_levels"][t] == pytest.approx(x["mean_compute_s"][t] + max(ends, default=0))
        begins = [x["top_levels"][x["edges"][e][0]] + x["mean_compute_s"][x["edges"][e][0]] + x["mean_edge_s"][e]
                  for e in x["entering"][t]]
        assert x["top_levels"][t] == pytest.approx(max(begins, default=0))


def test_rounded_is_the_programs():
    assert iasim.rounded(1 + 1e-13) == 1 and iasim.rounded(1 + 1e-11) != 1
    assert iasim.rounded(1 + 2**-40) == 1 + 2**-39  # a half rounds away from zero
    assert iasim.rounded(float("inf")) == float("inf") and iasim.rounded(0.0) == 0


# --- parameters, lists, keys ---

WITH_PARAMS = '''
import iasim

@iasim.scheduler
def chosen(problem, draft, host=0, share=0.5, *, loud=False):
    """All tasks on one host.

    host: the host's number
    """
    assert isinstance(host, int) and isinstance(share, float) and isinstance(loud, bool)
    if loud:
        raise ValueError(f"host {host}, share {share}")
    for task in problem.order:
        draft.place(task, host)
'''


def test_parameters_are_those_of_the_function():
    Path("mine.py").write_text(WITH_PARAMS)
    graph = make_graph()
    for host in (0, 5):
        assert set(re.findall(r'"host":"(p\d)"', planned(f"chosen[host={host}]", graph, "classic"))) == {f"p{host}"}
    listed = json.loads(call("--plugin", "mine.py", "list", "schedulers", "--json").stdout)["schedulers"][-1]
    assert listed["name"] == "chosen" and listed["plugin"] == "mine.py"
    assert listed["summary"] == "All tasks on one host."
    assert [(p["name"], p["type"], p["default"]) for p in listed["parameters"]] == [
        ("host", "integer", "0"), ("share", "number", "0.5"), ("loud", "choice", "off")]
    assert listed["parameters"][0]["meaning"] == "the host's number"
    words = ["--plugin", "mine.py", "schedule", "--graph", graph, "--platform", PLATFORM, "--model", "classic",
             "--scheduler"]
    assert "host 3, share 0.25 (mine.py line " in call(*words, "chosen[loud=on,share=0.25,host=3]", status=2).stderr
    assert "no parameter 'x'; known: host, share, loud" in call(*words, "chosen[x=1]", status=2).stderr
    assert "does not take an allocation" in call(*words, "chosen", "--allocation", hosts_file(graph), status=2).stderr


def hosts_file(graph):
    tasks = re.findall(r'^ *"?(task\w*)"? \[', Path(graph).read_text(), re.MULTILINE)
    Path("hosts").write_text("".join(f"{t} p0\n" for t in tasks))
    return "hosts"


def sweep(schedulers, out, *options, plugin="mine.py", status=0, seeds="1,2"):
    Path("plan.xml").write_text(f"""<scenario name="plans" experiment="plan">
      <param name="platform" value="{os.environ['IASIM_DATA']}/{PLATFORM}"/>
      <param name="generator" value="layered[tasks=12,width=3]"/>
      <param name="ccr" value="1"/>
      <param name="model" value="involvement"/>
    </scenario>""")
    words = ["--plugin", plugin] if plugin else []
    call(*words, "run", "plan.xml", "--set", f"scheduler={schedulers}", "--set", f"instance={seeds}", "--out", out,
         "--quiet", *options, status=status)
    return call("export", out).stdout


def test_the_bytes_of_the_file_are_in_keys():
    Path("mine.py").write_text(WITH_PARAMS)
    first = sweep("chosen", "a.db")
    assert sweep("chosen", "b.db", "--jobs", 2) == first
    Path("mine.py").write_text(WITH_PARAMS + "# another one\n")
    other = sweep("chosen", "c.db")
    keys = [{line.split(",")[0] for line in text.splitlines()[1:]} for text in (first, other)]
    assert len(keys[0]) == 2 and not keys[0] & keys[1]


# --- what goes wrong ---

FAULTS = {
    1: r"ZeroDivisionError: division by zero \(misbehaving\.py line \d+ in misbehaving, misbehaving\.py line \d+ in "
       r"<lambda>, misbehaving\.py line \d+ in divide\)",
    3: r"SystemExit: 0 \(",
    4: r"has ended the process with status 0|ended with status 0 before it returned a result",
    5: r"crashed by signal 11",
    6: r"RecursionError: maximum recursion depth exceeded.*, \.\.\., ",
    7: r"misbehaving has ended without placing task '",
    8: r"ValueError: task '\w+' is not ready: place its predecessors first \(",
    9: r"ValueError: task '\w+' has been placed already \(",
    10: r"IndexError: host 8 does not exist: hosts are numbered from 0 to 7 \(",
    11: r"IndexError: task -1 does not exist: tasks are numbered from 0 to 11 \(",
    12: r"ValueError: the order of draft.begin must have every task once \(",
    13: r"ValueError: mark 1 is not valid: it was rolled back, or never made \(",
    14: r"has left a process behind",
    16: r"ValueError: priority_list needs a value for each of the 12 tasks, not 1 \(",
    17: r"TypeError: ",
    18: r"misbehaving returns a value of type list; it must return nothing",
    19: r"IndexError: host -1 does not exist: hosts are numbered from 0 to 7 \(",
    20: r"KeyboardInterrupt \(misbehaving\.py line \d+ in misbehaving, ",
    21: r"MemoryError \(",
}
IN_SWEEPS = {2: r"not done within the time limit of 1\.5 s",
             5: r"crashed with SIGSEGV"}  # in other words than single commands
WELL = (0, 15, 22)


@pytest.mark.parametrize("fault", [1, 4, 5, 14, 20])
def test_a_fault_is_one_message(fault):
    done = call("--plugin", HERE / "misbehaving.py", "schedule", "--graph", make_graph(), "--platform", PLATFORM,
                "--model", "involvement", "--scheduler", f"misbehaving[fault={fault}]", status=2)
    assert done.stdout == "" and "misbehaving.py" in done.stderr
    assert re.search(FAULTS[fault], done.stderr), done.stderr
    assert len(done.stderr.replace("Segmentation fault.\n", "").splitlines()) == 1, done.stderr  # SimGrid's handler


def test_what_is_printed_does_not_enter_a_schedule():
    graph = make_graph()
    plugin = HERE / "misbehaving.py"
    good = planned("misbehaving", graph, "involvement", plugin=plugin)
    assert planned("misbehaving[fault=15]", graph, "involvement", plugin=plugin) == good
    assert call("--plugin", plugin, "schedule", "--graph", graph, "--platform", PLATFORM, "--model", "involvement",
                "--scheduler",
                "misbehaving[fault=15]", "--out", "s.json", "--json").stderr.count("chatter") == 5  # it is shown
    assert planned("misbehaving[fault=22]", graph, "involvement", plugin=plugin) == good
    Path("mine.py").write_text(WITH_PARAMS + "\nimport os\nprint('chatter')\nos.system('echo chatter')\n")
    assert json.loads(call("--plugin", "mine.py", "list", "schedulers", "--json").stdout)


def test_a_fault_costs_its_own_points():
    faults = sorted({*FAULTS, *IN_SWEEPS})
    good = sweep("heft", "good.db", plugin=None, seeds="3").splitlines()
    text = sweep(",".join(["heft", *(f"misbehaving[fault={f}]" for f in [*WELL, *faults])]), "mixed.db", "--jobs", 2,
                 "--time-limit", "1.5", plugin=HERE / "misbehaving.py", status=1, seeds="3")
    assert [x for x in text.splitlines() if "misbehaving" not in x] == good
    rows = {row["scheduler"]: row for row in csv.DictReader(text.splitlines())}
    for fault in faults:
        row = rows[f"misbehaving[fault={fault}]"]
        assert re.search(IN_SWEEPS.get(fault) or FAULTS[fault], row["error"]) and not row["planned_s"], row
    for well in WELL:
        row = rows[f"misbehaving[fault={well}]"]
        assert not row["error"] and row["planned_s"] == rows["misbehaving[fault=0]"]["planned_s"] != "", row


def test_a_host_that_may_not_run_the_task():
    graph = make_graph()
    rows = [["task", *(f"p{i}" for i in range(8))]]
    rows += [[t, "", "2", *[""] * 6] for t in re.findall(r'^ *"?(task\w*)"? \[', Path(graph).read_text(), re.MULTILINE)]
    Path("c.csv").write_text("".join(",".join(row) + "\n" for row in rows))
    Path("mine.py").write_text(WITH_PARAMS)
    words = ["--plugin", "mine.py", "schedule", "--graph", graph, "--platform", PLATFORM, "--model", "classic",
             "--costs", "c.csv"]
    said = call(*words, "--scheduler", "chosen", status=2).stderr
    assert "ValueError: task 'task_0_0' may not run on host 'p0' (mine.py line " in said
    assert '"length_s":24,' in call(*words, "--scheduler", "chosen[host=1]").stdout


REFUSED = {
    "x = 1\n": "TypeError: no function of the file has the decorator @iasim.scheduler",
    "def f(:\n": "SyntaxError: ",
    "\nimport no_such_module\n": "ModuleNotFoundError: No module named 'no_such_module' (mine.py line 2)",
    "import sys\nsys.exit(3)\n": "SystemExit: 3 (mine.py line 2)",
    "import os\nos._exit(0)\n": "its code ended with status 0",
    "class Bad(Exception):\n    def __str__(self):\n        raise KeyError(1)\nraise Bad\n":
        "Bad: its text cannot be made: __str__ raises KeyError (mine.py line 4)",
    "raise KeyboardInterrupt\n": "KeyboardInterrupt (mine.py line 1)",
    "def f():\n    f()\nf()\n": "RecursionError: maximum recursion depth exceeded",
    WITH_PARAMS + "\nimport threading\nthreading.Thread(target=threading.Event().wait, daemon=True).start()\n":
        "RuntimeError: the file leaves a thread running; a scheduler may start threads when it is called",
    WITH_PARAMS + "\nimport os, signal\nif os.fork() == 0:\n    signal.pause()\n": "its code leaves a process behind",
    "import iasim\n@iasim.scheduler\ndef f(problem, draft):\n    pass\n": "scheduler f has no docstring",
    "import iasim\n@iasim.scheduler\ndef f(problem, draft, x):\n    'f'\n":
        "parameter 'x' of scheduler f needs a default",
    "import iasim\n@iasim.scheduler\ndef f(problem):\n    'f'\n":
        "scheduler f must be a function of problem, draft and",
    "import iasim\n@iasim.scheduler\ndef heft(problem, draft):\n    'f'\n":
        "there is already a scheduler 'heft', which comes with",
    "import iasim\n@iasim.scheduler\ndef F(problem, draft):\n    'f'\n": "a name is at most 60 lower-case letters",
}


@pytest.mark.parametrize("text", REFUSED)
def test_a_file_that_cannot_be_loaded_is_refused(text):
    Path("mine.py").write_text(text)
    done = call("--plugin", "mine.py", "list", status=2)
    assert done.stdout == "" and done.stderr.startswith("iasim: mine.py: ") and len(done.stderr.splitlines()) == 1
    assert REFUSED[text] in done.stderr


def test_no_such_file_and_no_cffi(monkeypatch):
    assert call("--plugin", "none.py", "list", status=2).stderr == (
        "iasim: none.py: the plugin cannot be read: No such file or directory\n")
    Path("mine.py").write_text(HEFT)
    Path("none").mkdir()
    Path("none", "cffi.py").write_text("raise ModuleNotFoundError(\"No module named 'cffi'\")\n")
    monkeypatch.setenv("PYTHONPATH", "none")
    assert call("--plugin", "mine.py", "list", status=2).stderr == (
        "iasim: plugins in Python need cffi, which /usr/bin/python3 does not have; on Debian: apt install "
        "python3-cffi\n")
    assert "heft" in call("list").stdout  # nothing else needs Python


def test_another_python_comes_first_in_path(monkeypatch):
    Path("mine.py").write_text(HEFT)
    subprocess.run(["/usr/bin/python3", "-m", "venv", "--without-pip", "bare"], check=True)
    subprocess.run(["/usr/bin/python3", "-m", "venv", "--without-pip", "--system-site-packages", "full"], check=True)
    Path("broken").mkdir()
    Path("broken", "python3").write_text("#!/bin/sh\necho 'pyenv: python3: command not found' >&2\nexit 127\n")
    Path("broken", "python3").chmod(0o755)
    path = os.environ["PATH"]
    for folder in ("bare/bin", "full/bin", "broken"):
        monkeypatch.setenv("PATH", f"{os.path.abspath(folder)}:{path}")
        assert "by_hand" in call("--plugin", "mine.py", "list", "schedulers").stdout
        Path("where.py").write_text("import sys\nraise ValueError(sys.prefix)\n")
        prefix = os.path.abspath("full") if folder == "full/bin" else "/usr"
        assert f"ValueError: {prefix} (" in call("--plugin", "where.py", "list", status=2).stderr


def test_the_users_locale_does_not_reach_simgrid(monkeypatch):
    made = subprocess.run(["localedef", "-i", "tr_TR", "-f", "UTF-8", "./tr_TR.UTF-8"], capture_output=True,
                          check=False)
    if made.returncode != 0 and os.environ.get("TESTS_REQUIRED") != "1":
        pytest.skip("needs localedef and the definition of tr_TR (Debian: locales)")
    assert made.returncode == 0, made.stderr
    Path("mine.py").write_text(HEFT)
    farm = ["farm", "--platform", "platforms/kreaseck-fork.xml", "--deployment", "deployments/kreaseck-fork.xml",
            "--policy", "bwc",
            "--send-size", 1, "--compute-size", 5, "--tasks", 20]
    expected = call(*farm).stdout
    monkeypatch.setenv("LOCPATH", os.getcwd())
    monkeypatch.setenv("LC_ALL", "tr_TR.UTF-8")  # where I is not the capital of i
    assert call("--plugin", "mine.py", *farm).stdout == expected


def test_a_file_that_forks_is_always_refused():
    Path("mine.py").write_text("import os\nos.fork()\n" + HEFT)
    for _ in range(5):
        done = call("--plugin", "mine.py", "list", status=2)
        assert done.stderr == "iasim: mine.py: the plugin cannot be loaded: its code leaves a process behind\n"
        assert done.stdout == ""


def test_a_plugin_in_c_beside_it():
    Path("mine.py").write_text(HEFT)
    plugin = os.environ["PLUGIN_IN_C"]
    graph = make_graph()
    words = ["--graph", graph, "--platform", PLATFORM, "--model", "involvement", "--scheduler"]
    alone = call("--plugin", plugin, "schedule", *words, "misbehaving").stdout
    for order in ((plugin, "mine.py"), ("mine.py", plugin)):
        both = ["--plugin", order[0], "--plugin", order[1], "schedule", *words]
        assert call(*both, "misbehaving").stdout == alone
        assert call(*both, "by_hand").stdout == call("--plugin", "mine.py", "schedule", *words, "by_hand").stdout


def test_modules_beside_the_file_and_two_files():
    Path("sub").mkdir()
    Path("sub", "helper.py").write_text("NAME = 'one'\n")
    Path("sub", "mine.py").write_text(WITH_PARAMS.replace("import iasim",
                                                          "import iasim, helper\nassert helper.NAME == 'one'"))
    Path("other.py").write_text(HEFT)
    listed = call("--plugin", "sub/mine.py", "--plugin=other.py", "list", "schedulers").stdout
    assert "chosen" in listed and "by_hand" in listed and "(plugin sub/mine.py)" in listed
    assert "by_hand" in call("--complete", "--plugin", "other.py", "schedule", "--scheduler", "by_").stdout


def test_two_files_in_one_run():
    for folder, text in (("a", WITH_PARAMS), ("b", HEFT)):
        Path(folder).mkdir()
        Path(folder, "mine.py").write_text(text)
    alone = [sweep("chosen", "a.db", plugin="a/mine.py"), sweep("by_hand", "b.db", plugin="b/mine.py")]
    both = call("--plugin", "a/mine.py", "--plugin", "b/mine.py", "run", "plan.xml", "--set",
                "scheduler=chosen,by_hand", "--set",
                "instance=1,2", "--out", "both.db", "--quiet", "--jobs", 2) and call("export", "both.db").stdout
    assert sorted(both.splitlines()[1:]) == sorted(line for text in alone for line in text.splitlines()[1:])
    assert "--any-points unites them" in call("merge", "--out", "m.db", "a.db", "b.db", status=2).stderr
    call("merge", "--any-points", "--out", "m.db", "a.db", "b.db")
    assert call("export", "m.db").stdout == both
    assert "by_hand" in call("compare", "m.db", "--by", "scheduler", "--metric", "planned_s").stdout
    Path("a", "mine.py").write_text(WITH_PARAMS + "# another one\n")
    sweep("chosen", "c.db", plugin="a/mine.py")
    said = call("merge", "--any-points", "--out", "n.db", "a.db", "c.db", status=2).stderr
    assert re.search("points [0-9a-f]{32} and [0-9a-f]{32} have the same parameters but are different ones: a file or "
                     "a plugin of that name has other content", said)
    Path("a", "helper.py").write_text("")
    Path("b", "helper.py").write_text("")
    Path("a", "mine.py").write_text("import helper\n" + WITH_PARAMS)
    said = call("--plugin", "a/mine.py", "--plugin", "b/mine.py", "list", status=2).stderr
    assert "ImportError: a module 'helper' is also beside another plugin" in said
    said = call("--plugin", "a/mine.py", "--plugin", "./a/mine.py", "list", status=2).stderr
    assert said == "iasim: ./a/mine.py: there is already a scheduler 'chosen', which comes from plugin a/mine.py\n"


def test_an_interrupt_ends_a_sweep_as_ever():
    words = [iasim.program(), "--plugin", HERE / "misbehaving.py", "run", "smoke", "--set", "tasks=2000", "--set",
             "compute_size=1:400", "--out", "s.db", "--progress", "json"]
    with subprocess.Popen(list(map(str, words)), stdout=subprocess.DEVNULL, stderr=subprocess.PIPE,
                          text=True) as sweep_:
        assert '"done"' in sweep_.stderr.readline()
        sweep_.send_signal(signal.SIGINT)
        said = sweep_.communicate(timeout=60)[1]
    assert sweep_.returncode == 75 and "Traceback" not in said, said


def test_submitted_jobs_start_the_program_not_python():
    Path("mine.py").write_text(HEFT)
    script = call("--plugin", "mine.py", "submit", "smoke", "--tasks", 2, "--dry-run").stdout
    assert f"{os.path.realpath(iasim.program())} --plugin mine.py run smoke" in script


def test_a_frame_of_a_scheduler_in_python():
    Path("mine.py").write_text(HEFT)
    plan = iasim.schedule(graph=make_graph(), platform=PLATFORM, model="involvement", scheduler="by_hand",
                          plugin="mine.py")
    assert len(plan) == 12 and plan.attrs["scheduler"] == "by_hand"


# --- the structures ---


def test_structures_are_those_of_the_headers():
    compiler = shutil.which("cc")
    if compiler is None:
        pytest.skip("needs a C compiler")
    text = Path(PACKAGE, "plugin.cdef").read_text()
    ffi = cffi.FFI()
    ffi.cdef(text)
    lines = []
    for name in re.findall(r"^struct (\w+) \{", text, re.MULTILINE):
        kind = ffi.typeof(f"struct {name}")
        lines += [f"_Static_assert(offsetof(struct {name}, {f}) == {x.offset} && sizeof ((struct {name} *)0)->{f} == "
                  f"{ffi.sizeof(x.type)}, \"{name}.{f}\");" for f, x in kind.fields]
        if name in _plugin.WHOLE or name == "iasim_plugin_lists":
            lines.append(f"_Static_assert(sizeof(struct {name}) == {ffi.sizeof(kind)}, \"{name}\");")
    for name in re.findall(r"^enum (\w+) \{", text, re.MULTILINE):
        lines += [f"_Static_assert({word} == {number}, \"{word}\");"
                  for word, number in ffi.typeof(f"enum {name}").relements.items()]
    functions = re.findall(r"^[^/{}\n]*?[ *](\w+)\([^;{}]*\);$", text.split("struct iasim_plugin_lists", 1)[1],
                           re.MULTILINE)
    assert "draft_try" in functions and "iasim_main" in functions and len(lines) > 60
    prototypes = re.findall(r"^(?!typedef)[^/{}\n]*\([^;{}]*\);$", text.split("struct iasim_plugin_lists", 1)[1],
                            re.MULTILINE)
    headers = ["<stdio.h>", "<stdlib.h>", '"plugin/plugin.h"', '"library/iasim.h"']
    Path("check.c").write_text("\n".join([f"#include {h}" for h in headers] + lines + prototypes) + "\n")
    home = PACKAGE.parents[1]
    folders = [home, home / "sim", *(f for f in (home / "sim").iterdir() if f.is_dir())]
    done = subprocess.run([compiler, "-std=gnu11", "-Werror", *(f"-I{f}" for f in folders), "-fsyntax-only", "check.c"],
                          capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


# --- last, because it has been waiting since the beginning ---


def test_a_file_that_never_ends_is_refused(endless):
    out, said = endless.communicate(timeout=60)
    assert endless.returncode == 2 and out == ""
    assert said == "iasim: in plugin endless.py: code of the file: not done within the time limit of 10 s\n"
