# SPDX-License-Identifier: LGPL-2.1-or-later
"""Random machines and workloads for tests of `iasim online`, and how programs and campaigns are run."""
import json
import os
import random
import subprocess
import sys
import tempfile

import naive_online as naive

PLATFORM = """<?xml version='1.0'?>
<!DOCTYPE platform SYSTEM "https://simgrid.org/simgrid.dtd">
<platform version="4.1">
<config><prop id="network/model" value="CM02"/><prop id="network/crosstraffic" value="0"/>\
<prop id="network/TCP-gamma" value="0"/></config>
<zone id="world" routing="Full">
%s</zone>
</platform>
"""


class Case:
    """Everything follows from the number."""

    def __init__(self, number):
        self.number = number
        self.draw = random.Random("online %d" % number)
        self.is_whole = self.draw.random() < 0.4  # small whole numbers: much happens at the same date
        self.world = self.draw.choice(["none", "interference", "involvement"])
        self.policy = self.draw.choice(["eager", "olb", "dm", "mct", "dmda", "dmdar", "round_robin", "heft"])
        if self.policy in ("round_robin", "heft") and self.world == "involvement":
            self.world = "none"  # sends and receives follow the plan there: test_static_replay.py
        self.order = self.draw.choice([None, "strict", "ready"])
        self.prefetch = self.draw.choice([None, None, 1, 2, 3])
        self.decision_s = self.draw.choice([0, 0, 0, self.number_of(0.1, 1)])
        self.decision_task_s = self.draw.choice([0, 0, 0, self.number_of(0.1, 1)])
        self.zeros = [1] * 5 + [self.draw.choice([0, 1])]
        self.machine = self.make_machine()
        self.jobs = self.make_jobs()

    def number_of(self, low, high):
        if self.is_whole:
            return self.draw.choice([x / 2 for x in range(max(1, round(2 * low)), round(2 * high) + 1)])
        return self.draw.uniform(low, high)

    def make_host(self, name):
        ends = lambda high: (self.number_of(0, high), self.number_of(0, high)) if self.draw.random() < 0.8 else (0, 0)
        ir = ends(0.5)
        return naive.Host(name, self.number_of(0.5, 4) * 1e9, (ir[0] / 16e6, ir[1] / 16e6),
                          self.draw.choice([0.125, 0.5]), ends(1), tuple(min(1, x) for x in ends(1)))

    def make_machine(self):
        n = self.draw.randint(1, 5)
        hosts = [self.make_host("h%d" % i) for i in range(n)]
        latency = self.draw.choice([0, 0, self.number_of(0.1, 1)])
        is_fatpipe = self.draw.random() < 0.2
        links, routes = [], {}

        def link():
            links.append(naive.Link("l%d" % len(links), self.number_of(0.5, 8) * 1e6,
                                    latency if is_fatpipe or self.draw.random() < 0.7 else 2 * latency, is_fatpipe))
            return len(links) - 1

        kind = self.draw.choice(["pairs", "directions", "star", "two-way star", "bus"])
        up = [link() for _ in hosts] if "star" in kind else [link()] if kind == "bus" and n > 1 else []
        down = [link() for _ in hosts] if kind == "two-way star" else up
        for i in range(n):
            for j in range(n):
                if i == j:
                    continue
                if "star" in kind:
                    routes[i, j] = [up[i], down[j]]
                elif kind == "bus":
                    routes[i, j] = up
                else:
                    routes[i, j] = routes[j, i] if kind == "pairs" and j < i else [link()]
        return naive.Machine(hosts, links, routes)

    def make_jobs(self):
        jobs, release = [], 0.0
        # A message that ends at the date at which it begins to flow has no place of its own among that date's events.
        has_latency = any(x.latency_s > 0 for x in self.machine.links)
        sizes = [1] if has_latency or self.world == "involvement" else self.zeros
        for k in range(self.draw.randint(1, 6)):
            job = naive.Job("j%d" % k, release)
            for i in range(self.draw.randint(1, 12)):
                flop = self.number_of(0.5, 8) * self.draw.choice(self.zeros) * 1e9
                job.tasks.append(naive.Task(job, "t%d" % i, flop))
            density = self.draw.choice([0.1, 0.3, 0.6])
            for i in range(len(job.tasks)):
                for j in range(i):
                    if self.draw.random() < density:
                        size = self.number_of(0.5, 16) * self.draw.choice(sizes) * 1e6
                        job.edges.append(naive.Edge(job.tasks[j], job.tasks[i], size))
            self.draw.shuffle(job.edges)
            jobs.append(job)
            if self.draw.random() < 0.7:
                release += self.number_of(0.5, 10)
        return jobs

    # ---- as files ----

    def platform(self):
        m, lines = self.machine, []
        for h in m.hosts:
            props = {"ir_send": h.ir[0] * 1e6, "ir_recv": h.ir[1] * 1e6, "ir_floor": h.floor,
                     "overhead_send": h.overhead_s[0], "overhead_recv": h.overhead_s[1],
                     "involvement_send": h.involvement[0], "involvement_recv": h.involvement[1]}
            inside = "".join('<prop id="%s" value="%r"/>' % x for x in props.items())
            lines.append('<host id="%s" speed="%rf">%s</host>' % (h.name, h.flop_per_s, inside))
        for x in m.links:
            lines.append('<link id="%s" bandwidth="%rBps" latency="%rs" sharing_policy="%s"/>' % (
                x.name, x.bytes_per_s, x.latency_s, "FATPIPE" if x.is_fatpipe else "SHARED"))
        for (i, j), path in m.routes.items():
            inside = "".join('<link_ctn id="%s"/>' % m.links[k].name for k in path)
            lines.append('<route src="h%d" dst="h%d" symmetrical="NO">%s</route>' % (i, j, inside))
        return PLATFORM % "".join(x + "\n" for x in lines)

    def graph(self, job):
        lines = ['"%s" [size="%r"];' % (t.name, t.flop) for t in job.tasks]
        lines += ['"%s" -> "%s" [size="%r"];' % (e.src.name, e.dst.name, e.bytes) for e in job.edges]
        return "digraph g {\n%s\n}\n" % "\n".join(lines)

    def workload(self):
        jobs = "".join('<job name="%s" graph="%s.dot" release="%r"/>\n' % (j.name, j.name, j.release_s)
                       for j in self.jobs)
        return '<workload version="1">\n%s</workload>\n' % jobs

    def write(self, folder):
        def put(name, text):
            with open(os.path.join(folder, name), "w") as f:
                f.write(text)
        put("p.xml", self.platform())
        put("w.xml", self.workload())
        for j in self.jobs:
            put(j.name + ".dot", self.graph(j))

    def options(self):
        policy = "static[scheduler=%s]" % self.policy if self.policy in ("round_robin", "heft") else self.policy
        given = ["--world", self.world, "--policy", policy]
        for name in ("order", "prefetch", "decision_s", "decision_task_s"):
            if getattr(self, name):
                option = {"decision_s": "decision-time", "decision_task_s": "decision-time-task"}.get(name, name)
                given += ["--" + option, "%s" % getattr(self, name)]
        return given


