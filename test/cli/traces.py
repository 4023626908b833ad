# SPDX-License-Identifier: LGPL-2.1-or-later
"""traces.py replay|farm GRAPH PLATFORM PJ_DUMP OPTIONS: reads t.csv, t.json, t.paje and t.wfcommons.json, checks each
by the rules of its format, and compares what they say. `out` is what `replay --json` printed. A farm's GRAPH is the
bytes and the flop of a task."""
import collections
import csv
import datetime
import json
import re
import subprocess
import sys
import xml.etree.ElementTree

kind, graph, platform, pj_dump, options = sys.argv[1:6]
is_farm = kind == "farm"
Facts = collections.namedtuple("Facts", "work transfers notices")  # lists of tuples that end with dates


def is_close(x, y):
    return abs(x - y) <= 1e-9 * max(1, abs(x))


def same(what, found, wanted):
    found, wanted = sorted(found), sorted(wanted)
    assert len(found) == len(wanted), (what, len(found), len(wanted), found[:5], wanted[:5])
    for x, y in zip(found, wanted):
        assert len(x) == len(y), (what, x, y)
        for u, v in zip(x, y):
            assert is_close(u, v) if isinstance(u, float) else u == v, (what, x, y)


def read_csv():
    """Work: (host, what, name, start, end); transfers: (host, peer, name, start, end); notices: (host, what, name,
    date)."""
    facts, open_, is_send = Facts([], [], []), {}, "send" if is_farm else "transfer"
    for row in csv.DictReader(open("t.csv", newline="")):
        date, name = float(row["time_s"]), ("task " if is_farm and row["task"] else "") + row["task"]
        what, _, phase = row["event"].partition("_")
        key = (row["host"], what, name, row["peer"])
        if is_farm and what in ("request", "receive"):
            facts.notices.append((row["host"], row["event"], name, date))
        elif phase in ("start", "resume"):
            assert key not in open_, key
            open_[key] = date
        elif what == is_send:
            facts.transfers.append((row["host"], row["peer"], name, open_.pop(key), date))
        else:
            facts.work.append((row["host"], what, name, open_.pop(key), date))
    assert not open_
    return facts


def without_empty(list_):
    return [x for x in list_ if x[-1] > x[-2]]


def strict(pairs):
    """JSON as viewers read it: no key twice, and, by parse_constant, no NaN."""
    assert len(dict(pairs)) == len(pairs), pairs
    return dict(pairs)


PERFETTO_FIELDS = {"M": {"ph", "name", "pid", "tid", "args"}, "C": {"ph", "name", "pid", "ts", "args"},
                   "B": {"ph", "name", "cat", "pid", "tid", "ts", "args"}, "E": {"ph", "pid", "tid", "ts"},
                   "i": {"ph", "s", "name", "cat", "pid", "tid", "ts", "args"},
                   **dict.fromkeys("stf", {"ph", "name", "cat", "id", "pid", "tid", "bp", "ts"})}


def check_event(e):
    """The fields that its phase has, of the right type."""
    fields = PERFETTO_FIELDS[e["ph"]]
    assert set(e) <= fields and fields - set(e) <= {"args", "tid"}, e
    assert type(e["pid"]) is int and e["pid"] > 0 and ("tid" not in e or type(e["tid"]) is int and e["tid"] > 0), e
    assert ("ts" in e) == (e["ph"] != "M") and e.get("ts", 0) >= 0, e
    assert all(type(e[k]) is str and e[k] for k in ("name", "cat", "id", "bp", "s") if k in e), e
    assert e["ph"] != "C" or all(type(x) in (int, float) for x in e["args"].values()), e
    assert "tid" in e or e["ph"] == "C" or e["name"] == "process_name", e


