# SPDX-License-Identifier: LGPL-2.1-or-later
"""Schedulers in Python: what a file given as `--plugin mine.py` uses, and the program's side of it (serve)."""
from __future__ import annotations

import contextlib
import importlib.util
import inspect
import locale
import math
import os
import re
import struct
import sys
import threading
import traceback
from collections.abc import Callable, Iterator, Sequence
from functools import cached_property
from pathlib import Path
from typing import Any, NamedTuple

ffi: Any = None  # cffi's; set by serve
lib: Any = None  # libiasim

_HERE = os.path.dirname(os.path.abspath(__file__))
WHOLE = ("param", "task", "edge", "task_costs", "problem", "scheduler_inputs", "scheduler", "span", "draft_options",
         "draft_mark")  # the structures of plugin.cdef that have all their fields
_found: list[Callable[..., None]] = []  # the schedulers of the file that is being loaded
_folders: set[str] = set()  # of files that have been loaded
_names: set[str] = set()  # of these files, as modules
_kept: list[Any] = []  # what the program points to, until it ends


def scheduler(function: Callable[..., None]) -> Callable[..., None]:
    """Makes a function a scheduler of the program. This is a whole file, mine.py:

        import iasim

        @iasim.scheduler
        def mine(problem, draft):
            \"\"\"Each task goes where it finishes first, the longest way to the end first.\"\"\"
            order = problem.priority_list(problem.bottom_levels)
            draft.begin(order=order)
            for task in order:
                draft.place(task, draft.choose_host(task))

    Then `iasim --plugin mine.py COMMAND ...` knows the scheduler `mine`: in schedule, sweeps, compare, list. The first
    line of the docstring is its summary. Further arguments of the function are its parameters, as in `mine[depth=3]`:
    each needs a default, a number or True or False (`on` and `off`). A line `depth: how far to look` in the docstring
    explains one.

    The function gets a Problem and a Draft, and places every task. It must give the same schedule for the same problem.
    An exception costs the point of a sweep that it happens in; its error has the exception and the lines it came
    from."""
    _found.append(function)
    return function


def rounded(value: float) -> float:
    """The value as the program's schedulers compare it: rounded to one part in 10^12, so that the last bits of a sum do
    not decide between two hosts. Halves round away from zero."""
    bits = struct.unpack("<Q", struct.pack("<d", value))[0]
    bits = (bits + (1 << 12)) >> 13 << 13
    return float(struct.unpack("<d", struct.pack("<Q", bits))[0])


class Edge(NamedTuple):
    """Data from the task `src` to the task `dst`."""

    src: int
    dst: int
    size_bytes: float


class Span(NamedTuple):
    """When a task would run; both are infinite where it may not."""

    start_s: float
    finish_s: float


