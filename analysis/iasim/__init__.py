# SPDX-License-Identifier: LGPL-2.1-or-later
"""iasim from Python: results as pandas frames, the program's commands as functions, and schedulers and farm policies of
your own.

    import iasim
    iasim.graph("layered[tasks=50]", seed=1, out="g.dot")
    plan = iasim.schedule(graph="g.dot", platform="platforms/sinnen-bus.xml", model="involvement", scheduler="heft")
    run = iasim.replay(plan, world="involvement")
    print(run.attrs["makespan_s"], run.attrs["units"])

    sweeps             run, results, compare
    a schedule         graph, graph_info, schedule, check, replay, explain, explain_difference
    a farm             platform, farm, bound
    anything           known: what there is; call: any other command; table: tables among the attrs of a frame
    a scheduler        scheduler, Problem, Draft, rounded
    a farm policy      policy, PolicyView, PolicyState, Send

Functions that call the program take its options as keyword arguments, with underscores for dashes: `send_size=2` is
`--send-size=2`. A flag is True; several values are a list; `noise={"work": 0.1, "size": 0.2}` is
`--noise=work=0.1,size=0.2`. `iasim COMMAND --help` explains the options. Where the program refuses, the function raises
iasim.Error with the program's message.

Every frame has `attrs["units"]`: the unit of each column that has one. The other entries of `attrs` are the figures of
the whole run, such as `makespan_s`.

The program is the file that the environment variable IASIM names; else that of the checkout or the installation that
this package belongs to; else `iasim` on PATH. Frames need pandas (Debian: python3-pandas). Schedulers and
policies in Python need cffi (Debian: python3-cffi): see `iasim.scheduler` and `iasim.policy`. """
__version__ = "0.2.0"  # of iasim: a test compares it with the program's

from ._program import Error, call, program
from ._frames import (bound, check, compare, explain, explain_difference, farm, graph, graph_info, known, platform,
                      replay, results, run, schedule, table)
from ._policy import PolicyChild, PolicyNode, PolicyState, PolicyView, Send, policy
from ._scheduler import Draft, Edge, Problem, Span, rounded, scheduler

__all__ = ["Draft", "Edge", "Error", "PolicyChild", "PolicyNode", "PolicyState", "PolicyView", "Problem", "Send",
           "Span", "bound", "call", "check", "compare", "explain", "explain_difference", "farm", "graph", "graph_info",
           "known", "platform", "policy", "program", "replay", "results", "rounded", "run", "schedule", "scheduler",
           "table"]