def read_perfetto():
    """The Trace Event Format: fields that each phase requires, slices that nest, flows that pair and lie in slices,
    counters by date."""
    facts, names, threads = Facts([], [], []), {}, {}
    stacks, flows, last, counters = collections.defaultdict(list), {}, {}, collections.defaultdict(list)
    document = json.load(open("t.json"), object_pairs_hook=strict, parse_constant=lambda x: 1 / 0)
    assert set(document) == {"displayTimeUnit", "traceEvents"} and document["displayTimeUnit"] in ("ms", "ns")
    for e in document["traceEvents"]:
        check_event(e)
        place = (e["pid"], e.get("tid"))
        if e["ph"] == "M":
            assert e["name"] in ("process_name", "thread_name") and isinstance(e["args"]["name"], str), e
            into, key = (names, e["pid"]) if e["name"] == "process_name" else (threads, place)
            assert key not in into, e
            into[key] = e["args"]["name"]
            continue
        date = e["ts"] / 1e6
        assert date >= last.get(place, 0), e
        last[place] = date
        if e["ph"] == "C":
            assert len(e["args"]) == 1 and e["name"], e
            counters[names[e["pid"]], e["name"]].append((date, *e["args"].values()))
            continue
        assert place in threads and names[e["pid"]], e
        if e["ph"] == "B":
            assert not stacks[place], (e, "overlaps")
            stacks[place].append((e, date))
        elif e["ph"] == "E":
            begin, start = stacks[place].pop()
            fact = (names[e["pid"]], begin["name"], start, date)
            if threads[place] == "processor":
                facts.work.append((fact[0], begin["cat"], *fact[1:]))
            else:
                facts.transfers.append((fact[0], begin["args"]["peer"], *fact[1:]))
        elif e["ph"] == "i":
            assert e["s"] in "gpt" and e["name"], e
            facts.notices.append((names[e["pid"]], e["cat"], e["name"] if e["cat"] != "request" else "", date))
        else:
            assert e["ph"] in "stf" and e["name"] and e["cat"] and e["bp"] == "e", e
            assert stacks[place], (e, "lies in no slice")
            flow = flows.setdefault(e["id"], [])
            assert bool(flow) == (e["ph"] != "s") and "f" not in [x["ph"] for x, _ in flow], e
            assert not flow or flow[-1][0]["ts"] <= e["ts"], e
            flow.append((e, stacks[place][-1][0]))
    assert not any(stacks.values())
    assert all(flow[0][0]["ph"] == "s" and flow[-1][0]["ph"] == "f" for flow in flows.values())
    return facts, counters, [([names[e["pid"]] for e, _ in f], [b["name"] for _, b in f]) for f in flows.values()]


def paje_text(text):
    return re.sub(r"[\x00-\x1f\x7f]", " ", text.replace('"', "'"))


def read_paje():
    """By the definitions at the head of the file."""
    definitions, names, types, values = {}, {"0": "0"}, {}, {}
    facts, stacks, links = Facts([], [], []), collections.defaultdict(list), {}
    variables, last, alive = collections.defaultdict(list), 0, set()
    for line in open("t.paje", encoding="utf-8", newline="\n"):
        if line.startswith("%"):
            word = line[1:].split()
            if word[0] == "EventDef":
                name, number = word[1:]
                definitions[number] = (name, [])
            elif word[0] != "EndEventDef":
                definitions[number][1].append(word[0])
            continue
        tokens = [x[1:-1] if x[0] == '"' else x for x in re.findall(r'"[^"]*"|[^\s"]+', line)]
        event, fields = definitions[tokens[0]]
        assert len(tokens) == 1 + len(fields), line
        x = dict(zip(fields, tokens[1:]))
        if "Time" in x:
            assert float(x["Time"]) >= last, line
            last = float(x["Time"])
        if event.startswith("PajeDefine") and event != "PajeDefineEntityValue":
            assert x["Type"] == "0" or x["Type"] in types, line
            types[x["Alias"]] = x["Name"]
        elif event == "PajeDefineEntityValue":
            values[x["Type"], x["Alias"]] = x["Name"]
        elif event == "PajeCreateContainer":
            assert x["Alias"] not in names and x["Container"] in names and x["Type"] in types, line
            names[x["Alias"]] = x["Name"]
            alive.add(x["Alias"])
        elif event == "PajeDestroyContainer":
            alive.remove(x["Name"])
        elif event == "PajePushState":
            assert not stacks[x["Container"]], line
            stacks[x["Container"]].append((values[x["Type"], x["Value"]], x["Task"], last))
        elif event == "PajePopState":
            facts.work.append((names[x["Container"]], *stacks[x["Container"]].pop(), last))
        elif event == "PajeStartLink":
            assert x["Key"] not in links, line
            links[x["Key"]] = (names[x["StartContainer"]], x["Task"], last, x["Value"])
        elif event == "PajeEndLink":
            source, task, start, value = links.pop(x["Key"])
            assert value == x["Value"], line
            facts.transfers.append((source, names[x["EndContainer"]], task, start, last))
        elif event == "PajeNewEvent":
            facts.notices.append((names[x["Container"]], values[x["Type"], x["Value"]],
                                  "" if x["Task"] == "-" else x["Task"], last))
        else:
            assert event == "PajeSetVariable", line
            variables[types[x["Type"]], names[x["Container"]]].append((last, float(x["Value"])))
    assert not links and not any(stacks.values()) and not alive
    return facts, variables