class Problem:
    """What a scheduler is given: the graph, the machine and the costs that it believes. Read-only. Tasks, edges and
    hosts are numbers from 0, in the order of their files: `tasks` and `hosts` are the ranges of these numbers,
    `n_tasks` and `n_hosts` how many there are."""

    def __init__(self, problem: Any):
        self._problem = problem
        self._dag = problem.dag
        self._machine = problem.machine
        self.n_tasks: int = problem.dag.n_tasks
        self.n_hosts: int = problem.machine.n_hosts
        self.tasks = range(self.n_tasks)
        self.hosts = range(self.n_hosts)
        first, size = ffi.cast("char *", self._machine.hosts), lib.iasim_plugin_size_of(b"host")
        self._hosts = [ffi.cast("struct host *", first + h * size) for h in self.hosts]

    @cached_property
    def task_names(self) -> list[str]:
        """The name of each task."""
        return [_string(self._dag.tasks[t].name) for t in self.tasks]

    @cached_property
    def host_names(self) -> list[str]:
        """The name of each host."""
        return [_string(h.name) for h in self._hosts]

    @cached_property
    def work_flop(self) -> list[float]:
        """The work of each task."""
        return [self._dag.tasks[t].work_flop for t in self.tasks]

    @cached_property
    def speed_flop_per_s(self) -> list[float]:
        """The speed of each host."""
        return [h.speed_flop_per_s for h in self._hosts]

    @cached_property
    def edges(self) -> list[Edge]:
        """All edges: src, dst, size_bytes."""
        return [Edge(x.src, x.dst, x.size_bytes) for x in self._dag.edges[0 : self._dag.n_edges]]

    @cached_property
    def entering(self) -> list[list[int]]:
        """For each task, the numbers of the edges that lead to it."""
        return self._edges_of("in")

    @cached_property
    def leaving(self) -> list[list[int]]:
        """For each task, the numbers of the edges that lead from it."""
        return self._edges_of("out")

    def _edges_of(self, side: str) -> list[list[int]]:
        edges, start = getattr(self._dag, side), getattr(self._dag, side + "_start")
        return [[edges[i] for i in range(start[t], start[t + 1])] for t in self.tasks]

    @cached_property
    def order(self) -> list[int]:
        """All tasks, each after its predecessors; where there is a choice, the first in the file."""
        return _list(self._dag.order, self.n_tasks)

    @property
    def model(self) -> str:
        """The cost model, with its parameters: what the planner believes of communication."""
        return _string(lib.cost_model_text(self._problem.model))

    def compute_s(self, task: int, host: int) -> float:
        """How long the task takes on the host; infinite: it may not run there."""
        _check("task", task, self.n_tasks)
        _check("host", host, self.n_hosts)
        if self._problem.costs != ffi.NULL:
            return float(self._problem.costs.compute_s[task * self.n_hosts + host])
        return float(self._dag.tasks[task].work_flop / self._hosts[host].speed_flop_per_s)

    @cached_property
    def _means(self) -> tuple[Any, Any]:
        task_s, edge_s = ffi.new("double[]", self.n_tasks), ffi.new("double[]", self._dag.n_edges + 1)
        lib.problem_mean_costs(self._problem, task_s, edge_s)
        lib.problem_pair_costs(self._problem, edge_s)
        return task_s, edge_s

    @cached_property
    def mean_compute_s(self) -> list[float]:
        """The mean time of each task over the hosts where it may run."""
        return _list(self._means[0], self.n_tasks)

    @cached_property
    def mean_edge_s(self) -> list[float]:
        """The mean time of each edge between two hosts, over all pairs of them, under the cost model."""
        return _list(self._means[1], self._dag.n_edges)

    @cached_property
    def bottom_levels(self) -> list[float]:
        """For each task, the costliest path from it to an end of the graph, by mean times, with the task itself."""
        return self._levels(lib.dag_bottom_levels)

    @cached_property
    def top_levels(self) -> list[float]:
        """For each task, the costliest path that leads to it, by mean times, without the task itself."""
        return self._levels(lib.dag_top_levels)

    def _levels(self, function: Any) -> list[float]:
        out = ffi.new("double[]", self.n_tasks)
        function(self._dag, *self._means, out)
        return _list(out, self.n_tasks)

    def priority_list(self, values: Sequence[float]) -> list[int]:
        """All tasks, each after its predecessors, the one with the largest value first; ties go to the first in the
        file."""
        if len(values) != self.n_tasks:
            raise ValueError(f"priority_list needs a value for each of the {self.n_tasks} tasks, not {len(values)}")
        if any(math.isnan(v) for v in values):
            raise ValueError("a value of priority_list is not a number")
        tasks = lib.priority_list_of(self._dag, ffi.new("double[]", list(values)))
        try:
            return _list(tasks, self.n_tasks)
        finally:
            lib.free(tasks)


