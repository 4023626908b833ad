# SPDX-License-Identifier: LGPL-2.1-or-later
"""A second opinion on `iasim online`, written from its published rules alone (doc/model.md, Online, Replay and World;
`iasim list runtime_policies`) and as plainly as possible: at every date everything is looked at.

A machine is a list of hosts and links, and routes; a workload is a list of jobs with tasks and edges. `Run` carries it
out and leaves the dates in `tasks` and `edges`. It knows SHARED and FATPIPE links, the worlds none, interference and
involvement, both orders of queues, prefetching, decision times, and the policies below `class Policy`. It knows no
noise, no curves, and no task that is moved from queue to queue."""
import math

ROUNDING = 1e-12  # dates that differ by no more, relative to the larger, are one instant


class Host:
    def __init__(self, name, flop_per_s, ir=(0, 0), floor=0, overhead_s=(0, 0), involvement=(0, 0)):
        self.name, self.flop_per_s, self.ir, self.floor = name, flop_per_s, ir, floor  # ir: per byte/s; send, receive
        self.overhead_s, self.involvement = overhead_s, involvement


class Link:
    def __init__(self, name, bytes_per_s, latency_s=0.0, is_fatpipe=False):
        self.name, self.bytes_per_s, self.latency_s, self.is_fatpipe = name, bytes_per_s, latency_s, is_fatpipe


class Task:
    def __init__(self, job, name, flop):
        self.job, self.name, self.flop, self.number = job, name, flop, None
        self.into, self.out = [], []  # edges
        self.host = self.start_s = self.finish_s = None
        self.remaining = flop


class Edge:
    def __init__(self, src, dst, size):
        self.number, self.src, self.dst, self.bytes = None, src, dst, size
        self.asked = self.send_start_s = self.send_end_s = self.leave_s = self.moving_s = self.arrival_s = None
        self.recv_start_s = self.there_s = None
        self.latency_left_s, self.remaining, self.rate, self.weight = 0, size, 0, 1
        src.out.append(self)
        dst.into.append(self)


class Job:
    def __init__(self, name, release_s):
        self.name, self.release_s, self.tasks, self.edges = name, release_s, [], []


class Machine:
    def __init__(self, hosts, links, routes):
        self.hosts, self.links, self.routes = hosts, links, routes  # routes[i, j]: links' numbers

    def path(self, src, dst):
        return [self.links[k] for k in self.routes[src, dst]]

    def alone_s(self, src, dst, size):
        """What data take on a free network."""
        path = self.path(src, dst)
        return sum(x.latency_s for x in path) + size / min(x.bytes_per_s for x in path)


def share(machine, flows):
    """Max-min: all rates rise together, in proportion to weights, until a link is full; a flow through it is then
    settled. Of a FATPIPE link each flow may have all."""
    left = {k: x.bytes_per_s for k, x in enumerate(machine.links)}
    open_ = list(flows)
    while open_:
        best, settled = math.inf, []
        for k, link in enumerate(machine.links):
            through = [e for e in open_ if k in e.path]
            if link.is_fatpipe:
                for e in through:
                    level = link.bytes_per_s / e.weight
                    if level < best:
                        best, settled = level, [e]
            elif through:
                level = max(left[k], 0) / sum(e.weight for e in through)
                if level < best:
                    best, settled = level, through
        for e in settled:
            e.rate = best * e.weight
            for k in e.path:
                left[k] -= e.rate
            open_.remove(e)


