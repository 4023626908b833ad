#!/usr/bin/env bash
# SPDX-License-Identifier: LGPL-2.1-or-later
# explain.sh IASIM: output, JSON and messages of `iasim explain`.
# shellcheck source=test/cli/begin.sh
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
source "$here/begin.sh"
# shellcheck source=test/cli/four_tasks.sh
source "$here/four_tasks.sh"

explain() { ends_with "$1" explain --platform p.xml --graph g.dot "${@:2}"; } # explain STATUS ARGUMENTS
on_one_line() { out=$(tr -s ' \n' ' ' <out); }

explain 0 --world interference --json s.json
python3 - <<'PY' || fault "json: $(cat out)"
import json
x = json.load(open("out"))
assert list(x) == ["makespan_s", "segments", "by_cause", "by_host", "by_link", "what_if"]
A, C = "A", "A -> C"
# both have half of the link until 6; C's other 2 bytes take until 8; B ends at 9
expected = [
    (0, 2, "computing", "a", None, "A", None, []),
    (2, 4, "transfer", None, "l", None, "A -> B", []),
    (4, 6, "sharing", None, "l", None, "A -> B", [C]),
    (6, 8, "computing", "b", None, "B", None, []),
    (8, 9, "waiting", "b", None, "C", None, ["B"]),
    (9, 11, "computing", "b", None, "C", None, [])]
found = [tuple(s[k] for k in ("from_s", "to_s", "cause", "host", "link", "task", "edge", "with")) for s in x["segments"]]
assert found == expected, found
assert x["makespan_s"] == 11
assert x["by_cause"] == {"computing": 6, "transfer": 2, "sharing": 2, "waiting": 1}, x["by_cause"]
assert x["by_host"] == {"a": 2, "b": 5} and x["by_link"] == {"l": 4}
# twice as wide: data at 4 and 5, B from 4 to 7; b twice as fast: B from 6 to 7.5, C from 8; A -> B local: B from 2 to 5, and
# the data of A -> C are there at 6
assert x["what_if"] == [{"change": c, "makespan_s": m} for c, m in (
    ("edge A -> B local", 8), ("without contention", 9), ("host b twice as fast", 9), ("link l twice as wide", 9),
    ("host a twice as fast", 10), ("without interference", 11))], x["what_if"]
PY

explain 0 --world interference s.json
on_one_line
expect story 'The schedule took 11 s. 54.5 % of the makespan is computing, 18.2 % transfer at full rate'
expect bottleneck 'Most of it is on host b: 5 s, 45.5 %; with host b twice as fast it takes 9 s, 18.2 % less.'
expect best 'The best of all simulated changes: with edge A -> B local it takes 8 s, 27.3 % less.'
expect chain '4 2 sharing with A -> B l A -> C'
expect chain '8 1 waiting behind C b B'
! grep -q 'Doubling another' <<<"$out" || fault "b is as good as any other: $out"

# A profile halves a's speed from 1 on.
sed 's/id="a" speed="1f"/id="a" speed="1f" speed_file="late"/' p.xml >late.xml
printf '1 0.5\n' >late
ends_with 0 explain --platform late.xml --graph g.dot --world none s.json
on_one_line
expect profile '2 1 slow host A a'

# The link is down until 1.5, when nothing is sent yet; with a twice as fast, A would be done at 1.
sed 's/id="l" bandwidth="1Bps"/id="l" state_file="down" bandwidth="1Bps"/' p.xml >down.xml
printf '0.5 0\n1.5 1\n' >down
ends_with 0 explain --platform down.xml --graph g.dot --world none --json s.json
python3 - <<'PY' || fault "a change that fails: $(cat out)"
import json
*others, last = json.load(open("out"))["what_if"]
assert last["change"] == "host a twice as fast" and last["makespan_s"] is None, last
assert all("error" not in x and x["makespan_s"] > 0 for x in others), others
assert last["error"].startswith("down.xml: at 1 s the transfer A -> ") and "failed" in last["error"], last
PY
ends_with 0 explain --platform down.xml --graph g.dot --world none s.json
on_one_line
expect 'why a change fails' 'host a twice as fast - - down.xml: at 1 s the transfer A ->'

