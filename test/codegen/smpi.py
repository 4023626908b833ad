#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""smpi.py IASIM [N [FIRST [all|one|passive]]]: programs of random schedules on SMPI have the dates of replay, to 1e-9,
and lose no byte; N cases (default 12), from case number FIRST (default 0) on. Each prints what it was made of, and the
largest relative difference of two dates.

  worlds that charge nothing, interference (by `iasim exec`), or overheads alone: on any links
  involvement: on links that nobody shares (fat pipes)
  --blocking: as replay --waiting active, any world, on any links
  a rendezvous by hardware, some of its messages eager: any world, on any links

one: each case in one of these ways, in turn (`smpi.py IASIM 200 0 one` is the campaign). passive: involvement on shared
links without --blocking, where nothing is promised: differences are printed and are no faults.
"""
import json
import os
import random
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from ran import remote_bytes

ROOT = Path(__file__).resolve().parents[2]
# The platforms: those of [S] 8.4.3 that come with iasim, and a star of fat pipes with latency, where costs depend on
# the size.
PLATFORMS = ["sinnen-star-full", "sinnen-star-half", "sinnen-bus", "sinnen-cluster", "sinnen-hetero", "fat"]
HOSTS = {"fat": [f"h{n}" for n in range(5)], "sinnen-cluster": [f"c{c}p{p}" for c in range(2) for p in range(3)]}
GRAPHS = ["layered[work_flop=1e5,tasks=24,heterogeneity=0.9]", "series_parallel[work_flop=1e5,tasks=25]",
          "fork_join[work_flop=1e5,branches=6,stages=2]", "gauss[work_flop=1e5,size=5]",
          "stencil[work_flop=1e5,width=4,steps=4]"]
BELIEFS = ["involvement", "classic", "contention"]


def write_fat():
    pairs = [(a, b) for a in range(5) for b in range(5) if a != b]
    hosts = "".join(f"""<host id='h{h}' speed='{h + 1}e8f'><prop id='overhead_send' value='0:1e-4:0;5e4:2e-4:1e-10'/>
<prop id='overhead_recv' value='2e-4'/><prop id='involvement_send' value='0:0.7;5e4:0.3'/>
<prop id='involvement_recv' value='0:0.4;8e4:0'/></host>""" for h in range(5))
    links = "".join(f"<link id='l{a}{b}' bandwidth='1{a}{b}MBps' latency='{b}e-4' sharing_policy='FATPIPE'/>"
                    for a, b in pairs)
    routes = "".join(f"<route src='h{a}' dst='h{b}' symmetrical='NO'><link_ctn id='l{a}{b}'/></route>"
                     for a, b in pairs)
    Path("fat.xml").write_text(f"""<?xml version='1.0'?>
<!DOCTYPE platform SYSTEM 'https://simgrid.org/simgrid.dtd'><platform version='4.1'>
<config><prop id='network/model' value='CM02'/><prop id='network/crosstraffic' value='0'/></config>
<zone id='z' routing='Full'>{hosts}{links}{routes}</zone></platform>""")


def run(*words):
    return subprocess.run([iasim, *words], check=True, stdout=subprocess.PIPE, encoding="utf-8").stdout


def make_case(i):
    """g.dot and s.json; gives the platform, and what the case is made of."""
    name, graph, ccr = PLATFORMS[i % 6], GRAPHS[i // 3 % 5], ["0.1", "1", "10"][i // 2 % 3]
    belief, approach = BELIEFS[i % 3], ["alloc1", "alloc2", "alloc3"][i // 5 % 3]
    platform = "fat.xml" if name == "fat" else f"platforms/{name}.xml"
    drawn = run("graph", "generate", graph, "--seed", str(i), "--ccr", ccr, "--platform", platform)
    # whole bytes, at least 16
    drawn = re.sub(r'(->.*size=")(\d*)[^"]*', r"\g<1>1\2", drawn)
    Path("g.dot").write_text(drawn)
    # a task goes anywhere, so there are many messages
    draw, hosts = random.Random(i), HOSTS.get(name, [f"p{p}" for p in range(8)])
    tasks = re.findall(r'(?m)^ *"?(\w+)"? \[', drawn)
    Path("allocation.txt").write_text("".join(f"{task} {draw.choice(hosts)}\n" for task in tasks))
    run("schedule", "--platform", platform, "--graph", "g.dot", "--model", belief, "--allocation", "allocation.txt",
        "--scheduler", f"list[approach={approach}]", "--out", "s.json")
    return platform, f"case {i} ({platform}, {graph}, CCR {ccr}, {belief}, {approach})"


def worlds(i, platform):
    """The ways in which the program of a case must agree with replay."""
    if ways == "passive":
        return ["--world involvement"]
    found = ["--world none",
             "--world involvement" if platform == "fat.xml" else "--world interference",
             "--world involvement --overhead 3e-3 --involvement 0",
             "--world none --waiting rendezvous[progress=hardware]",
             "--world involvement --waiting rendezvous[progress=hardware,eager=100000]",
             "--world none --blocking",
             "--world involvement --blocking",
             "--world involvement --overhead 3e-3 --involvement 0.6 --blocking"]
    return [found[i % 7]] if ways == "one" else found[:8 if i % 3 == 0 else 7]


def compare(platform, options):
    """The largest relative difference of two dates, how many bytes were sent, and whether all have arrived."""
    shutil.rmtree("program", ignore_errors=True)
    to = ["--platform", platform, "--graph", "g.dot", "--json"]
    ran = json.loads(run("codegen", *to, "--out", "program", "--run", "smpi", *options.split(), "s.json"))
    options = options.replace("--blocking", "--waiting active")
    replayed = json.loads(run("replay", *to, *options.split(), "s.json"))
    assert len(ran["tasks"]) == len(replayed["tasks"]) > 0
    worst = abs(ran["replayed_s"] - replayed["makespan_s"])
    for a, b in zip(ran["tasks"], replayed["tasks"]):
        assert (a["name"], a["host"]) == (b["name"], b["host"])
        worst = max([worst] + [abs(a[key] - b[key]) / max(b[key], 1e-9) for key in ("start_s", "finish_s")])
    sent = remote_bytes(Path("g.dot").read_text(), json.loads(Path("s.json").read_text()))
    return worst, sent, ran["bytes_checked"] == sent


def main(n_cases, first):
    faults = 0
    write_fat()
    for i in range(first, first + n_cases):
        platform, what = make_case(i)
        for options in worlds(i, platform):
            worst, sent, is_whole = compare(platform, options)
            print(f"{what}: {options}: {worst:.2g}, {sent} bytes", flush=True)
            if (worst > 1e-9 or not is_whole) and ways != "passive":
                faults += 1
                print("differs")
    print(faults, "faults")
    return faults > 0


if __name__ == "__main__":
    iasim, arguments = os.path.abspath(sys.argv[1]), sys.argv[2:]
    ways = arguments[2] if len(arguments) > 2 else "all"
    if not shutil.which("smpicc"):
        print("skipped: smpicc (Debian: libsimgrid-dev) is missing")
        sys.exit(1 if os.environ.get("TESTS_REQUIRED") == "1" else 77)
    os.environ["IASIM_DATA"] = str(ROOT)
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        os.mkdir("bin")  # where the runtime is compiled once for all programs
        os.symlink(ROOT / "test/codegen/compile_once", "bin/smpicc")
        os.environ["PATH"] = f"{folder}/bin:{os.environ['PATH']}"
        sys.exit(main(*map(int, (arguments + ["12", "0"][len(arguments):])[:2])))