class Run:
    def __init__(self, machine, jobs, policy, world="none", order=None, prefetch=None, decision_s=0, decision_task_s=0):
        self.machine, self.jobs, self.world, self.policy = machine, jobs, world, policy
        self.order = order or policy.order
        self.prefetch, self.decision_s, self.decision_task_s = prefetch or math.inf, decision_s, decision_task_s
        self.tasks = [t for j in jobs for t in j.tasks]
        self.edges = [e for j in jobs for e in j.edges]
        for n, x in enumerate(self.tasks):
            x.number = n
        for n, x in enumerate(self.edges):
            x.number = n
        n_hosts = len(machine.hosts)
        self.queues = [[] for _ in range(n_hosts)]
        self.running = [None] * n_hosts  # a task
        self.until_s = [0.0] * n_hosts  # when it should end, as estimated
        self.held = [None] * n_hosts  # ("send" or "recv", an edge)
        self.sends = [[] for _ in range(n_hosts)]  # asked for, and waiting for the processor
        self.waiting_recvs = [[] for _ in range(n_hosts)]
        self.flows, self.leaving = [], []
        self.now_s, self.n_calls, self.n_looked_at = 0.0, 0, 0
        self.pending, self.decided, self.busy_until_s = [], None, 0.0
        self.to_release = sorted(jobs, key=lambda j: j.release_s)

    # ---- what policies ask ----

    def compute_s(self, t, h):
        return t.flop / self.machine.hosts[h].flop_per_s

    def free_s(self, h):
        now = max(self.until_s[h], self.now_s) if self.running[h] else self.now_s
        return now + sum(self.compute_s(t, h) for t in self.queues[h])

    def data_s(self, t, h):
        return max([self.now_s] + [self.now_s + self.machine.alone_s(e.src.host, h, e.bytes) for e in t.into
                                   if e.src.host != h])

    # ---- time ----

    def is_past(self, date_s):
        return date_s <= self.now_s * (1 + ROUNDING)

    def cost(self, e, side):
        """o, i of the message at its source (side 0) or destination (1)."""
        if self.world not in ("involvement", "overhead"):
            return 0, 0
        h = (e.src if side == 0 else e.dst).host
        host, path = self.machine.hosts[h], self.machine.path(e.src.host, e.dst.host)
        link = path[0 if side == 0 else -1]
        part = host.involvement[side] if self.world == "involvement" else 0
        return host.overhead_s[side], part * e.bytes / link.bytes_per_s

    def speed(self, h):
        factor = 1
        if self.world == "interference":
            host = self.machine.hosts[h]
            for e in self.flows:
                if e.latency_left_s == 0:
                    factor -= host.ir[0] * e.rate * (e.src.host == h) + host.ir[1] * e.rate * (e.dst.host == h)
            factor = min(1, max(host.floor, factor))
        return factor * self.machine.hosts[h].flop_per_s

    def solve(self):
        for e in self.flows:
            e.rate = 0
        share(self.machine, [e for e in self.flows if e.latency_left_s == 0])
        self.speeds = [self.speed(h) for h in range(len(self.machine.hosts))]

    def left_s(self, x, rate):
        return 0 if x.remaining <= 0 else x.remaining / rate if rate > 0 else math.inf

    def expected_s(self, e):
        """Arrival as things look now."""
        if e.arrival_s is not None:
            return e.arrival_s
        if e.moving_s is None or e.latency_left_s > 0:
            return math.inf
        return self.now_s + self.left_s(e, e.rate)

    def due_s(self, e):
        return e.arrival_s if e.arrival_s is not None else self.expected_s(e) - self.cost(e, 1)[1]

    def recv_end_s(self, e):
        if e.arrival_s is None:
            return math.inf
        o, i = self.cost(e, 1)
        return max(e.recv_start_s + i, e.arrival_s) + o

    def next_s(self):
        dates = [j.release_s for j in self.to_release[:1]]
        for h, t in enumerate(self.running):
            if t:
                dates.append(self.now_s + self.left_s(t, self.speeds[h]))
            elif self.held[h]:
                what, e = self.held[h]
                dates.append(e.send_end_s if what == "send" else self.recv_end_s(e))
            else:
                dates += [self.due_s(e) for e in self.waiting_recvs[h] if not self.is_past(self.due_s(e))]
        dates += [e.leave_s for e in self.leaving]
        dates += [self.now_s + (e.latency_left_s or self.left_s(e, e.rate)) for e in self.flows]
        if self.decided:
            dates.append(self.busy_until_s)
        return min(dates, default=math.inf)

    def advance(self, to_s):
        passed = to_s - self.now_s
        slack = ROUNDING * to_s
        for h, t in enumerate(self.running):
            if t:
                over = self.left_s(t, self.speeds[h]) <= passed + slack
                t.remaining = 0 if over else t.remaining - passed * self.speeds[h]
        for e in self.flows:
            if e.latency_left_s > 0:
                e.latency_left_s = 0 if e.latency_left_s <= passed + slack else e.latency_left_s - passed
            else:
                e.remaining = 0 if self.left_s(e, e.rate) <= passed + slack else e.remaining - passed * e.rate
        self.now_s = to_s

    # ---- an instant: first ends, then the policy, then starts ----

    def end_what_ends(self):
        for e in list(self.flows):
            if e.latency_left_s == 0 and e.remaining <= 0:
                self.flows.remove(e)
                e.arrival_s = self.now_s
                if sum(self.cost(e, 1)) == 0:
                    e.there_s = self.now_s
        for h in range(len(self.running)):
            if self.held[h]:
                what, e = self.held[h]
                if what == "send" and self.is_past(e.send_end_s):
                    self.held[h] = None
                elif what == "recv" and self.is_past(self.recv_end_s(e)):
                    self.held[h], e.there_s = None, self.now_s
            t = self.running[h]
            if t and t.remaining <= 0:
                t.finish_s, self.running[h] = self.now_s, None
                self.pending.append(("ended", t))
        while self.to_release and self.is_past(self.to_release[0].release_s):
            self.pending.append(("released", self.to_release.pop(0)))
        for what, x in list(self.pending):
            tasks = x.tasks if what == "released" else [e.dst for e in x.out]
            for t in tasks:
                if all(e.src.finish_s is not None for e in t.into) and ("ready", t) not in self.pending:
                    self.pending.append(("ready", t))

    def call_policy(self):
        if self.decided and self.is_past(self.busy_until_s):
            decided, self.decided = self.decided, None
            self.put(decided)
        if self.pending and not self.decided:
            self.n_calls += 1
            events, self.pending, self.n_looked_at = self.pending, [], 0
            decided = self.policy.decide(self, events)
            takes_s = self.decision_s + self.decision_task_s * self.n_looked_at
            if takes_s > 0:
                self.decided, self.busy_until_s = decided or [()], self.now_s + takes_s
            else:
                self.put(decided)

    def put(self, decided):
        for t, h in filter(None, decided):
            t.host = h
            self.queues[h].append(t)

    def ask(self):
        """For all data that may move to the first tasks of queues; at one date in the order of jobs, then of files."""
        first = [t for queue in self.queues for n, t in enumerate(queue) if n < self.prefetch]
        wanted = [e for t in first for e in t.into if e.asked is None and e.src.finish_s is not None]
        for e in sorted(wanted, key=lambda e: e.number):
            if e.src.host != e.dst.host:
                e.asked = self.now_s
                self.begin_message(e)

    def begin_message(self, e):
        src, dst = e.src.host, e.dst.host
        e.path = self.machine.routes[src, dst]
        if sum(self.cost(e, 0)) > 0:
            self.sends[src].append(e)
        else:
            self.move(e)
        if sum(self.cost(e, 1)) > 0:
            self.waiting_recvs[dst].append(e)

    def move(self, e):
        e.moving_s = self.now_s
        e.latency_left_s = sum(x.latency_s for x in self.machine.path(e.src.host, e.dst.host))
        e.weight = 1 / e.latency_left_s if e.latency_left_s > 0 else 1
        self.flows.append(e)

    def is_free(self, h):
        return self.running[h] is None and self.held[h] is None

    def start_sends(self):
        for h in range(len(self.queues)):
            if self.is_free(h) and self.sends[h]:
                e = self.sends[h].pop(0)
                o, i = self.cost(e, 0)
                self.held[h] = ("send", e)
                e.send_start_s, e.send_end_s, e.leave_s = self.now_s, self.now_s + o + i, self.now_s + o
                self.leaving.append(e)

    def leave(self):
        for e in list(self.leaving):
            if self.is_past(e.leave_s):
                self.leaving.remove(e)
                self.move(e)

    def in_doubt(self, h):
        """A receive may be due there as soon as the rates of this date are known."""
        return any(e.moving_s is not None and e.arrival_s is None for e in self.waiting_recvs[h])

    def start_receives(self, hosts):
        for h in hosts:
            due = [e for e in self.waiting_recvs[h] if self.is_past(self.due_s(e))]
            if due and self.is_free(h):
                first = min(due, key=lambda e: (self.expected_s(e), e.number))
                self.waiting_recvs[h].remove(first)
                first.recv_start_s, self.held[h] = self.now_s, ("recv", first)

    def may_start(self, t):
        """Data of the same host need no move and no prefetching."""
        return all((e.src.finish_s if e.src.host == t.host else e.there_s) is not None for e in t.into)

    def start_tasks(self, hosts):
        for h in hosts:
            if not self.is_free(h):
                continue
            queue = self.queues[h]
            candidates = queue[:1] if self.order == "strict" else queue
            t = next((t for t in candidates if self.may_start(t)), None)
            if t:
                queue.remove(t)
                self.running[h], t.start_s, self.until_s[h] = t, self.now_s, self.now_s + self.compute_s(t, h)

    def what_is_there(self):
        return [x is None for x in self.running + self.held], len(self.flows), len(self.leaving)

    def instant(self):
        self.end_what_ends()
        self.call_policy()
        while True:
            before = self.what_is_there()
            self.ask()
            self.start_sends()
            self.leave()
            hosts = [h for h in range(len(self.queues)) if not self.in_doubt(h)]
            self.start_receives(hosts)
            self.start_tasks(hosts)
            if self.what_is_there() != before:
                continue
            self.solve()
            self.start_receives(range(len(self.queues)))
            self.start_tasks(range(len(self.queues)))
            if self.what_is_there() == before:
                break
        self.solve()

    def run(self):
        self.solve()
        while any(t.finish_s is None for t in self.tasks):
            at_s = self.next_s()
            if at_s == math.inf:
                raise RuntimeError("stands still at %r" % self.now_s)
            self.advance(max(at_s, self.now_s))
            self.instant()
        self.n_calls += len(self.pending) > 0  # of the last ends, when the call before is over
        return self


