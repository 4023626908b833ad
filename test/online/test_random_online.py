#!/usr/bin/env -S python3 -B
# SPDX-License-Identifier: LGPL-2.1-or-later
"""test_random_online.py IASIM [NUMBER]: `iasim online` on random machines and workloads against naive_online.py: hosts
and dates of all tasks, waits and responses of jobs, bytes and calls."""
import sys

import naive_online as naive
from online_case import Case, campaign, is_close, run_json

POLICIES = {"eager": naive.Eager, "olb": naive.Olb, "dm": naive.Dm, "mct": naive.Dmda, "dmda": naive.Dmda,
            "dmdar": naive.Dmdar, "round_robin": naive.RoundRobin, "heft": naive.Heft}


def expected(case):
    return naive.Run(case.machine, case.jobs, POLICIES[case.policy](), case.world, case.order, case.prefetch,
                     case.decision_s, case.decision_task_s).run()


def compare_tasks(case, found, run):
    """The first date at which they differ."""
    wrong = []
    for t, f in zip(run.tasks, found["tasks"]):
        assert (t.job.name, t.name) == (f["job"], f["name"])
        name = case.machine.hosts[t.host].name
        if f["host"] != name or not is_close(f["start_s"], t.start_s) or not is_close(f["finish_s"], t.finish_s):
            said = "%s %s is on %s from %.12g to %.12g, expected %s, %.12g, %.12g" % (
                t.job.name, t.name, f["host"], f["start_s"], f["finish_s"], name, t.start_s, t.finish_s)
            wrong.append((min(t.start_s, f["start_s"]), said))
    return min(wrong)[1] if wrong else None


def compare_figures(found, run):
    moved = sum(e.bytes for e in run.edges if e.src.host != e.dst.host)
    for name, wanted in (("moved_bytes", moved), ("wasted_bytes", 0), ("n_calls", run.n_calls)):
        if not is_close(found[name], wanted):
            return "%s is %r, expected %r" % (name, found[name], wanted)
    for job, f in zip(run.jobs, found["jobs"]):
        for name, wanted in (("wait_s", min(t.start_s for t in job.tasks) - job.release_s),
                             ("response_s", max(t.finish_s for t in job.tasks) - job.release_s)):
            if abs(f[name] - wanted) > 1e-9 * f["finish_s"]:
                return "%s of %s is %r, expected %r" % (name, job.name, f[name], wanted)
    return None


def try_case(number, folder):
    case = Case(number)
    for t in (t for j in case.jobs for t in j.tasks if case.policy in ("round_robin", "heft")):
        t.flop = t.remaining = t.flop or 1e9  # as in a replay, tasks without work would wait for nobody in a queue
    case.write(folder)
    command = ["online", "-p", "p.xml", "-W", "w.xml", "--stretch", "off"] + case.options()
    found, wanted = run_json(folder, *command), expected(case)
    wrong = compare_tasks(case, found, wanted) or compare_figures(found, wanted)
    return wrong and "%s\n  %s" % (wrong, " ".join(command))


if __name__ == "__main__":
    sys.exit(campaign(300, try_case))
