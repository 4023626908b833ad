#!/usr/bin/env bash
# SPDX-License-Identifier: LGPL-2.1-or-later
# scenarios.sh IASIM [all]: both engines give the same figures, to 1e-9, at the farm points of every scenario that
# comes with iasim; without `all` and TESTS_NIGHT=1, of random-trees those of three trees only, of a noisy one one draw,
# and of the limits of sending one size of task and two limits. Of random trees with long runs, short ones of some.
set -euo pipefail
iasim=$1 extent=${2-${TESTS_NIGHT:+all}}
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
export IASIM_DATA=$root
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
faults=0
two_limits='bandwidth=uplink=10.7;stream=10.165,uplink=11.4;stream=11.4'
fault() { echo "$*" && faults=$((faults + 1)); }

mapfile -t scenarios < <(grep -l 'experiment="farm"' "$root"/scenarios/*/scenario.xml)
((${#scenarios[@]} >= 3)) || fault "only ${#scenarios[@]} scenarios of farms were found"
for scenario in "${scenarios[@]}"; do
  name=$(basename "$(dirname "$scenario")")
  few=()
  [[ $extent == all || $name != random-trees ]] || few=(--set 'instance=1,2,3')
  [[ $extent == all || $name != *noisy ]] || few=(--set replications=1)
  [[ $extent == all || $name != *limit ]] || few=(--set compute_size=1 --set "$two_limits")
  # long runs of many trees: in all cases short runs of some of them
  case $name in
    bound-reached) few=(--set instance=1:$([[ $extent == all ]] && echo 20 || echo 2) --set tasks=300) ;;
    farm-capacity) few=(--set instance=1,2 --set tasks=300 --set "arrival=poisson[load=0.5],poisson[load=0.95]") ;;
  esac
  for engine in events actors; do
    "$iasim" run "$name" "${few[@]}" --set bounds=off --set engine=$engine --out "$dir/$name.$engine.db" --quiet \
      >"$dir/log" 2>&1 ||
      { cat "$dir/log" && fault "$name: engine $engine fails"; }
    "$iasim" export "$dir/$name.$engine.db" --out "$dir/$engine.csv" || fault "$name: engine $engine: no export"
  done
  python3 - "$name" "$dir/events.csv" "$dir/actors.csv" <<'END' || faults=$((faults + 1))
import csv, sys

name, *files = sys.argv[1:]
COLUMNS = ["makespan_s", "throughput_tasks_per_s", "steady_tasks_per_s", "startup_s", "wind_down_s", "root_task_ratio",
           "sent_bytes",
           "busy_s", "stolen_s", "root_stolen_s", "stolen_flop",
           "response_mean_s", "response_median_s", "response_p95_s", "response_max_s", "growth_ratio"]

def read(file):
    with open(file, newline="") as f:
        rows = list(csv.DictReader(line for line in f if not line.startswith("#")))
    missing = [c for c in COLUMNS if c not in rows[0]]
    assert not missing, missing
    what = [c for c in rows[0] if c not in COLUMNS + ["engine", "key", "seconds"] and "bound" not in c]
    return {tuple(row[c] for c in what): row for row in rows}

events, actors = map(read, files)
worst = 0
assert events and set(events) == set(actors), f"{len(events)} and {len(actors)} points"
for point, row in events.items():
    for c in COLUMNS:
        if row[c] == actors[point][c] == "":  # no steady phase
            continue
        a, b = float(row[c]), float(actors[point][c])
        # what is stolen is a difference: its error is that of the time from which it was stolen
        scale = max(abs(a), float(row["busy_s"]) if c.startswith(("stolen_s", "root_stolen", "wind_down")) else 0)
        worst = max(worst, abs(a - b) / scale if scale else abs(a - b))
print(f"{name}: {len(events)} points, largest relative difference {worst:.2g}")
sys.exit(worst > 1e-9)
END
done
echo "${#scenarios[@]} scenarios, $faults faults"
((faults == 0))
