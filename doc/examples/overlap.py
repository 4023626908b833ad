#!/usr/bin/python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""overlap.c in Python: node0 sends 100 MB to node1, and both compute 1 Gf meanwhile."""
import sys

from simgrid import Actor, Engine, Host, Mailbox, this_actor


def compute(name):
    this_actor.execute(1e9)
    print(f"{name} has computed at {Engine.clock:.6f} s")


def send():
    Mailbox.by_name("node1").put("data", 100000000)


def receive():
    Mailbox.by_name("node1").get()


engine = Engine(sys.argv)
engine.load_platform(sys.argv[1])
Actor.create("compute", Host.by_name("node0"), compute, "sender")
Actor.create("compute", Host.by_name("node1"), compute, "receiver")
Actor.create("send", Host.by_name("node0"), send)
Actor.create("receive", Host.by_name("node1"), receive)
engine.run()
