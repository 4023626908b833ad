# SPDX-License-Identifier: LGPL-2.1-or-later
"""Schedulers that do something wrong, each in its own way. `fault` says which one; 0: none."""
import ctypes
import os
import sys

import iasim


def divide(x):
    return 1 / x


def deep(n):
    return deep(n + 1)


def place_all(problem, draft):
    for task in problem.order:
        draft.place(task, draft.choose_host(task))


def place_twice(problem, draft):
    draft.place(problem.order[0], 0)
    draft.place(problem.order[0], 0)


def escape(problem, draft):
    place_all(problem, draft)
    raise SystemExit(0)


def roll_back_too_far(problem, draft):
    first, second = draft.mark(), draft.mark()
    draft.rollback(first)
    draft.rollback(second)


def fork(problem, draft):
    os.fork()
    place_all(problem, draft)


def loop():
    while True:
        pass


FAULTS = [
    place_all,
    lambda problem, draft: divide(0),
    lambda problem, draft: loop(),
    escape,
    lambda problem, draft: os._exit(0),
    lambda problem, draft: ctypes.string_at(0),
    lambda problem, draft: deep(0),
    lambda problem, draft: None,
    lambda problem, draft: draft.place(problem.order[-1], 0),
    place_twice,
    lambda problem, draft: draft.place(problem.order[0], problem.n_hosts),
    lambda problem, draft: draft.place(-1, 0),
    lambda problem, draft: draft.begin(order=[0]),
    roll_back_too_far,
    fork,
    lambda problem, draft: sys.stdout.write("chatter") and place_all(problem, draft),
    lambda problem, draft: problem.priority_list([1.0]),
    lambda problem, draft: draft.place("first", 0),
]


@iasim.scheduler
def misbehaving(problem, draft, fault=0):
    """Does something wrong.

    fault: which of them
    """
    FAULTS[fault](problem, draft)
