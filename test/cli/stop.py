#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""stop.py IASIM: a search that is asked to end returns the best that it has found, whether the signal reaches the
process that waits for it, the whole process group (as Ctrl-C does), or first the one and then the other; what searches
nothing dies of the signal.
"""
import os
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ENDLESS = "gics[generations=1000000000]"
SIGNALS = (signal.SIGINT, signal.SIGTERM)


def children(pid):
    return Path(f"/proc/{pid}/task/{pid}/children").read_text().split()


def listens(pid):  # SIGTERM comes last
    caught = next(line for line in Path(f"/proc/{pid}/status").read_text().splitlines() if line.startswith("SigCgt"))
    return int(caught.split()[1], 16) >> (signal.SIGTERM - 1) & 1


def searches(pid):
    return children(pid) and listens(pid) and listens(children(pid)[0])


def waits(pid):
    return children(pid) and listens(pid)


def reads_order(_):
    try:  # fails while nobody reads it
        return os.open("never", os.O_WRONLY | os.O_NONBLOCK)
    except OSError:
        return None


def end(is_at_work, number, whom, options):
    """Starts `iasim schedule`, waits until it is at work, and sends the signal to the `program` or its `group`; gives
    the status, below 0 after a signal, and what it said.
    """
    p = subprocess.Popen([iasim, "schedule", "-g", "g.dot", "--out", "s.json", *options], start_new_session=True,
                         preexec_fn=lambda: [signal.signal(x, signal.SIG_DFL) for x in SIGNALS],
                         stdout=subprocess.PIPE, stderr=subprocess.STDOUT, encoding="utf-8")
    limit = time.monotonic() + 60
    while time.monotonic() < limit and not is_at_work(p.pid):
        time.sleep(0.01)
    for one in whom:
        (os.killpg if one == "group" else os.kill)(p.pid, number)
    try:
        said, _ = p.communicate(timeout=60)
    except subprocess.TimeoutExpired:
        os.killpg(p.pid, signal.SIGKILL)
        said, _ = p.communicate()
    return p.returncode, said


def run(*words):
    subprocess.run([iasim, *words], check=True, stdout=subprocess.DEVNULL)


def check_best(number, *whom, scheduler=ENDLESS):
    Path("s.json").unlink(missing_ok=True)
    status, said = end(searches, number, whom, ["-p", "star.platform.xml", "--model", "contention", "--scheduler",
                                                scheduler])
    assert status == 0 and "the search was stopped" in said, (number, whom, scheduler, status, said)
    run("check", "s.json", "-g", "g.dot", "-p", "star.platform.xml")


def check_death(is_at_work, number, whom, *options):
    """It is killed by the signal: 128 + N for a process that waited for the one that died."""
    status, said = end(is_at_work, number, [whom], [*options])
    assert status in (-number, 128 + number), (number, whom, options, status, said)


def main():
    run("platform", "generate", "star", "--hosts", "8", "--seed", "1", "--out", "star")
    run("graph", "generate", "layered[tasks=60]", "--seed", "1", "--ccr", "1", "--platform", "star.platform.xml",
        "--out", "g.dot")
    check_best(signal.SIGINT, "program")
    check_best(signal.SIGTERM, "program")
    check_best(signal.SIGINT, "group")
    check_best(signal.SIGINT, "program", "group")
    for whole in f"optimal[seeds={ENDLESS}]", f"two_phase[allocation_of={ENDLESS}]":  # also while a part searches
        check_best(signal.SIGINT, "group", scheduler=whole)
    os.mkfifo("never")  # nobody writes it
    for number, whom in (signal.SIGINT, "program"), (signal.SIGTERM, "group"):
        check_death(waits, number, whom, "-p", "never", "--model", "contention", "--scheduler", ENDLESS)
    # After the platform was read, while nothing searches: the program reads an order, which does not come.
    check_death(reads_order, signal.SIGINT, "group", "-p", "star.platform.xml", "--model", "classic", "--order",
                "never")


if __name__ == "__main__":
    iasim = os.path.abspath(sys.argv[1])
    os.environ["IASIM_DATA"] = str(Path(__file__).resolve().parents[2])
    with tempfile.TemporaryDirectory() as scratch:
        os.chdir(scratch)
        main()
