#!/usr/bin/env bash
# SPDX-License-Identifier: LGPL-2.1-or-later
# run.sh IASIM: iasim run, export and merge on the shipped scenario `smoke`: same bytes for any --jobs, in parts,
# resumed and interrupted; what is printed; how mistakes are refused.
# shellcheck source=test/cli/begin.sh
source "$(dirname "${BASH_SOURCE[0]}")/begin.sh"

refuse() { # refuse STATUS TEXT COMMAND...
  local status=0
  out=$("${@:3}" 2>&1 >/dev/null) || status=$?
  [[ $status -eq $1 ]] || fault "${*:3}: status $status, not $1"
  expect "${*:3}" "$2"
}

out=$("$iasim" run smoke --jobs 1 2>stderr)
expect summary '16 runs of smoke in smoke.db; 0 failed'
expect table 'makespan_s, relative to policy root_computes, by policy'
expect table 'world         compute_size  root_computes  ia_multi'
[[ ! -s stderr ]] || fault "talk although stderr is no terminal: $(cat stderr)"
"$iasim" export smoke.db --out want.csv
[[ $(wc -l <want.csv) -eq 17 ]] || fault "17 lines expected: $(cat want.csv)"
grep -q ',$' want.csv || fault "no empty error column: $(head -2 want.csv)"

same() { # same DATABASE: its export is that of the first run
  "$iasim" export "$1" >got.csv
  cmp -s got.csv want.csv || fault "$1 differs: $(diff got.csv want.csv | head -4)"
}
"$iasim" run "$IASIM_DATA/scenarios/smoke" --jobs 4 --out four.db >/dev/null && same four.db
"$iasim" run "$IASIM_DATA/scenarios/smoke/scenario.xml" --jobs 2 --resume --out two.db >/dev/null && same two.db
for i in 1 2 3; do "$iasim" run smoke --shard $i/3 --out part$i.db >/dev/null; done
"$iasim" merge --out all.db part?.db 2>/dev/null && same all.db
out=$("$iasim" run smoke --resume)
expect resume '16 of them done before; 0 failed'
same smoke.db

out=$("$iasim" run smoke --json --set policy='bwc,ia_multi[chunk=0.5,prune=on]' --set tasks=10 --out json.db)
python3 -c '
import json, sys
s = json.load(sys.stdin)
assert s["runs"] == 8 and s["failed"] == 0 and s["failures"] == [], s
t = s["tables"][0]
assert t["metric"] == "makespan_s" and t["relative_to"] is None and len(t["cells"]) == 8, t
assert all(c["mean"] > 0 and c["policy"] in ("bwc", "ia_multi[chunk=0.5,prune=on]") for c in t["cells"]), t
' <<<"$out" || fault "json: $out"

# points that fail: the platform has not the hosts of the deployment
status=0
out=$("$iasim" run smoke --set platform="$IASIM_DATA/platforms/star-8.xml" --out failed.db) || status=$?
[[ $status -eq 1 ]] || fault "failed points: status $status, not 1"
expect failures '16 runs of smoke in failed.db; 16 failed:'
expect failures 'and 11 more'
expect failures 'policy='

# one point again: its figures are those of the sweep
"$iasim" export four.db >sweep.csv
key=$(sed -n 5p sweep.csv | cut -d, -f1)
out=$("$iasim" run smoke --only "${key::8}")
expect only "point $key of smoke, replication 1"
"$iasim" run smoke --only "$key/1" --json >only.json
python3 - <<'END' || fault "only: $(cat only.json)"
import csv, json
one = json.load(open("only.json"))
row = next(r for r in csv.DictReader(open("sweep.csv")) if r["key"] == one["key"])
assert one["replication"] == 1 and one["error"] is None and one["scenario"] == "smoke", one
for name, value in {**one["parameters"], **one["metrics"]}.items():
    same = row[name] == value if isinstance(value,
                                            str) else (row[name] == "" if value is None else float(row[name]) == value)
    assert same, (name, value, row[name])
