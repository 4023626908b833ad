#!/usr/bin/env -S python3 -B
# SPDX-License-Identifier: LGPL-2.1-or-later
"""test_online_bounds.py IASIM [NUMBER]: what theorems say of policies.

- Graham 1969: m equal hosts that are never idle while a task is ready, without communication, take at most
  work / m + (1 - 1/m) critical path, and so at most 2 - 1/m times the optimum.
- No policy beats a proved optimum of one job, where transfers do not share links (world none)."""
import sys

import naive_online as naive
from online_case import Case, campaign, run_json

POLICIES_OF_TASKS = ["eager", "random", "olb", "mct", "dm", "dmda", "dmdar"]
POLICIES = POLICIES_OF_TASKS + ["dmdas", "static", "static[scheduler=cpop]"]


def critical_path_flop(job):
    to_end = {}
    for t in reversed(job.tasks):
        to_end[t] = t.flop + max([to_end[e.dst] for e in t.out], default=0)
    return max(to_end.values())


def graham(case, folder):
    draw, m = case.draw, draw_hosts(case, equal=True)
    for e in (e for j in case.jobs for e in j.edges):
        e.bytes = 0
    for j in case.jobs:
        j.release_s = 0.0
    case.write(folder)
    found = run_json(folder, "online", "-p", "p.xml", "-W", "w.xml", "-P", "eager", "--stretch", "off")["makespan_s"]
    work_s = sum(t.flop for j in case.jobs for t in j.tasks) / 1e9
    path_s = max(critical_path_flop(j) for j in case.jobs) / 1e9
    bound_s = work_s / m + (1 - 1 / m) * path_s
    if found > bound_s * (1 + 1e-9) or found < max(work_s / m, path_s) * (1 - 1e-9):
        return "eager takes %.12g on %d hosts; Graham: at most %.12g" % (found, m, bound_s)
    return None


def draw_hosts(case, equal):
    """Links that are used by one flow at a time as if it were alone."""
    machine = case.machine
    for h in machine.hosts if equal else []:
        h.flop_per_s = 1e9
    latency_s = 0.0 if equal else case.draw.choice([0, case.number_of(0.1, 1)])
    for x in machine.links:
        x.is_fatpipe, x.latency_s = True, latency_s
    return len(machine.hosts)


def optimum(case, folder):
    draw_hosts(case, equal=False)
    job = case.jobs[0]
    job.tasks = job.tasks[:7]
    job.edges = [e for e in job.edges if e.dst in job.tasks]
    case.jobs = [job]
    case.write(folder)
    plan = run_json(folder, "schedule", "-p", "p.xml", "-g", "j0.dot", "-m", "classic", "-s", "optimal[nodes=200000]",
                    "-o", "s.json")
    if not plan["proved_optimal"]:
        return None
    for policy in POLICIES:
        for reveal in ["job", "task"] if policy in POLICIES_OF_TASKS else ["job"]:
            options = ["-P", policy, "--reveal", reveal, "--stretch", "off"]
            found = run_json(folder, "online", "-p", "p.xml", "-g", "j0.dot", *options)["makespan_s"]
            if found < plan["length_s"] * (1 - 1e-9):
                return "%s (%s) takes %.12g; the optimum is %.12g" % (policy, reveal, found, plan["length_s"])
    return None


def try_case(number, folder):
    case = Case(number)
    return graham(case, folder) if number % 2 == 0 else optimum(case, folder)


if __name__ == "__main__":
    sys.exit(campaign(40, try_case))
