#!/usr/bin/env bash
# SPDX-License-Identifier: LGPL-2.1-or-later
# costs.sh IASIM: unrelated hosts from schedule to check, replay and scenarios. (What is refused: schedule.sh.)
# shellcheck source=test/cli/begin.sh
source "$(dirname "${BASH_SOURCE[0]}")/begin.sh"

platform=platforms/sinnen-hetero.xml
"$iasim" graph generate 'layered[tasks=30,width=6]' --seed 2 --ccr 1 --platform "$platform" --out g.dot
python3 - "$IASIM_DATA/$platform" <<'PY' # times that have nothing to do with work or speed; every third host is forbidden
import re, sys
hosts = re.findall(r'<host id="([^"]*)"', open(sys.argv[1], encoding="utf-8").read())
tasks = dict.fromkeys(re.findall(r'^ *"?(\w+)"? \[', open("g.dot", encoding="utf-8").read(), re.M))
with open("costs.csv", "w", encoding="utf-8") as f:
    f.write(",".join(["task", *hosts]) + "\n")
    for i, task in enumerate(tasks):
        f.write(",".join([task, *("" if (i + k) % 3 == 0 else str(1 + (7 * i + 5 * k) % 11 / 2) for k in range(len(hosts)))]) + "\n")
PY
of=(--platform "$platform" --graph g.dot --costs costs.csv)
makespan() { sed -n 's/.*"makespan_s": \([-0-9.e+]*\).*/\1/p' <<<"$1"; }
same() { awk -v a="$1" -v b="$2" 'BEGIN { d = a - b; exit !(a > 0 && d * d <= (1e-9 * a) ^ 2) }'; }

# In the world of its belief, with links in turn, a schedule takes as long as planned.
for scheduler in list heft etf 'two_phase[map=comm,approach=alloc3]' bsa 'portfolio[of=peft+min_min]'; do
  for model in classic involvement; do
    "$iasim" schedule "${of[@]}" --model "$model" --scheduler "$scheduler" --out s.json --json >said
    planned=$(sed -n 's/.*"length_s": \([-0-9.e+]*\).*/\1/p' said)
    "$iasim" check "${of[@]}" s.json >out || fault "$scheduler, $model: $(cat out)"
    "$iasim" check --platform "$platform" --graph g.dot s.json >out && fault "$scheduler, $model: valid without the times"
    [[ $model == classic ]] && continue # links in turn delay what was planned without contention
    for engine in events actors; do
      out=$("$iasim" replay "${of[@]}" --world involvement --links exclusive --engine "$engine" --json s.json)
      same "$planned" "$(makespan "$out")" || fault "$scheduler, $engine: planned $planned, simulated $(makespan "$out")"
    done
  done
done

# graph info counts the same times as schedule; by hand from the file.
"$iasim" graph info g.dot --platform "$platform" --costs costs.csv --json >info.json
figure() { sed -n "s/^ \"$1\": \([-0-9.e+]*\|null\),\?\$/\1/p" "$2"; }
for name in work_bound_s ccr; do
  same "$(figure $name info.json)" "$(figure $name said)" || fault "info: $name $(figure $name info.json), schedule $(figure $name said)"