# ---- policies ----


def rounded(x):
    """Values that are compared in order to choose count to 40 bits (doc/model.md, List scheduling)."""
    mantissa, exponent = math.frexp(x)
    return math.ldexp(round(math.ldexp(mantissa, 40)), exponent - 40)


class Policy:
    order = "strict"

    def decide(self, run, events):
        """Pairs of task and host, in the order in which they are put at the ends of queues."""
        return self.put_ready(run, self.ready(run, events))

    def ready(self, run, events):
        """What has become ready, by job and task."""
        return sorted((x for what, x in events if what == "ready"), key=lambda t: t.number)

    def put_ready(self, run, tasks):
        decided = []
        more_s = [0.0] * len(run.queues)  # that this call has put there
        for t in tasks:
            run.n_looked_at += 1
            hosts = range(len(run.queues))
            h = min(hosts, key=lambda h: (rounded(self.value(run, t, h, run.free_s(h) + more_s[h])), h))
            more_s[h] += run.compute_s(t, h)
            decided.append((t, h))
        return decided


class Olb(Policy):
    def value(self, run, t, h, free_s):
        return free_s


class Dm(Policy):
    def value(self, run, t, h, free_s):
        return free_s + run.compute_s(t, h)


class Dmda(Policy):
    def value(self, run, t, h, free_s):
        return max(free_s, run.data_s(t, h)) + run.compute_s(t, h)