def is_close(x, y):
    return abs(x - y) <= 1e-9 * max(abs(x), abs(y))


class Refused(Exception):
    pass


def run(folder, *command):
    """Standard output of the program; Refused with what it said."""
    p = subprocess.run([os.path.abspath(sys.argv[1]), *command], cwd=folder, capture_output=True, text=True)
    if p.returncode:
        raise Refused("%s: %s" % (" ".join(command), p.stderr.strip()))
    return p.stdout


def run_json(folder, *command):
    return json.loads(run(folder, *command, "--json"))


def campaign(n, try_case):
    """Carries out try_case(number, folder) for n numbers, which returns what is wrong, or None; CAMPAIGN_TIMES as many
    from CAMPAIGN_FIRST on (test/campaign). With a number on the command line: this case alone, in a folder that stays.
    The status of the program."""
    first, times = (int(os.environ.get("CAMPAIGN_" + x, y)) for x, y in (("FIRST", 0), ("TIMES", 1)))
    only = [int(x) for x in sys.argv[2:]]
    n_wrong = n_done = 0
    for i in only or range(first, first + n * times):
        with tempfile.TemporaryDirectory() as folder:
            if only:
                folder = "case%d" % i
                os.makedirs(folder, exist_ok=True)
            try:
                wrong = try_case(i, folder)
            except Refused as e:
                wrong = str(e)
        n_done += 1
        if wrong:
            n_wrong += 1
            print("case %d: %s" % (i, wrong), flush=True)
        if n_wrong == 10:
            break
    print("%d random cases from number %d" % (n_done, first))
    return n_wrong != 0
