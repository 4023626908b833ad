# SPDX-License-Identifier: LGPL-2.1-or-later
"""Farm policies in Python: what a file given as `--plugin mine.py` uses for them."""
from __future__ import annotations

import inspect
import math
import struct
from collections.abc import Callable
from typing import Any, NamedTuple

from . import _library

# The structures of plugin.cdef that have all their fields.
WHOLE = ("tree_node", "tree", "policy_view", "policy_child", "policy_state", "policy_send", "policy")
PLANS = {False: "POLICY_PLANS_NOTHING", True: "POLICY_PLANS_PHYSICAL", "physical": "POLICY_PLANS_PHYSICAL",
         "greedy": "POLICY_PLANS_GREEDY"}
found: list[tuple[Callable[..., Any], dict[str, Any]]] = []  # in the file that is being loaded
_child = struct.Struct("@iiddd??ddd")  # struct policy_child


def policy(function: Callable[..., Any] | None = None, *, multi_port: bool = False, prunes_by_default: bool = False,
           oldest_first: bool = False, plans: bool | str = False, measures: bool = False) -> Any:
    """Makes a function a farm policy of the program. This is a whole file, mine.py:

        import iasim

        @iasim.policy
        def mine(view, state):
            \"\"\"The child that has got least.\"\"\"
            able = [child for child in state.children if child.can_be_served]
            return min(able, key=lambda child: child.given_tasks).node

        @iasim.policy
        def swift(view, child):
            \"\"\"The fastest link first.\"\"\"
            return view.nodes[child].max_transfer_bytes_per_s

    A function of `view` and `state` is asked whenever a node could send, which child is served next: it returns the
    child's number, or None to serve none now, or a Send, which may also limit the transfer's rate or cut it. A function
    of `view` and `child` gives each child a priority, once, before the run: a finite number, the largest goes first.
    Both must depend on their arguments alone. `view` is a PolicyView, `state` a PolicyState.

    Further arguments are parameters, as those of schedulers are (iasim.scheduler); every policy has chunk, prune and
    ports anyway.

    multi_port, prunes_by_default: the defaults of ports and prune. A function of `view` and `state` with many ports is
    asked until it returns None.
    oldest_first: of equal priorities, the oldest request goes first.
    plans: view.planned_tasks_per_s is there: "physical" (or True), of a plan for the physical bound, "greedy", of the
    paper's solution.
    measures: the state has what the node measures."""
    options = {"multi_port": multi_port, "prunes_by_default": prunes_by_default, "oldest_first": oldest_first,
               "plans": plans, "measures": measures}

    def add(f: Callable[..., Any]) -> Callable[..., Any]:
        found.append((f, options))
        return f

    return add if function is None else add(function)


class PolicyNode(NamedTuple):
    """A node of the farm's tree as the policy believes it; iasim/farm/tree.h says more of each figure."""

    host_name: str
    parent: int  # -1: it is the root
    children: tuple[int, ...]
    compute_rate_flop_per_s: float
    max_transfer_bytes_per_s: float  # from its parent; nan of the root
    ir_send_s_per_byte: float  # what sending to it costs its parent; nan of the root
    ir_recv_s_per_byte: float
    send_limit_bytes_per_s: float  # of all its sends together; may be infinite
    receive_drop_ratio: float
    route_bytes_per_s: float
    ir_floor_ratio: float


class PolicyChild(NamedTuple):
    """What a node knows of a child when it decides."""

    node: int
    n_requests: int  # unanswered
    request_s: float  # date of the one that is served next; nan: there is none
    given_tasks: float  # that it has got so far, with the part of a task that it has
    remaining_ratio: float  # of that task; 0: it has no part of a task
    is_sent_to: bool  # a transfer to it is under way
    can_be_served: bool
    # Measured, if the policy measures; else 0:
    rate_bytes_per_s: float  # 0: not known yet; inf: transfers take no time
    cost_s_per_byte: float  # by which sending to it lengthens the node's own tasks
    sated_ratio: float  # of the time, lately: it had all that it asked for


class PolicyState(NamedTuple):
    """What a node knows when it decides. At least one child can be served."""

    node: int
    now_s: float
    n_held: int  # its tasks that are neither computed nor sent yet
    n_computed: int  # by itself
    is_receiving: bool
    # Measured, if the policy measures:
    task_s: float  # of an own task while nothing is sent or received; nan: none has ended yet
    receive_cost_s_per_byte: float
    limit_bytes_per_s: float  # of all sends together; inf: they have not slowed each other down yet
    children: list[PolicyChild]  # in the order of the deployment


class Send(NamedTuple):
    """A decision: the child, and how it is sent to. piece_bytes: the node decides again after so many whole bytes, if
    that is before the end of the chunk or task; 0: it does not."""

    child: int
    limit_bytes_per_s: float = math.inf
    piece_bytes: float = 0


class PolicyView:
    """What a policy knows before the run. Nodes are numbers from 0, in the order of the deployment: `nodes[n]` is a
    PolicyNode, `root` the number of the root. `task_bytes` and `task_flop` are the size and the work of a task,
    `planned_tasks_per_s[n]` what the plan gives to the subtree of a node (None: the policy does not plan),
    `is_multi_port` whether a node may send to several children at once."""

    def __init__(self, view: Any):
        self._tree = view.tree
        nodes = view.tree.nodes[0 : view.tree.n_nodes]
        self.task_bytes: float = view.task_bytes
        self.task_flop: float = view.task_flop
        self.is_multi_port: bool = view.is_multi_port
        self.root: int = view.tree.root
        self.nodes = [_node(n) for n in nodes]
        self.planned_tasks_per_s: list[float] | None = None
        if view.planned_tasks_per_s != _library.ffi.NULL:
            self.planned_tasks_per_s = _library.numbers(view.planned_tasks_per_s, len(self.nodes))

    def is_pruned(self, child: int) -> bool:
        """Whether a task is better computed at the parent than sent to this child: IR_s Z C >= 1."""
        _library.check("node", child, len(self.nodes))
        return bool(_library.lib.tree_is_pruned(self._tree, child, self.task_bytes, self.task_flop))