class Draft:
    """The schedule that a scheduler makes, under construction. Tasks are placed after their predecessors; each
    placement books the processors and links that the cost model says, in gaps where they fit."""

    def __init__(self, problem: Problem, schedule: Any):
        self._problem = problem
        self._schedule = schedule
        self._made: Any = None
        self._is_over = False
        self._placed: list[int] = []
        self._marks: list[tuple[Any, int]] = []

    def begin(self, order: Sequence[int] | None = None, technique: str = "insertion") -> None:
        """Optional, before anything else. `order`: all tasks in the order in which they will be placed, if it is known:
        data of a task then leave in that order. technique: "insertion", or "end": book only after the last booking."""
        if self._made is not None:
            raise ValueError("draft.begin must come before anything else is done with the draft")
        if technique not in ("insertion", "end"):
            raise ValueError(f"the technique is '{technique}'; it must be insertion or end")
        options = ffi.new("struct draft_options *")
        options.technique = lib.TECHNIQUE_INSERTION if technique == "insertion" else lib.TECHNIQUE_END
        if order is not None:
            if sorted(order) != list(self._problem.tasks):
                raise ValueError("the order of draft.begin must have every task once")
            tasks = ffi.new("task_id[]", list(order))
            options.list = tasks
        self._made = lib.draft_create_by(self._schedule, options)

    def _draft(self) -> Any:
        if self._is_over:
            raise ValueError("the draft cannot be used after its scheduler has ended")
        if self._made is None:
            self.begin()
        return self._made

    def _check(self, task: int, host: int = 0) -> Any:
        _check("host", host, self._problem.n_hosts)
        if not self.is_ready(task):
            name = self._problem.task_names[task]
            if task in self._placed:
                raise ValueError(f"task '{name}' has been placed already")
            raise ValueError(f"task '{name}' is not ready: place its predecessors first")
        return self._made

    def is_ready(self, task: int) -> bool:
        """Whether the task is not yet placed but all its predecessors are."""
        _check("task", task, self._problem.n_tasks)
        return bool(lib.draft_is_ready(self._draft(), task))

    def try_(self, task: int, host: int) -> Span:
        """When the ready task would start and finish on the host; infinite: it may not run there. Changes nothing."""
        span = lib.draft_try(self._check(task, host), task, host)
        return Span(span.start_s, span.finish_s)

    def place(self, task: int, host: int) -> float:
        """Places the ready task on the host; returns its finish."""
        draft = self._check(task, host)
        if math.isinf(self._problem.compute_s(task, host)):
            names = self._problem.task_names[task], self._problem.host_names[host]
            raise ValueError(f"task '{names[0]}' may not run on host '{names[1]}'")
        self._placed.append(task)
        return float(lib.draft_place(draft, task, host))

    def choose_host(self, task: int, least: str = "finish") -> int:
        """The host where the ready task finishes first, or with least="start" starts first; ties go to the first host.
        The same as try_ on every host, but faster."""
        if least not in ("finish", "start"):
            raise ValueError(f"least is '{least}'; it must be finish or start")
        which = lib.DRAFT_LEAST_FINISH if least == "finish" else lib.DRAFT_LEAST_START
        return int(lib.draft_choose_host(self._check(task), task, which))

    def end_s(self, host: int) -> float:
        """When the last booking on the host's processor ends; 0: there is none."""
        _check("host", host, self._problem.n_hosts)
        return float(lib.draft_end_s(self._draft(), host))

    def mark(self) -> int:
        """A mark for rollback. Marks nest."""
        self._marks.append((lib.draft_mark(self._draft()), len(self._placed)))
        return len(self._marks) - 1

    def rollback(self, mark: int) -> None:
        """Undoes everything since the mark, which stays valid; later marks do not."""
        if not 0 <= mark < len(self._marks):
            raise ValueError(f"mark {mark} is not valid: it was rolled back, or never made")
        state, n_placed = self._marks[mark]
        del self._marks[mark + 1 :], self._placed[n_placed:]
        lib.draft_rollback(self._draft(), state)

    def _end(self) -> None:
        if self._made is not None:
            lib.draft_free(self._made)
        self._made, self._is_over = None, True

    def _missing(self) -> str | None:
        placed = set(self._placed)
        return next((self._problem.task_names[t] for t in self._problem.tasks if t not in placed), None)


def _string(text: Any) -> str:
    return str(ffi.string(text), "utf-8", "replace")


def _list(first: Any, n: int) -> list[Any]:
    numbers: list[Any] = ffi.unpack(first, n)
    return numbers


def _check(what: str, number: int, n: int) -> None:
    if not 0 <= number < n:
        raise IndexError(f"{what} {number} does not exist: {what}s are numbered from 0 to {n - 1}")


@contextlib.contextmanager
def _output_apart() -> Iterator[None]:
    """What the code in Python prints goes to standard error, also what programs print that it starts: standard output
    is for results. Within a command that simulates, descriptor 2 is for SimGrid, whose words are held back
    (engine/guard.h); C's `stderr` is standard error everywhere."""
    error = lib.fileno(ffi.dlopen(None).stderr)
    kept = os.dup(1), os.dup(2)
    os.dup2(error, 1)
    os.dup2(error, 2)
    try:
        yield
    finally:
        sys.stdout.flush()
        for number, copy in zip((1, 2), kept):
            os.dup2(copy, number)
            os.close(copy)


# --- errors ---