assert len(one["parameters"]) + len(one["metrics"]) + 3 == len(row)
END
[[ ! -e smoke.db-wal ]] || fault '--only has touched smoke.db'
"$iasim" run smoke --only "$key" --out one.db >/dev/null
"$iasim" export one.db | tail -n +2 | cmp -s - <(grep "^$key" sweep.csv) ||
  fault '--only --out: another row than in the sweep'
status=0
out=$("$iasim" run smoke --only "$("$iasim" export failed.db | sed -n 2p | cut -d, -f1)" \
  --set platform="$IASIM_DATA/platforms/star-8.xml") || status=$?
[[ $status -eq 1 ]] || fault "a point that fails alone: status $status, not 1"
expect 'a point that fails alone' 'failed: '
refuse 2 'scenario smoke has no point with the key 123456' "$iasim" run smoke --only 123456
refuse 2 "'ab' is not a key" "$iasim" run smoke --only ab
refuse 2 '--only runs one point and --shard a part of all points' "$iasim" run smoke --only "$key" --shard 1/2
refuse 2 '--only stores nothing without --out' "$iasim" run smoke --only "$key" --resume

# the database knows how it was made
command=$(python3 -c 'import sqlite3
meta = sqlite3.connect("json.db").execute("SELECT value FROM meta WHERE name = ?", ("command",))
print(meta.fetchone()[0])')
[[ $command == "iasim run smoke --set 'policy=bwc,ia_multi[chunk=0.5,prune=on]' --set tasks=10" ]] ||
  fault "command: $command"

# progress for programs; a bar only where it is asked for
"$iasim" run smoke --progress json --out progress.db >/dev/null 2>progress
python3 - <<'END' || fault "progress: $(cat progress)"
import json
lines = [json.loads(line) for line in open("progress")]
names = ["done", "total", "passed", "failed", "rate_per_s", "elapsed_s", "remaining_s"]
assert all(list(line) == names for line in lines)
assert lines[-1]["done"] == lines[-1]["total"] == 16 and lines[-1]["remaining_s"] == 0
assert all(a["done"] <= b["done"] and a["elapsed_s"] <= b["elapsed_s"] for a, b in zip(lines, lines[1:]))
END
"$iasim" run smoke --progress json --out progress.db --resume 2>&1 >/dev/null | tail -1 |
  grep -q '"done": 16, "total": 16, "passed": 16' ||
  fault 'progress of what was there'
[[ $("$iasim" run smoke --progress bar --out bar.db 2>&1 >/dev/null) == *0/16* ]] || fault 'no bar'
[[ -z $("$iasim" run smoke --quiet --progress none --out none.db 2>&1 >/dev/null) ]] || fault 'quiet is not quiet'
refuse 2 "--progress 'x' is unknown; known: none, bar, json" "$iasim" run smoke --progress x

# a platform that does not load is bad input if it is the only one, and fails its points if it is not
sed 's/speed="[^"]*"/speed="-1f"/' "$IASIM_DATA/platforms/star-8.xml" >broken.xml
refuse 2 'must be above 0' "$iasim" run smoke --set platform=broken.xml --out broken.db
[[ ! -e broken.db ]] || fault 'a database was left although nothing could be run'
status=0
out=$("$iasim" run smoke --set platform=broken.xml,"$IASIM_DATA/platforms/kreaseck-fork.xml" --out half.db) || status=$?
[[ $status -eq 1 ]] || fault "one broken platform of two: status $status, not 1"
expect 'one broken platform of two' '32 runs of smoke in half.db; 16 failed:'

# a point that takes too long is reported in every kind of experiment, and costs the others nothing
"$iasim" run kreaseck-fork-bound --time-limit 60 --out limited.db >/dev/null
"$iasim" run kreaseck-fork-bound --out unlimited.db >/dev/null
"$iasim" export limited.db >limited.csv
"$iasim" export unlimited.db | cmp -s - limited.csv || fault 'a time limit has changed results'
status=0
out=$("$iasim" run smoke --set tasks=20,3000000 --set policy=bwc --set compute_size=1 --set world=none --time-limit 1 \
  --out slow.db) || status=$?
[[ $status -eq 1 ]] || fault "a point that takes too long: status $status, not 1"
expect 'a point that takes too long' '2 runs of smoke in slow.db; 1 failed:'
expect 'a point that takes too long' 'tasks=3000000: not done within the time limit of 1 s'

# interrupted by a signal: 75, nothing torn, and --resume brings it to the same bytes
"$iasim" run kreaseck-fork --out whole.db >/dev/null
"$iasim" export whole.db >want.csv
"$iasim" run kreaseck-fork --jobs 1 --out stop.db >/dev/null 2>stderr &
halt_at_work $!
kill -TERM $!
kill -CONT $!
status=0
wait $! || status=$?
out=$(cat stderr)
[[ $status -eq 75 ]] || fault "SIGTERM: status $status, not 75: $out"
expect SIGTERM 'of 144 runs are in stop.db; --resume continues'
[[ ! -e stop.db-wal ]] || fault 'a log is left after a stop in good order'
"$iasim" run kreaseck-fork --out stop.db --resume >/dev/null && same stop.db

# a database grows with its scenario, to the bytes of a run from scratch; so do parts
"$iasim" run smoke --set compute_size=1:5 --quiet --out scratch.db >/dev/null
"$iasim" export scratch.db >want.csv
out=$("$iasim" run smoke --set compute_size=1:5 --resume --out four.db)
expect 'a wider sweep' '40 runs of smoke in four.db, 16 of them done before; 0 failed'
same four.db
for i in 1 2 3; do "$iasim" run smoke --set compute_size=1:5 --shard $i/3 --resume --out part$i.db >/dev/null; done
"$iasim" merge --complete --out wide.db part?.db 2>/dev/null && same wide.db
refuse 2 \
  'four.db: was made for other parameters or files than scenario smoke has now: it holds runs with compute_size=' \
  "$iasim" run smoke --resume --out four.db

refuse 2 'smoke.db: already exists; --resume continues it' "$iasim" run smoke
refuse 2 'was made for other parameters or files than scenario smoke has now' "$iasim" run smoke --resume --set tasks=5
refuse 2 "'smokes' is neither a file or folder here nor a scenario that comes with iasim" "$iasim" run smokes
refuse 2 "--set task=5: experiment farm has no parameter 'task'" "$iasim" run smoke --set task=5
refuse 2 'iasim run: --plugin comes before the command: iasim --plugin FILE run' "$iasim" run smoke --plugin ./mine.so
refuse 2 'a scenario is missing' "$iasim" run
refuse 2 "--shard '3' is not of the form I/N" "$iasim" run smoke --shard 3
refuse 2 '--shard 4/3 is out of range: I of I/N must be between 1 and N' "$iasim" run smoke --shard 4/3
refuse 2 'nothing.db: cannot open: No such file or directory' "$iasim" export nothing.db
refuse 2 'not a database, or a damaged one' "$iasim" export want.csv
refuse 2 'smoke.db and failed.db are of different values, files or plugins of one scenario' "$iasim" merge --out x.db \
  smoke.db failed.db
refuse 2 'option --out is missing' "$iasim" merge smoke.db
refuse 3 'standard output could not be written' bash -c "'$iasim' export smoke.db >/dev/full"
refuse 2 'request_size 1e-320 MB is less than a byte; it must be 0, or at least 1e-06' \
  "$iasim" run smoke --set request_size=1e-320 --out tiny.db
for command in run export merge; do
  out=$("$iasim" $command --help)
  expect "$command --help" "iasim $command "
done
[[ $faults -eq 0 ]]