class Dmdar(Dmda):
    order = "ready"


class Eager(Policy):
    """Ready tasks wait in one list; a host with nothing to do takes the first."""

    def __init__(self):
        self.list = []

    def put_ready(self, run, tasks):
        self.list += tasks
        decided = []
        for h, queue in enumerate(run.queues):
            if self.list and run.running[h] is None and not queue:
                decided.append((self.list.pop(0), h))
                run.n_looked_at += 1
        return decided


class RoundRobin(Policy):
    """static[scheduler=round_robin]: in the order of the file, each task of a job goes to the next host in turn."""

    def decide(self, run, events):
        jobs = [x for what, x in events if what == "released"]
        run.n_looked_at = sum(len(job.tasks) for job in jobs)
        return [(t, i % len(run.queues)) for job in jobs for i, t in enumerate(job.tasks)]


class Heft(Policy):
    """static[scheduler=heft]: HEFT (Topcuoglu 2002), believing `classic`, of each job at its release: by falling upward
    rank, each task goes where it ends first, into the first gap that is long enough; each host is free when it has
    computed what it has."""

    def decide(self, run, events):
        decided, taken = [], [0.0] * len(run.queues)  # seconds, by earlier jobs of this call
        for job in (x for what, x in events if what == "released"):
            decided += self.plan(run, job, taken)
            run.n_looked_at += len(job.tasks)
        return decided

    def ranks(self, run, job):
        hosts = range(len(run.queues))
        pairs = [(i, j) for i in hosts for j in hosts if i != j]
        ranks = {}
        for t in reversed(job.tasks):
            after = []
            for e in t.out:
                sizes = [run.machine.alone_s(i, j, e.bytes) for i, j in pairs]
                after.append(ranks[e.dst] + sum(sizes) / max(1, len(sizes)))
            ranks[t] = sum(run.compute_s(t, h) for h in hosts) / len(hosts) + max(after, default=0)
        return ranks

    def plan(self, run, job, taken):
        ranks, place = self.ranks(run, job), {}
        free_s = [run.free_s(h) + taken[h] for h in range(len(run.queues))]
        booked = [[] for _ in free_s]
        for t in sorted(job.tasks, key=lambda t: (-rounded(ranks[t]), t.number)):
            options = []
            for h in range(len(free_s)):
                at_s = max([free_s[h]] + [place[e.src][2] + (
                    run.machine.alone_s(place[e.src][0], h, e.bytes) if place[e.src][0] != h else 0) for e in t.into])
                need_s = run.compute_s(t, h)
                for start_s, finish_s in sorted(booked[h]):
                    if at_s + need_s <= start_s * (1 + 1e-9):
                        break
                    at_s = max(at_s, finish_s)
                options.append((rounded(at_s + need_s), h, at_s, at_s + need_s))
            _, h, start_s, finish_s = min(options)
            place[t] = h, start_s, finish_s
            booked[h].append((start_s, finish_s))
        for t in job.tasks:
            taken[place[t][0]] += run.compute_s(t, place[t][0])
        return [(t, place[t][0]) for t in sorted(job.tasks, key=lambda t: (place[t][1], t.number))]