def _lines(error: BaseException) -> str:
    """Where an exception was raised, in files outside this package: the lines, from the outermost call inwards."""
    frames = [f for f in traceback.extract_tb(error.__traceback__)
              if os.path.dirname(os.path.abspath(f.filename)) != _HERE and not f.filename.startswith("<frozen")]
    shown = frames if len(frames) <= 6 else frames[:3] + frames[-3:]
    words = [f"{os.path.basename(f.filename)} line {f.lineno}" + (f" in {f.name}" if f.name != "<module>" else "")
             for f in shown]
    if len(frames) > 6:
        words.insert(3, "...")
    return ", ".join(words)


def _text_of(error: BaseException) -> str:
    """str(error), which is code of the plugin if the exception is."""
    try:
        return str(error)
    except BaseException as second:
        return f"its text cannot be made: __str__ raises {type(second).__name__}"


def _sentence(error: BaseException) -> str:
    """An exception with its traceback on one line."""
    if isinstance(error, SyntaxError) and error.filename:
        return f"{type(error).__name__}: {error.msg} ({os.path.basename(error.filename)} line {error.lineno})"
    text = re.sub(r"0x[0-9a-f]{6,}", "0x...", " ".join(_text_of(error).split()))
    lines = _lines(error)
    return type(error).__name__ + (f": {text[:500]}" if text else "") + (f" ({lines})" if lines else "")


def _refuse(e: Any, words: str) -> int:
    return int(lib.err_set(e, lib.ERR_INPUT, b"%s", ffi.new("char[]", words.encode("utf-8", "replace"))))


# --- functions as schedulers of the program ---


class _Param(NamedTuple):
    name: str
    default: bool | int | float
    meaning: str

    def read(self, values: Any) -> bool | int | float:
        name = self.name.encode()
        if isinstance(self.default, bool):
            return bool(lib.param_is_on(values, name))
        if isinstance(self.default, int):
            return int(lib.param_integer(values, name))
        return float(lib.param_number(values, name))

    def fill(self, out: Any) -> None:
        out.name, out.unit, out.meaning = _c(self.name), _c(""), _c(self.meaning)
        if isinstance(self.default, bool):
            out.type, out.choices = lib.PARAM_CHOICE, _c("on|off")
            out.default_text = _c("on" if self.default else "off")
            return
        is_whole = isinstance(self.default, int)
        out.type = lib.PARAM_INTEGER if is_whole else lib.PARAM_NUMBER
        out.min, out.max = (-9e15, 9e15) if is_whole else (-1e300, 1e300)
        out.default_text = _c(repr(self.default))


def _c(text: str) -> Any:
    _kept.append(ffi.new("char[]", text.encode("utf-8")))
    return _kept[-1]


def _params_of(function: Callable[..., None]) -> list[_Param]:
    name = function.__name__
    signature = list(inspect.signature(function).parameters.values())
    if len(signature) < 2 or any(p.kind not in (p.POSITIONAL_OR_KEYWORD, p.KEYWORD_ONLY) for p in signature[2:]):
        raise TypeError(f"scheduler {name} must be a function of problem, draft and parameters with defaults")
    documented = dict(re.findall(r"^\s*(\w+): *(\S.*?)\s*$", inspect.getdoc(function) or "", re.MULTILINE))
    params = []
    for p in signature[2:]:
        if not isinstance(p.default, (bool, int, float)) or not math.isfinite(p.default):
            raise TypeError(f"parameter '{p.name}' of scheduler {name} needs a default that is a number, True or False")
        params.append(_Param(p.name, p.default, documented.get(p.name, "see the scheduler's source")))
    return params


def _plan(function: Callable[..., None], params: list[_Param], c_problem: Any, values: Any, inputs: Any, out: Any,
          e: Any) -> int:
    name = function.__name__
    for given, option in ((inputs.order, "an order (--order)"), (inputs.allocation, "an allocation (--allocation)")):
        if given != ffi.NULL:
            return _refuse(e, f"it does not take {option}: list does")
    problem = Problem(c_problem)
    draft = Draft(problem, out)
    try:
        with _output_apart():
            returned = function(problem, draft, **{p.name: p.read(values) for p in params})
        missing = draft._missing()
    finally:
        draft._end()
    if returned is not None:
        return _refuse(e, f"{name} returns a value of type {type(returned).__name__}; it must return nothing, because "
                          "the schedule is what it places")
    if missing is not None:
        return _refuse(e, f"{name} has ended without placing task '{missing}'")
    return int(lib.schedule_compact(out, e))


