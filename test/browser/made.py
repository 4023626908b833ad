# SPDX-License-Identifier: LGPL-2.1-or-later
"""Inputs for the pages of the tests, and the program. Names are as bad as names can be."""
import json
import os
import subprocess
from xml.sax.saxutils import quoteattr

HOSTILE = ["</script><script>document.title='pwned'</script>", "\"><img src=x onerror=\"document.title='pwned'\">",
           "<!--<script>",
           "&lt;b&gt;bold&amp;", "a/b/c", "\u202egnirts\u202c", "line\u2028end", "${document.title='pwned'}", "x" * 200,
           "__proto__",
           "constructor", " "]


def iasim(*arguments, folder):
    """What the program prints."""
    done = subprocess.run([os.environ["IASIM"], *map(str, arguments)], cwd=folder, capture_output=True, text=True,
                          check=False)
    if done.returncode != 0:
        raise RuntimeError(f"iasim {' '.join(map(str, arguments))}: {done.stderr}")
    return done.stdout


def dot(path, tasks, edges):
    """A graph: tasks of 1e9 flop, edges of 3e7 bytes between tasks given by number."""
    def name(text):
        return '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'
    lines = [f'{name(task)} [size="1e9"];'
             for task in tasks] + [f'{name(tasks[a])} -> {name(tasks[b])} [size="3e7"];' for a, b in edges]
    path.write_text("digraph G {\n" + "\n".join(lines) + "\n}\n", encoding="utf-8")
    return path


def full_platform(path, hosts, link="link"):
    """Hosts of 1 Gflop/s that share one link of 100 MB/s, with interference and involvement."""
    rates = '<prop id="ir_recv" value="0.005"/><prop id="ir_send" value="0.004"/>' \
            '<prop id="involvement_send" value="0.5"/><prop id="involvement_recv" value="0.5"/>'
    lines = [f"<host id={quoteattr(host)} speed='1Gf'>{rates}</host>" for host in hosts]
    lines.append(f"<link id={quoteattr(link)} bandwidth='100MBps' latency='0'/>")
    lines += [f"<route src={quoteattr(a)} dst={quoteattr(b)}><link_ctn id={quoteattr(link)}/></route>"
              for i, a in enumerate(hosts) for b in hosts[i + 1:]]
    path.write_text('<?xml version="1.0"?>\n<!DOCTYPE platform SYSTEM "https://simgrid.org/simgrid.dtd">\n<platform version="4.1">'
                    '<zone id="zone" routing="Full">\n' + "\n".join(lines) + "\n</zone></platform>\n", encoding="utf-8")
    return path


class Run:
    """A schedule, carried out: its page, and what other commands print about it."""

    def __init__(self, folder, name, platform, graph, world, model="classic", scheduler="heft"):
        self.schedule, self.page = folder / f"{name}.json", folder / f"{name}.html"
        machine = ("--platform", platform, "--graph", graph)
        iasim("schedule", *machine, "--model", model, "--scheduler", scheduler, "--out", self.schedule, folder=folder)
        carry = (*machine, "--world", world, self.schedule)
        self.replay = json.loads(iasim("replay", *carry, "--html", self.page, "--json", folder=folder))
        self.explain = json.loads(iasim("explain", *carry, "--what-ifs", "0", "--json", folder=folder))

    @staticmethod
    def large(folder, n_tasks, density, *options):
        """The page of many tasks, on a star of 64 hosts that interfere, and what `replay --json` prints."""
        made = ("--platform", "star.platform.xml", "--graph", f"{n_tasks}.dot")
        iasim("platform", "generate", "star", "--hosts", 64, "--seed", 1, "--out", "star", folder=folder)
        iasim("graph", "generate", f"layered[tasks={n_tasks},width=64,density={density}]", "--seed", 1, "--ccr", 1,
              "--platform",
              "star.platform.xml", "--out", f"{n_tasks}.dot", folder=folder)
        iasim("schedule", *made, "--model", "classic", "--out", f"{n_tasks}.json", folder=folder)
        replay = iasim("replay", *made, "--world", "interference", f"{n_tasks}.json", "--html", f"{n_tasks}.html",
                       "--json", *options,
                       folder=folder)
        return folder / f"{n_tasks}.html", json.loads(replay)

    def transfers(self):
        return [edge for edge in self.replay["edges"] if not edge["local"]]
