#!/usr/bin/python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""Closed forms for programs in Python, as closed.h has them for C and C++.

    closed.py charged|free|zero|tiny [--cfg=...]

Hosts do 1 Gf/s, links carry 1 MB/s. a sends for 30 % of its processor, b receives for 20 %."""
import os
import sys

import simgrid
from simgrid import Actor, Engine, Host, Mailbox, this_actor

MODE = sys.argv[1]
RATE = {"zero": "0", "tiny": "1e-30"}.get(MODE)
PLATFORM = f"""<?xml version='1.0'?>
<!DOCTYPE platform SYSTEM "https://simgrid.org/simgrid.dtd">
<platform version="4.1">
  <config>
    <prop id="network/model" value="CM02"/><prop id="network/crosstraffic" value="0"/>
    <prop id="network/TCP-gamma" value="0"/>
  </config>
  <zone id="world" routing="Full">
    <host id="a" speed="1Gf"><prop id="ir_send" value="{RATE or 0.3}"/></host>
    <host id="b" speed="1Gf"><prop id="ir_recv" value="{RATE or 0.2}"/></host>
    <link id="ab" bandwidth="1MBps" latency="0s"/>
    <route src="a" dst="b"><link_ctn id="ab"/></route>
  </zone>
</platform>
"""
GF = 1e9
dates = {}


def lost(seconds):
    return seconds if MODE == "charged" else 0


def done(what):
    dates[what] = Engine.clock


def compute(what, seconds):
    this_actor.execute(GF * seconds)
    done(what)


def put(box, mb):
    Mailbox.by_name(box).put("payload", int(1e6 * mb))


def get(box):
    Mailbox.by_name(box).get()
    done(box)


def both_ends_pay():
    Actor.create("a", Host.by_name("a"), compute, "a", 1)
    Actor.create("b", Host.by_name("b"), compute, "b", 1)
    Actor.create("put", Host.by_name("a"), put, "comm", 0.5)
    Actor.create("get", Host.by_name("b"), get, "comm")
    return {"comm": 0.5, "a": 1 + lost(0.3 * 0.5), "b": 1 + lost(0.2 * 0.5)}


def compute_beside_a_send():
    comm = Mailbox.by_name("comm").put_async("payload", 5000000)
    compute("exec", 1)
    comm.wait()


def an_actor_computes_beside_its_own_send():
    Actor.create("a", Host.by_name("a"), compute_beside_a_send)
    Actor.create("get", Host.by_name("b"), get, "comm")
    return {"comm": 5, "exec": 1 + lost(1 / 0.7 - 1)}


def give_up():
    comm = Mailbox.by_name("comm").put_async("payload", 2000000)
    this_actor.sleep_until(0.25)
    comm.cancel()
    this_actor.execute(GF)
    done("after")


def get_or_fail():
    try:
        get("comm")
    except simgrid.NetworkFailureException:
        pass


def a_cancelled_send_costs_what_it_has_moved():
    Actor.create("a", Host.by_name("a"), give_up)
    Actor.create("get", Host.by_name("b"), get_or_fail)
    Actor.create("compute", Host.by_name("b"), compute, "b", 1)
    return {"after": 1.25, "b": 1 + lost(0.2 * 0.25)}


def run(case):
    """In this process: SimGrid has one engine per process. Returns the number of wrong dates."""
    engine = Engine(sys.argv)
    with open("platform.xml", "w", encoding="ascii") as file:
        file.write(PLATFORM)
    engine.load_platform("platform.xml")
    expected = case()
    engine.run()
    faults = 0
    for what, want in expected.items():
        got = dates.get(what, float("nan"))
        print(what, repr(got))
        if not abs(got - want) <= 1e-9 * want:
            faults += 1
            print(f"{case.__name__}: {what}: {got!r}, expected {want!r}", file=sys.stderr)
    return faults


def main():
    failed = 0
    for case in (both_ends_pay, an_actor_computes_beside_its_own_send, a_cancelled_send_costs_what_it_has_moved):
        print(case.__name__, flush=True)
        child = os.fork()
        if child == 0:
            faults = run(case)
            sys.stdout.flush()
            os._exit(faults > 0)
        failed += os.waitpid(child, 0)[1] != 0
    return failed > 0


sys.exit(main())