def _as_scheduler(function: Callable[..., None]) -> Any:
    params = _params_of(function)
    summary = (inspect.getdoc(function) or "").split("\n")[0]
    if not summary:
        raise TypeError(f"scheduler {function.__name__} has no docstring; its first line is the summary in `iasim "
                        "list`")
    table = ffi.new("struct param[]", len(params) + 1)
    for param, entry in zip(params, table):
        param.fill(entry)

    def plan(problem: Any, values: Any, inputs: Any, out: Any, e: Any) -> int:
        try:
            return _plan(function, params, problem, values, inputs, out, e)
        except BaseException as error:  # also SystemExit: the program decides what a failed point costs
            return _refuse(e, _sentence(error))

    made = ffi.new("struct scheduler *")
    called = ffi.callback(ffi.typeof(made.plan), plan, error=lib.ERR_INPUT)
    made.name, made.summary, made.params, made.plan = _c(function.__name__), _c(summary), table, called
    _kept.extend([table, called, made])
    return made


def _prefer_modules_in(folder: str) -> None:
    """Modules beside the file are found first. Python would silently take one that an earlier file has imported from
    beside itself for another one of that name."""
    for name, module in list(sys.modules.items()):
        place, file = os.path.split(getattr(module, "__file__", None) or "")
        if place in _folders - {folder} and os.path.exists(os.path.join(folder, file)) and name not in _names:
            raise ImportError(f"a module '{name}' is also beside another plugin, which has imported it: rename one of "
                              "them")
    _folders.add(folder)
    if folder not in sys.path:
        sys.path.insert(0, folder)


def _load(path: str) -> list[Any]:
    """Runs the file and returns its schedulers."""
    _found.clear()
    _prefer_modules_in(os.path.dirname(os.path.abspath(path)))
    spec = importlib.util.spec_from_file_location(Path(path).stem, path)
    assert spec is not None and spec.loader is not None  # as for every name that ends in .py
    module = importlib.util.module_from_spec(spec)
    sys.modules.setdefault(spec.name, module)
    _names.add(spec.name)
    spec.loader.exec_module(module)
    if threading.active_count() > 1:  # a process of a point, which has only this thread, would wait for it for ever
        raise RuntimeError("the file leaves a thread running; a scheduler may start threads when it is called")
    if not _found:
        raise TypeError("no function of the file has the decorator @iasim.scheduler")
    if len(_found) > 63:
        raise TypeError(f"the file has {len(_found)} schedulers; at most 63 are possible")
    return [_as_scheduler(function) for function in _found]


# --- the program's side ---


def _check_sizes() -> None:
    for name in WHOLE:
        theirs = lib.iasim_plugin_size_of(name.encode())
        if theirs != ffi.sizeof(f"struct {name}"):
            sys.exit(f"iasim: this package for Python belongs to another version of iasim: its struct {name} has "
                     f"{ffi.sizeof(f'struct {name}')} bytes, but that of libiasim has {theirs}")


def serve(library: str, words: list[str]) -> None:
    """The program within Python: its main function with these words, in a process that can load plugins in Python. Ends
    the process, as the program does."""
    global ffi, lib
    import cffi

    ffi = cffi.FFI()
    ffi.cdef(Path(_HERE, "plugin.cdef").read_text(encoding="utf-8"))
    # Python has set the user's locale, but SimGrid compares the words of its configuration without case: with Turkish
    # rules it does not know its own. C programs that do not ask for a locale have this one.
    locale.setlocale(locale.LC_ALL, "C")
    lib = ffi.dlopen(library, ffi.RTLD_NOW | ffi.RTLD_GLOBAL)  # global: plugins in C find its functions, too
    _check_sizes()

    def read(path: Any, out: Any, e: Any) -> int:
        try:
            with _output_apart():
                made = _load(os.fsdecode(ffi.string(path)))
            out.schedulers[0 : len(made)] = made
            return int(lib.ERR_NONE)
        except BaseException as error:
            return _refuse(e, _sentence(error))

    called = ffi.callback("iasim_plugin_read", read, error=lib.ERR_INPUT)
    lib.iasim_plugin_reader(called)
    texts = [ffi.new("char[]", os.fsencode(word)) for word in words]
    lib.exit(lib.iasim_main(len(texts), ffi.new("char *[]", texts + [ffi.NULL])))