# Nothing but the chain; a chain without length.
explain 0 --world none --what-ifs 0 --json s.json
python3 -c 'import json; assert json.load(open("out"))["what_if"] == []' || fault "what-ifs: $(cat out)"
printf 'digraph g { A [size="0"]; B [size="0"]; C [size="0"]; D [size="0"]; }\n' >empty.dot
printf '{"format":"iasim-schedule/1","graph":"empty.dot","platform":"p.xml","model":"classic","scheduler":"hand","length_s":0,"tasks":[%s],"edges":[]}' \
  "$(for t in A B C D; do printf '{"name":"%s","host":"a","start_s":0,"finish_s":0}%s' $t "${t/[ABC]/,}"; done | sed 's/D$//')" >empty.json
ends_with 0 explain --platform p.xml --graph empty.dot --world none empty.json
grep -q 'The schedule took 0 s' out || fault "an empty chain: $(cat out)"

# Host a has most of the chain. But E and F take nearly as long without it, and the link as well: widening that helps both.
sed 's/<link id="l"/<link id="l" sharing_policy="FATPIPE"/' p.xml >two.xml
printf 'digraph g { A [size="6"]; D [size="0"]; E [size="5.9"]; F [size="0"]; A -> D [size="5"]; E -> F [size="5"]; }\n' >two.dot
cat >two.json <<'JSON'
{"format":"iasim-schedule/1","graph":"two.dot","platform":"p.xml","model":"classic","scheduler":"hand","length_s":11,
 "tasks":[
  {"name":"A","host":"a","start_s":0,"finish_s":6},
  {"name":"D","host":"b","start_s":11,"finish_s":11},
  {"name":"E","host":"b","start_s":0,"finish_s":5.9},
  {"name":"F","host":"a","start_s":10.9,"finish_s":10.9}],
 "edges":[{"src":"A","dst":"D","local":false},{"src":"E","dst":"F","local":false}]}
JSON
ends_with 0 explain --platform two.xml --graph two.dot --world none two.json
on_one_line
expect 'two chains' 'Most of it is on host a: 6 s, 54.5 %; with host a twice as fast it takes 10.9 s, 0.909 % less.'
expect 'two chains' 'Doubling another host or link helps more, because other items are then critical: with link l twice as wide it takes 8.5 s, 22.7 % less.'

# Two schedules.
explain 0 --world interference --json s.json t.json
python3 - <<'PY' || fault "two schedules: $(cat out)"
import json
assert json.load(open("out")) == {
    "schedules": ["s.json", "t.json"], "makespan_s": [11, 10],
    "by_cause": {"computing": [6, 5], "waiting": [1, 5], "transfer": [2, 0], "sharing": [2, 0]},
    "by_host": {"a": [2, 10], "b": [5, 0]}, "by_link": {"l": [4, 0]}}
PY
explain 0 --world interference s.json t.json
on_one_line
expect 'two schedules' 'The first schedule, s.json, took 11 s, the second, t.json, 10 s: 9.09 % less. Above all: transfer at full rate, -2 s; transfer slowed by sharing, -2 s; computing, -1 s.'
mv out two
ends_with 0 compare --explain --platform p.xml --graph g.dot --world interference s.json t.json
cmp -s out two || fault "compare --explain: $(cat out)"
ends_with 0 compare s.json --platform p.xml --graph g.dot --world interference --ex t.json --json
grep -q '"schedules"' out || fault "compare --ex --json: $(cat out)"
ends_with 2 compare --explain --platform p.xml --graph g.dot --world interference s.json
grep -q 'iasim compare: another schedule of the graph is missing' err || fault "compare --explain of one: $(cat err)"
ends_with 0 compare --explain --help
grep -q 'iasim compare \[OPTION...\] SCHEDULE.json OTHER.json' out || fault "compare --explain --help: $(cat out)"
ends_with 2 compare --metric x -- --explain
grep -q 'option --by is missing' err || fault "a database called --explain: $(cat err)"
explain 2 --world none s.json nothing.json
said "iasim explain: nothing.json: cannot open: No such file or directory"

explain 2 --world none nothing.json
said "iasim explain: nothing.json: cannot open: No such file or directory"
explain 2 --world noon s.json
grep -q "unknown world model 'noon'" err || fault "world: $(cat err)"
((faults == 0))