def _node(n: Any) -> PolicyNode:
    figures = (getattr(n, name) for name in PolicyNode._fields[3:])
    return PolicyNode(_library.string(n.host_name), n.parent, tuple(n.children[0 : n.n_children]), *figures)


def _state(s: Any) -> PolicyState:
    size = s.n_children * _child.size
    children = [PolicyChild._make(x) for x in _child.iter_unpack(_library.ffi.buffer(s.children, size))]
    return PolicyState(s.node, s.now_s, s.n_held, s.n_computed, s.is_receiving, s.task_s, s.receive_cost_s_per_byte,
                       s.limit_bytes_per_s, children)


class _Views:
    """The program shows the same view again and again. It stays where it is while a farm runs, and a process runs one
    farm."""

    def __init__(self, params: list[_library.Param]):
        self.params = params
        self.views: dict[Any, tuple[PolicyView, dict[str, Any]]] = {}

    def of(self, view: Any) -> tuple[PolicyView, dict[str, Any]]:
        key = (view, view.tree, view.params)
        if key not in self.views:
            self.views[key] = PolicyView(view), {p.name: p.read(view.params) for p in self.params}
        return self.views[key]


def _decision(name: str, answer: Any, out: Any) -> Any:
    if answer is None:
        out.child = -1
        return out
    send = answer if isinstance(answer, Send) else Send(answer)
    if not isinstance(send.child, int) or isinstance(send.child, bool):
        raise TypeError(f"{name} returns {_shown(send.child)}; it must return the number of a child, None or a Send")
    if send.child < 0:
        raise ValueError(f"{name} returns {send.child}; nodes are numbered from 0, and None serves no child")
    for field in ("limit_bytes_per_s", "piece_bytes"):
        if not isinstance(getattr(send, field), (int, float)) or isinstance(getattr(send, field), bool):
            raise TypeError(f"{name} returns a Send whose {field} is {_shown(getattr(send, field))}; it must be a "
                            "number")
    out.child, out.limit_bytes_per_s, out.piece_bytes = send
    return out


def _shown(value: object) -> str:
    return f"a value of type {type(value).__name__}"


def _choice(function: Callable[..., Any], views: _Views) -> Callable[[Any, Any], Any]:
    out = _library.ffi.new("struct policy_send *")
    failed = False

    def choose(view: Any, state: Any) -> Any:
        nonlocal failed
        if failed:  # the run goes on, but its result does not count
            out.child = -1
            return out[0]
        try:
            known, values = views.of(view)
            with _library.OutputApart():
                answer = function(known, _state(state), **values)
            return _decision(function.__name__, answer, out)[0]
        except BaseException as error:  # also SystemExit: the program decides what a failed point costs
            failed = True
            _library.fail(error)
            out.child = -1
            return out[0]

    return choose


def _priority(function: Callable[..., Any], views: _Views) -> Callable[[Any, int], float]:
    def priority(view: Any, child: int) -> float:
        try:
            known, values = views.of(view)
            with _library.OutputApart():
                answer = function(known, child, **values)
            if not isinstance(answer, (int, float)) or isinstance(answer, bool):
                raise TypeError(f"{function.__name__} returns {_shown(answer)}; it must return a number")
            return float(answer)
        except BaseException as error:
            _library.fail(error)
            return 0

    return priority


def _second_argument(function: Callable[..., Any]) -> str:
    names = list(inspect.signature(function).parameters)
    if len(names) < 2 or names[1] not in ("state", "child"):
        raise TypeError(f"policy {function.__name__} must be a function of view and state, or of view and child")
    return names[1]


def as_policy(function: Callable[..., Any], options: dict[str, Any]) -> Any:
    """A function as a policy of the program."""
    ffi, lib = _library.ffi, _library.lib
    chooses = _second_argument(function) == "state"
    own = _library.params_of("policy", function, "view, state")
    made = ffi.new("struct policy *")
    made.name, made.summary = _library.words_of("policy", function)
    made.sends = True
    made.params = _library.table_of(own, lib.policy_params_of(made))
    for name in ("multi_port", "prunes_by_default", "oldest_first", "measures"):
        if not isinstance(options[name], bool):
            raise TypeError(f"policy {function.__name__}: {name} must be True or False")
        setattr(made, name, options[name])
    if options["plans"] not in PLANS:
        raise ValueError(f"policy {function.__name__}: plans must be True, False, \"physical\" or \"greedy\"")
    made.plans = getattr(lib, PLANS[options["plans"]])
    for name in ("plans", "measures") if not chooses else ("oldest_first",):
        if options[name]:
            raise TypeError(f"policy {function.__name__}: {name} is for functions of view and "
                            f"{'child' if chooses else 'state'}")
    kind = "choose" if chooses else "priority"
    made_of = _choice if chooses else _priority
    called = ffi.callback(ffi.typeof(getattr(made, kind)), made_of(function, _Views(own)))
    setattr(made, kind, called)
    _library.kept.extend([called, made])
    return made