done
same "$(figure critical_path_bound_s info.json)" "$(figure critical_path_s said)" || fault "info: $(cat info.json)"
[[ $(figure sequential_s info.json) == null ]] || fault "info: sequential on forbidden hosts: $(cat info.json)"
python3 - >by_hand <<'PY'
import csv
rows = [[float(cell) for cell in row[1:] if cell] for row in list(csv.reader(open("costs.csv", encoding="utf-8")))[1:]]
n_hosts = len(open("costs.csv", encoding="utf-8").readline().split(",")) - 1
print(sum(sum(row) / len(row) for row in rows) / len(rows), sum(n_hosts - len(row) for row in rows))
PY
read -r mean forbidden <by_hand
same "$mean" "$(figure mean_task_s info.json)" || fault "info: mean $(figure mean_task_s info.json), by hand $mean"
[[ $(figure forbidden info.json) == "$forbidden" ]] || fault "info: $(figure forbidden info.json) forbidden, by hand $forbidden"
"$iasim" graph info g.dot --platform "$platform" --costs costs.csv >info.txt
grep -q '^sequential  *-  *no host may run all tasks' info.txt || fault "info: $(cat info.txt)"
refused_info() { # refused_info WORDS ARGUMENT...
  local status=0
  "$iasim" graph info g.dot "${@:2}" >no.out 2>no.err || status=$?
  if [[ $status != 2 || -s no.out ]] || ! grep -qF -- "$1" no.err; then
    fault "info ${*:2}: $status, $(cat no.out no.err)"
  fi
}
refused_info 'option --platform is missing' --costs costs.csv
head -n 3 costs.csv >few.csv
refused_info 'few.csv' --platform "$platform" --costs few.csv

# Points of a scenario: the file, and times that are drawn.
scenario() { # scenario NAME PARAMETERS
  printf '<scenario name="%s" experiment="replay"><param name="platform" value="%s"/>%s<param name="model" value="involvement"/><param name="world" value="involvement"/><param name="links" value="exclusive"/></scenario>' "$1" "$IASIM_DATA/$platform" "$2" >"$1.xml"
  "$iasim" run "$1.xml" --out "$1.db" --quiet >said 2>&1 || fault "$1: $(cat said)"
  "$iasim" export "$1.db" >"$1.csv"
}
column() { # column NAME FILE
  python3 -c 'import csv, sys
for row in csv.DictReader(open(sys.argv[2], encoding="utf-8")):
    print(row[sys.argv[1]])' "$1" "$2"
}
scenario given '<param name="graph" value="g.dot"/><param name="costs" value="costs.csv"/><param name="scheduler" value="portfolio[of=peft+min_min]"/>'
same "$planned" "$(column planned_s given.csv)" || fault "scenario: planned $(column planned_s given.csv), not $planned"
same "$planned" "$(column makespan_s given.csv)" || fault "scenario: simulated $(column makespan_s given.csv), not $planned"
[[ $(column sequential_s given.csv) == '' ]] || fault "scenario: a sequential schedule on forbidden hosts: $(column sequential_s given.csv)"

drawn='<param name="generator" value="layered[tasks=30,width=6]"/><param name="ccr" value="2"/><param name="unrelated" value="1"/>'
scenario drawn "$drawn"'<sweep name="scheduler"><value>heft</value><value>sequential</value></sweep><sweep name="instance"><value>1</value><value>2</value></sweep>'
[[ $(column error drawn.csv | tr -d '\n') == '' ]] || fault "drawn: $(cat drawn.csv)"
[[ $(column sequential_s drawn.csv | sort -u | wc -l) == 2 ]] || fault "one set of times for each instance, not: $(column sequential_s drawn.csv)"
for ccr in $(column graph_ccr drawn.csv); do same 2 "$ccr" || fault "drawn: CCR $ccr"; done
for error in $(column estimation_error_ratio drawn.csv); do
  awk -v e="$error" 'BEGIN { exit !(e <= 1e-9) }' || fault "drawn: off by $error"
done
scenario again "$drawn"'<param name="scheduler" value="heft"/><param name="instance" value="2"/>'
grep -qF -- "$(column key again.csv)" drawn.csv || fault 'the same point has another key alone'
status=0
sed 's,<param name="graph",<param name="unrelated" value="1"/>&,' given.xml >both.xml
"$iasim" run both.xml --out both.db >out 2>&1 || status=$?
[[ $status == 2 ]] || fault "costs and unrelated: status $status"
out=$(<out)
expect 'costs and unrelated' 'give one of the two'

echo "$faults faults"
((faults == 0))