def check_pj_dump(facts):
    """The names of hosts and tasks may have commas, so only what is before and the number of entities is compared."""
    run = subprocess.run([pj_dump, "-l", "17", "t.paje"], capture_output=True, encoding="utf-8")
    assert run.returncode == 0 and not run.stderr, (run.returncode, run.stderr)
    lines = collections.Counter(line.split(",")[0] for line in run.stdout.splitlines())
    assert lines["State"] == len(without_empty(facts.work)) and lines["Link"] == len(facts.transfers), lines
    dates = [re.search(r", transfer, ([-+.\de]+), ([-+.\de]+), ", x).groups() for x in run.stdout.splitlines()
             if x.startswith("Link")]
    same("pj_dump", [tuple(map(float, x)) for x in dates], [x[-2:] for x in facts.transfers])


def check_schema(document):
    """The rules of WfCommons 1.5 for what is in this file."""
    assert document["schemaVersion"] == "1.5" and document["name"] and document["description"]
    specification, execution = (document["workflow"][x] for x in ("specification", "execution"))
    files = {x["id"]: x["sizeInBytes"] for x in specification["files"]}
    assert all(x and isinstance(n, int) and n >= 0 for x, n in files.items())
    for task in specification["tasks"]:
        assert isinstance(task["name"], str) and task["name"] and task["id"]
        assert all(isinstance(x, str) for x in task["parents"] + task["children"])
        assert all(x in files and re.match("^[0-9a-zA-Z-_.]*$", x) for x in task["inputFiles"] + task["outputFiles"])
    machines = [x["nodeName"] for x in execution["machines"]]
    assert len(set(machines)) == len(machines) > 0 and all(machines)
    assert all(isinstance(x["cpu"]["coreCount"], int) and x["cpu"]["coreCount"] >= 1 for x in execution["machines"])
    for task in execution["tasks"]:
        assert isinstance(task["runtimeInSeconds"], (int, float)) and set(task["machines"]) <= set(machines)
    assert isinstance(execution["makespanInSeconds"], (int, float)) and execution["executedAt"]
    assert [x["id"] for x in execution["tasks"]] == [x["id"] for x in specification["tasks"]]
    return specification, execution, files


def seconds(date):
    whole, _, rest = date.rstrip("Z").partition(".")
    then = datetime.datetime.strptime(whole, "%Y-%m-%dT%H:%M:%S")
    return (then - datetime.datetime(1970, 1, 1)).total_seconds() + float("0." + (rest or "0"))


def check_wfcommons(facts):
    specification, execution, files = check_schema(json.load(open("t.wfcommons.json")))
    start = seconds(execution["executedAt"])
    same("WfCommons", [(*x["machines"], "compute", x["id"], seconds(x["executedAt"]) - start,
                        seconds(x["executedAt"]) - start + x["runtimeInSeconds"]) for x in execution["tasks"]],
         [x for x in facts.work if x[1] == "compute"])
    assert is_close(execution["makespanInSeconds"], max(x[-1] for x in facts.work if x[1] == "compute"))
    was = json.load(open(graph))["workflow"]["specification"]
    size = {x["id"]: x["sizeInBytes"] for x in was["files"]}
    def edges(tasks, sizes):
        written = {f: t["id"] for t in tasks for f in t["outputFiles"]}
        data = {(written[f], t["id"]): sizes[f] for t in tasks for f in t["inputFiles"]}
        return sorted((p, t["id"], data.get((p, t["id"]), 0)) for t in tasks for p in t["parents"])
    assert edges(specification["tasks"], files) == edges(was["tasks"], size)


# ---- what traces and results must agree on ----

def check_results(facts):
    result = json.load(open("out"))
    same("tasks", [(x["host"], "compute", x["name"], float(x["start_s"]), float(x["finish_s"]))
                   for x in result["tasks"]],
         [x for x in facts.work if x[1] == "compute"])
    same("transfers", [(x["send"]["host"], x["recv"]["host"], x["src"] + " -> " + x["dst"],
                        float(x["transfer"]["start_s"]), float(x["transfer"]["finish_s"]))
                       for x in result["edges"] if not x["local"]], facts.transfers)


