# SPDX-License-Identifier: LGPL-2.1-or-later
"""Schedulers in Python: what a file given as `--plugin mine.py` uses for them."""
from __future__ import annotations

import math
import struct
from collections.abc import Callable, Sequence
from functools import cached_property
from typing import Any, NamedTuple

from . import _library

WHOLE = ("task", "edge", "task_costs", "problem", "scheduler_inputs", "scheduler", "span", "draft_options",
         "draft_mark")  # the structures of plugin.cdef that have all their fields
found: list[Callable[..., None]] = []  # in the file that is being loaded


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
    found.append(function)
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
        first, size = _library.ffi.cast("char *", self._machine.hosts), _library.lib.iasim_plugin_size_of(b"host")
        self._hosts = [_library.ffi.cast("struct host *", first + h * size) for h in self.hosts]

    @cached_property
    def task_names(self) -> list[str]:
        """The name of each task."""
        return [_library.string(self._dag.tasks[t].name) for t in self.tasks]

    @cached_property
    def host_names(self) -> list[str]:
        """The name of each host."""
        return [_library.string(h.name) for h in self._hosts]

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
        return _library.numbers(self._dag.order, self.n_tasks)

    @property
    def model(self) -> str:
        """The cost model, with its parameters: what the planner believes of communication."""
        return _library.string(_library.lib.cost_model_text(self._problem.model))

    def compute_s(self, task: int, host: int) -> float:
        """How long the task takes on the host; infinite: it may not run there."""
        _library.check("task", task, self.n_tasks)
        _library.check("host", host, self.n_hosts)
        if self._problem.costs != _library.ffi.NULL:
            return float(self._problem.costs.compute_s[task * self.n_hosts + host])
        return float(self._dag.tasks[task].work_flop / self._hosts[host].speed_flop_per_s)

    @cached_property
    def _means(self) -> tuple[Any, Any]:
        task_s, edge_s = _library.ffi.new("double[]", self.n_tasks), _library.ffi.new("double[]", self._dag.n_edges + 1)
        _library.lib.problem_mean_costs(self._problem, task_s, edge_s)
        _library.lib.problem_pair_costs(self._problem, edge_s)
        return task_s, edge_s

    @cached_property
    def mean_compute_s(self) -> list[float]:
        """The mean time of each task over the hosts where it may run."""
        return _library.numbers(self._means[0], self.n_tasks)

    @cached_property
    def mean_edge_s(self) -> list[float]:
        """The mean time of each edge between two hosts, over all pairs of them, under the cost model."""
        return _library.numbers(self._means[1], self._dag.n_edges)

    @cached_property
    def bottom_levels(self) -> list[float]:
        """For each task, the costliest path from it to an end of the graph, by mean times, with the task itself."""
        return self._levels(_library.lib.dag_bottom_levels)

    @cached_property
    def top_levels(self) -> list[float]:
        """For each task, the costliest path that leads to it, by mean times, without the task itself."""
        return self._levels(_library.lib.dag_top_levels)

    def _levels(self, function: Any) -> list[float]:
        out = _library.ffi.new("double[]", self.n_tasks)
        function(self._dag, *self._means, out)
        return _library.numbers(out, self.n_tasks)

    def priority_list(self, values: Sequence[float]) -> list[int]:
        """All tasks, each after its predecessors, the one with the largest value first; ties go to the first in the
        file."""
        if len(values) != self.n_tasks:
            raise ValueError(f"priority_list needs a value for each of the {self.n_tasks} tasks, not {len(values)}")
        if any(math.isnan(v) for v in values):
            raise ValueError("a value of priority_list is not a number")
        tasks = _library.lib.priority_list_of(self._dag, _library.ffi.new("double[]", list(values)))
        try:
            return _library.numbers(tasks, self.n_tasks)
        finally:
            _library.lib.free(tasks)


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
        options = _library.ffi.new("struct draft_options *")
        options.technique = _library.lib.TECHNIQUE_INSERTION if technique == "insertion" else _library.lib.TECHNIQUE_END
        if order is not None:
            if sorted(order) != list(self._problem.tasks):
                raise ValueError("the order of draft.begin must have every task once")
            tasks = _library.ffi.new("task_id[]", list(order))
            options.list = tasks
        self._made = _library.lib.draft_create_by(self._schedule, options)

    def _draft(self) -> Any:
        if self._is_over:
            raise ValueError("the draft cannot be used after its scheduler has ended")
        if self._made is None:
            self.begin()
        return self._made

    def _check(self, task: int, host: int = 0) -> Any:
        _library.check("host", host, self._problem.n_hosts)
        if not self.is_ready(task):
            name = self._problem.task_names[task]
            if task in self._placed:
                raise ValueError(f"task '{name}' has been placed already")
            raise ValueError(f"task '{name}' is not ready: place its predecessors first")
        return self._made

    def is_ready(self, task: int) -> bool:
        """Whether the task is not yet placed but all its predecessors are."""
        _library.check("task", task, self._problem.n_tasks)
        return bool(_library.lib.draft_is_ready(self._draft(), task))

    def try_(self, task: int, host: int) -> Span:
        """When the ready task would start and finish on the host; infinite: it may not run there. Changes nothing."""
        span = _library.lib.draft_try(self._check(task, host), task, host)
        return Span(span.start_s, span.finish_s)

    def place(self, task: int, host: int) -> float:
        """Places the ready task on the host; returns its finish."""
        draft = self._check(task, host)
        if math.isinf(self._problem.compute_s(task, host)):
            names = self._problem.task_names[task], self._problem.host_names[host]
            raise ValueError(f"task '{names[0]}' may not run on host '{names[1]}'")
        self._placed.append(task)
        return float(_library.lib.draft_place(draft, task, host))

    def choose_host(self, task: int, least: str = "finish") -> int:
        """The host where the ready task finishes first, or with least="start" starts first; ties go to the first host.
        The same as try_ on every host, but faster."""
        if least not in ("finish", "start"):
            raise ValueError(f"least is '{least}'; it must be finish or start")
        which = _library.lib.DRAFT_LEAST_FINISH if least == "finish" else _library.lib.DRAFT_LEAST_START
        return int(_library.lib.draft_choose_host(self._check(task), task, which))

    def end_s(self, host: int) -> float:
        """When the last booking on the host's processor ends; 0: there is none."""
        _library.check("host", host, self._problem.n_hosts)
        return float(_library.lib.draft_end_s(self._draft(), host))

    def mark(self) -> int:
        """A mark for rollback. Marks nest."""
        self._marks.append((_library.lib.draft_mark(self._draft()), len(self._placed)))
        return len(self._marks) - 1

    def rollback(self, mark: int) -> None:
        """Undoes everything since the mark, which stays valid; later marks do not."""
        if not 0 <= mark < len(self._marks):
            raise ValueError(f"mark {mark} is not valid: it was rolled back, or never made")
        state, n_placed = self._marks[mark]
        del self._marks[mark + 1 :], self._placed[n_placed:]
        _library.lib.draft_rollback(self._draft(), state)

    def _end(self) -> None:
        if self._made is not None:
            _library.lib.draft_free(self._made)
        self._made, self._is_over = None, True

    def _missing(self) -> str | None:
        placed = set(self._placed)
        return next((self._problem.task_names[t] for t in self._problem.tasks if t not in placed), None)


