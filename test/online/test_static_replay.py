#!/usr/bin/env -S python3 -B
# SPDX-License-Identifier: LGPL-2.1-or-later
"""test_static_replay.py IASIM [NUMBER]: a job planned by `static` takes what `iasim replay` makes of the same schedule,
in every world, with noise, too; and a job that is released when the machine is idle again has the same dates, later."""
import sys

from online_case import Case, Refused, campaign, is_close, run, run_json

WORLDS = ["none", "interference", "involvement", "involvement", "involvement[aligned=1]"]
BELIEFS = ["classic", "contention", "involvement"]
SCHEDULERS = ["heft", "list", "list[technique=insertion]", "list[technique=end]", "cpop", "etf", "dls", "lc", "dsc",
              "round_robin", "heft[compact=off]"]


def differ(what, found, wanted, begins_s):
    for name in "start_s", "finish_s":
        if abs(found[name] - begins_s - wanted[name]) > 1e-9 * max(found[name], wanted[name]):
            return "%s: %s is %.12g, expected %.12g" % (what, name, found[name] - begins_s, wanted[name])
    return None


def compare(found, replayed, job, begins_s):
    tasks = {t["name"]: t for t in found["tasks"] if t["job"] == job}
    for t in sorted(replayed["tasks"], key=lambda t: t["start_s"]):
        f = tasks[t["name"]]
        if f["host"] != t["host"]:
            return "%s is on %s, expected %s" % (t["name"], f["host"], t["host"])
        wrong = differ("%s %s" % (job, t["name"]), f, t, begins_s)
        if wrong:
            return wrong
    return None


def try_case(number, folder):
    case = Case(number)
    draw = case.draw
    case.jobs = case.jobs[:1]
    case.write(folder)
    world, belief, scheduler = draw.choice(WORLDS), draw.choice(BELIEFS), draw.choice(SCHEDULERS)
    noise = ["--noise", draw.choice(["work=0.2,size=0.3", "rate=0.1", "size=1"]), "--seed", str(number)]
    noise = noise if draw.random() < 0.3 else []
    on = ["-p", "p.xml", "-g", "j0.dot"]
    try:
        run(folder, "schedule", *on, "-m", belief, "-s", scheduler, "-o", "s.json")
    except Refused as e:
        return str(e)
    replayed = run_json(folder, "replay", "-w", world, "-l", "fluid", "s.json", *noise)
    policy = "static[scheduler=%s,model=%s]" % (scheduler, belief)
    command = ["online", *on, "-P", policy, "-w", world, "--stretch", "off", *noise]
    found = run_json(folder, *command)
    wrong = compare(found, replayed, "job1", 0)
    if not wrong and not is_close(found["makespan_s"], replayed["makespan_s"]):
        wrong = "the makespan is %.12g, expected %.12g" % (found["makespan_s"], replayed["makespan_s"])
    if not wrong and not noise:
        later_s = found["makespan_s"] * draw.uniform(1.01, 2)
        command[1:1] = ["--jobs", "2", "--arrival", "every[%r]" % later_s]
        found = run_json(folder, *command)
        wrong = compare(found, replayed, "job1", 0) or compare(found, replayed, "job2", later_s)
    return wrong and "%s\n  %s" % (wrong, " ".join(command))


if __name__ == "__main__":
    sys.exit(campaign(100, try_case))