def integral(steps, start, end):
    total = 0
    for (date, value), (until, _) in zip(steps, steps[1:] + [(end, 0)]):
        total += value * max(0, min(until, end) - max(date, start))
    return total


def sizes_and_work(facts):
    """The bytes of each transfer, and the seconds that each task computes at full speed."""
    if is_farm:
        size, flop = map(float, graph.split())
        speed = {x.get("id"): float(x.get("speed").replace("Gf", "e9").rstrip("f"))
                 for x in xml.etree.ElementTree.parse(platform).iter("host")}
        return (dict.fromkeys((x[2] for x in facts.transfers), size),
                {(x[0], x[2]): flop / speed[x[0]] for x in facts.work})
    workflow = json.load(open(graph))["workflow"]
    size = {x["id"]: x["sizeInBytes"] for x in workflow["specification"]["files"]}
    tasks = workflow["specification"]["tasks"]
    written = {f: t["id"] for t in tasks for f in t["outputFiles"]}
    bytes_ = {written[f] + " -> " + t["id"]: size[f] for t in tasks for f in t["inputFiles"]}
    work_s = {x["id"]: x["runtimeInSeconds"] for x in workflow["execution"]["tasks"]}
    return bytes_, {(x[0], x[2]): work_s[x[2]] for x in facts.work if x[1] == "compute"}


def check_counters(facts, counters):
    """The integral of a link's rate is the bytes that crossed it; that of a host's factor over a task is its work."""
    bytes_, work_s = sizes_and_work(facts)
    routes = {}
    for route in xml.etree.ElementTree.parse(platform).iter("route"):
        links = [x.get("id") for x in route]
        routes[route.get("src"), route.get("dst")] = routes[route.get("dst"), route.get("src")] = links
    crossed = collections.Counter()
    for source, destination, name in {x[:3] for x in facts.transfers}:  # a task of a farm may go in chunks
        for link in routes.get((source, destination), []):  # no zones here
            crossed[link] += bytes_[name]
    end = max(x[-1] for x in facts.work + facts.transfers)
    for link in crossed:
        total = integral(counters.get(("links", "rate of " + link), []), 0, end)
        assert abs(total - crossed[link]) <= 1e-6 * max(1, crossed[link]), (link, total, crossed[link])
    assert any(crossed.values()) or not (routes.keys() & {x[:2] for x in facts.transfers})
    if "interference" in options or "none" in options:
        for host, what, name, start, finish in facts.work:
            done = integral(counters[host, "speed factor"], start, finish)
            assert what != "compute" or is_close(done, work_s[host, name]), (host, name, done, work_s[host, name])


facts = read_csv()
seen, counters, flows = read_perfetto()
same("work in Perfetto", seen.work, without_empty(facts.work))
same("transfers in Perfetto", seen.transfers, without_empty(facts.transfers))
same("notices in Perfetto", seen.notices, facts.notices)
for hosts, slices in flows:  # from the sender to the receiver
    transfer = [(x[0], x[1]) for x in facts.transfers if x[2] in slices]
    assert (hosts[0], hosts[-1]) in transfer, (hosts, slices)
paje, variables = read_paje()
quoted = Facts(*([tuple(paje_text(y) if isinstance(y, str) else y for y in x) for x in list_] for list_ in facts))
same("work in Paje", paje.work, without_empty(quoted.work))
same("transfers in Paje", paje.transfers, quoted.transfers)
same("notices in Paje", paje.notices, quoted.notices)
if pj_dump:
    check_pj_dump(facts)
if not is_farm:
    check_wfcommons(facts)
    check_results(facts)
has_counters = "actors" not in options
assert bool(counters) == bool(variables) == has_counters
same("variables", [(*k, *x) for k, list_ in variables.items() for x in list_],
     [(("speed factor", paje_text(process)) if name == "speed factor" else
       ("rate in bytes/s", paje_text(name[len("rate of "):]))) + tuple(map(float, x))
      for (process, name), list_ in counters.items() for x in list_])
if has_counters and "noise" not in options:
    check_counters(facts, counters)
    assert len(flows) > 0
if is_farm:
    assert len(flows) == len({(x[1], x[2]) for x in facts.transfers})