# --- functions as schedulers of the program ---


def _plan(function: Callable[..., None], params: list[_library.Param], c_problem: Any, values: Any, inputs: Any,
          out: Any, e: Any) -> int:
    name = function.__name__
    for given, option in ((inputs.order, "an order (--order)"), (inputs.allocation, "an allocation (--allocation)")):
        if given != _library.ffi.NULL:
            return _library.refuse(e, f"it does not take {option}: list does")
    problem = Problem(c_problem)
    draft = Draft(problem, out)
    try:
        with _library.OutputApart():
            returned = function(problem, draft, **{p.name: p.read(values) for p in params})
        missing = draft._missing()
    finally:
        draft._end()
    if returned is not None:
        return _library.refuse(e, f"{name} returns a value of type {type(returned).__name__}; it must return nothing, "
                                  "because the schedule is what it places")
    if missing is not None:
        return _library.refuse(e, f"{name} has ended without placing task '{missing}'")
    return int(_library.lib.schedule_compact(out, e))


def as_scheduler(function: Callable[..., None]) -> Any:
    params = _library.params_of("scheduler", function, "problem, draft")
    table = _library.table_of(params)

    def plan(problem: Any, values: Any, inputs: Any, out: Any, e: Any) -> int:
        try:
            return _plan(function, params, problem, values, inputs, out, e)
        except BaseException as error:  # also SystemExit: the program decides what a failed point costs
            return _library.refuse(e, _library.sentence(error))

    made = _library.ffi.new("struct scheduler *")
    called = _library.ffi.callback(_library.ffi.typeof(made.plan), plan, error=_library.lib.ERR_INPUT)
    made.name, made.summary = _library.words_of("scheduler", function)
    made.params, made.plan = table, called
    _library.kept.extend([called, made])
    return made
