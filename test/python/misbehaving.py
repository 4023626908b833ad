# SPDX-License-Identifier: LGPL-2.1-or-later
"""Schedulers that do something wrong, each in its own way. `fault` says which one; 0, and those called well_...:
none."""
import ctypes
import os
import sys
import threading
from concurrent.futures import ThreadPoolExecutor

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


def interrupt(problem, draft):
    place_all(problem, draft)
    raise KeyboardInterrupt


def well_with_threads(problem, draft):
    with ThreadPoolExecutor(4) as pool:
        assert list(pool.map(draft.is_ready, problem.order)) == [not problem.entering[t] for t in problem.order]
    threading.Thread(target=loop, daemon=True).start()
    place_all(problem, draft)


def well_with_chatter(problem, draft):
    print("chatter")
    sys.stdout.write("chatter")
    sys.stderr.write("chatter")
    os.write(1, b"chatter")
    os.system("echo chatter")
    place_all(problem, draft)


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
    well_with_chatter,
    lambda problem, draft: problem.priority_list([1.0]),
    lambda problem, draft: draft.place("first", 0),
    lambda problem, draft: place_all(problem, draft) or list(problem.order),
    lambda problem, draft: draft.place(problem.order[0], -1),
    interrupt,
    lambda problem, draft: [0] * 10**17,
    well_with_threads,
]


@iasim.scheduler
def misbehaving(problem, draft, fault=0):
    """Does something wrong.

    fault: which of them
    """
    return FAULTS[fault](problem, draft)
