#!/usr/bin/env bash
# SPDX-License-Identifier: LGPL-2.1-or-later
# schedule.sh IASIM: a schedule by hand (A for 3 s on p0, 8 bytes at 4 bytes/s with both processors involved, B for 4
# s on p1), where everything is printed, refusals, and generate, schedule, check on the machines of the experiment.
# shellcheck source=test/cli/begin.sh
source "$(dirname "${BASH_SOURCE[0]}")/begin.sh"

has() { # has FILE TEXT: blanks not minded
  grep -qF -- "$2" <<<"$(tr -s ' \n' ' ' <"$1")" || fault "$1: expected '$2' in: $(head -c 2000 "$1")"
}
has_not() { grep -qF -- "$2" "$1" && fault "$1: '$2' is in it"; return 0; }
line() { grep -qxF -- "$2" "$1" || fault "$1: expected the line '$2' in: $(head -c 2000 "$1")"; }

cat >p.xml <<'XML'
<?xml version='1.0'?>
<!DOCTYPE platform SYSTEM "https://simgrid.org/simgrid.dtd">
<platform version="4.1">
  <zone id="z" routing="Full">
    <host id="p0" speed="10f"><prop id="involvement_send" value="1"/><prop id="involvement_recv" value="1"/></host>
    <host id="p1" speed="10f"><prop id="involvement_send" value="1"/><prop id="involvement_recv" value="1"/></host>
    <link id="l" bandwidth="4Bps" latency="0s"/>
    <route src="p0" dst="p1"><link_ctn id="l"/></route>
  </zone>
</platform>
XML
echo 'digraph g { A [size=30]; B [size=40]; A -> B [size=8]; }' >g.dot
printf 'A p0\nB p1\n' >hosts.txt
printf '# all\nA\nB\n' >order.txt
plan() { "$iasim" schedule -p p.xml -g g.dot "$@"; }

# Without a file the schedule has standard output for itself.
plan --model involvement --allocation hosts.txt --order order.txt >s.json 2>said
"$iasim" check -p p.xml -g g.dot s.json >checked || fault "not valid: $(cat checked)"
has s.json '"model":"involvement"'
has said 'length 9 s (model involvement, scheduler list)'
has said 'sequential 7 s on p0: speed-up 0.7778'
has said 'lower bounds critical path 7 s, work on all hosts 3.5 s, with communication 7 s'
has said 'graph 2 tasks, 1 edges (1 remote), CCR 0.2857 here'
has_not said '|'

# With one, the rest goes there: 45 columns of 0.2 s.
COLUMNS=50 plan --model involvement --allocation hosts.txt --out t.json --gantt t.svg >said 2>errors
cmp s.json t.json || fault 'the file is not what was printed'
[[ -s errors ]] && fault "errors: $(cat errors)"
line said 'p0 |[A############]>>>>>>>>>>....................|'
line said 'p1 |...............<<<<<<<<<<[B#################]|'
line said 'l  |...............==========....................|'
has said 'length 9 s'
for words in '</svg>' '<title>A: 0 to 3 s</title>' '<title>B: 5 to 9 s</title>' 'send: 3 to 5 s' 'receive: 3 to 5 s' \
  'transfer: 3 to 5 s'; do has t.svg "$words"; done

plan --model classic --allocation hosts.txt --out c.json --json >said 2>errors
has said '"length_s": 9.0'
has said '"sequential_s": 7.0, "sequential_host": "p0", "speed_up": 0.77'
has said '"critical_path_s": 7.0, "work_bound_s": 3.5, "communication_bound_s": 7.0, "ccr": 0.28'
has said '"tasks": 2, "edges": 1, "remote_edges": 1'
[[ -s errors ]] && fault "errors: $(cat errors)"
COLUMNS=50 plan --model classic --allocation hosts.txt --out c.json --json --text >said 2>errors
line errors 'p0 |[A############]..............................|'
has_not said '|'
COLUMNS=50 plan --model classic --allocation hosts.txt --text >said 2>errors
line errors 'p1 |...............----------[B#################]|'
cmp said c.json || fault 'the chart is in the schedule'
plan --model contention --scheduler sequential --json >said 2>errors
has errors '"scheduler": "sequential"'
has errors '"remote_edges": 0, "length_s": 7.0'

# ---- refusals: status 2, words, and neither a file nor anything beside it ----
refused() { # refused WORDS ARGUMENT...
  local status=0 words=$1 before
  shift
  before=$(ls -A)
  "$iasim" schedule "$@" >no.out 2>no.err || status=$?
  [[ $status == 2 && ! -s no.out ]] || fault "iasim schedule $*: status $status, stdout $(head -c 100 no.out)"
  grep -qF -- "$words" no.err || fault "iasim schedule $*: '$words' is not in: $(cat no.err)"
  [[ $(grep -c '' no.err) -le 2 ]] ||
    fault "iasim schedule $*: more than a message: $(cat no.err)" # argp adds where to ask
  [[ $(ls -A) == "$before" ]] || fault "iasim schedule $*: left something: $(ls -A)"
}
touch no.out no.err
on=(-p p.xml -g g.dot)
refused 'option --model is missing; known: classic, contention, involvement' "${on[@]}"
refused "--gantt takes the name of a file, not '-'" "${on[@]}" -m classic --gantt -
refused 'option --platform is missing' -g g.dot -m classic
refused 'option --graph is missing' -p p.xml -m classic
refused "unknown model 'none'; known: classic, contention, involvement" "${on[@]}" -m none
refused "unknown scheduler 'hetf'; did you mean 'heft'?" "${on[@]}" -m classic -s hetf
refused "technique" "${on[@]}" -m classic -s 'list[technique=best]' -o new.json
refused 'alloc1' "${on[@]}" -m classic -s 'list[approach=alloc1]' -o new.json --gantt new.svg
refused "unknown" "${on[@]}" -m classic -f vcg -o new.json
refused 'no.dot: cannot open' -p p.xml -g no.dot -m classic -o new.json
refused 'no.xml' -p no.xml -g g.dot -m classic -o new.json
refused "is out of range" "${on[@]}" -m classic --flop-per-s 0
refused "the output 'g.dot' would overwrite the input 'g.dot'" "${on[@]}" -m classic -o g.dot
refused "the output 'hosts.txt' would overwrite the input" "${on[@]}" -m classic --allocation hosts.txt \
  --gantt hosts.txt
refused "cannot both be written to 'both'" "${on[@]}" -m classic -o both --gantt both
refused 'should end in .svg' "${on[@]}" -m classic -o new.json --gantt new.png
refused 'list[priority=alap] contradicts the given order' "${on[@]}" -m classic -s 'list[priority=alap]' \
  --order order.txt -o new.json
refused 'no/s.json: cannot write' "${on[@]}" -m classic -o no/s.json
refused 'no/s.svg: cannot write' "${on[@]}" -m classic -o new.json --gantt no/s.svg
printf 'A p0\nB p7\n' >bad_hosts.txt
refused "bad_hosts.txt:2: unknown host 'p7'" "${on[@]}" -m classic --allocation bad_hosts.txt -o new.json
printf 'A p0\n' >few_hosts.txt
refused "few_hosts.txt: task 'B' is missing" "${on[@]}" -m classic --allocation few_hosts.txt -o new.json
printf 'B\nA\n' >bad_order.txt
refused "bad_order.txt:1: task 'B' comes before 'A' (line 2)" "${on[@]}" -m classic --order bad_order.txt -o new.json
sed 's/speed="10f"/speed="1e-307f"/' p.xml >slow.xml # a plan would end at infinity, which JSON cannot say
refused "slow.xml: host 'p0' is too slow for the 70 flop of g.dot" -p slow.xml -g g.dot -m classic -o new.json \
  --gantt new.svg
sed '/<route/d' p.xml >apart.xml
refused 'route' -p apart.xml -g g.dot -m classic -o new.json
echo 'digraph g { A -> B [size=1]; B -> A [size=1]; A [size=1]; B [size=1]; }' >cycle.dot
refused 'cycle' -p p.xml -g cycle.dot -m classic -o new.json

# ---- unrelated hosts ----
printf 'task,p1,p0\nB,1,\nA,,2\n' >costs.csv # A only on p0, B only on p1; columns and lines in any order
plan --model classic --scheduler heft --costs costs.csv --out u.json >said 2>errors
has said 'sequential no host may run all tasks'
has said 'critical path 3 s, work on all hosts 1.5 s'
"$iasim" check -p p.xml -g g.dot --costs costs.csv u.json >said || fault "check --costs: $(cat said)"
"$iasim" check -p p.xml -g g.dot u.json >said && fault 'check without the costs accepts their times'
has said "duration: task 'A' takes 2 s instead of 3 s on host p0"
plan --model classic --scheduler sequential --out v.json >said 2>errors
"$iasim" check -p p.xml -g g.dot --costs costs.csv v.json >said && fault 'check accepts a forbidden host'
has said "host: task 'B' is on host 'p0', where it may not run (costs.csv)"
plan --model classic --scheduler heft --costs costs.csv --json >/dev/null 2>said
has said '"sequential_s": null, "sequential_host": null, "speed_up": null'
costs() { printf '%b' "$1" >bad.csv; refused "$2" "${on[@]}" -m classic --costs bad.csv -o new.json; }
costs 'task,p0,p1\nA,1,2\nB,,\n' "bad.csv:3: task 'B' may not run on any host: all its cells are empty"
costs 'task,p0,p1\nA,1,2\n' "bad.csv: task 'B' of g.dot is missing"
costs 'task,p0,p1\nA,1,2\n\nC,1,2\n' "bad.csv:4: unknown task 'C'"
costs 'task,p0,p1\nA,1,2\nA,1,2\n' "bad.csv:3: task 'A' appears twice; the first is on line 2"
costs 'task,p0,q1\nA,1,2\nB,1,2\n' "bad.csv:1: unknown host 'q1': not in p.xml"
costs 'task,p0,p0\nA,1,2\nB,1,2\n' "bad.csv:1: host 'p0' has a second column"
costs 'task,p1\nA,1\nB,2\n' "bad.csv:1: host 'p0' of p.xml has no column"
costs 'p0,p1\nA,1\nB,2\n' "bad.csv:1: the header begins with 'p0'; expected task,HOST,HOST,..."
costs '' 'no header; expected task,HOST,HOST,...'
costs 'task,p0,p1\nA,1,2\nB,1\n' 'bad.csv:3: found 1 cells after the task, expected 2 as in the header'
costs 'task,p0,p1\nA,1,2,3\nB,1,2\n' 'bad.csv:2: found 3 cells after the task, expected 2 as in the header'
costs 'task,p0,p1\nA,1,2\nB,1,inf\n' "bad.csv:3: host 'p1': 'inf' is not a finite number of seconds"
costs 'task,p0,p1\nA,1,2\nB,-1,2\n' "bad.csv:3: host 'p0': -1 seconds are negative"
costs 'task,p0,p1\nA,1e308,2\nB,1e308,2\n' 'bad.csv: the times of tasks are too large'
refused "costs.csv: scheduler sequential: no host may run all tasks; 'B' may not run on 'p0'" "${on[@]}" -m classic \
  -s sequential --costs costs.csv
refused "costs.csv: task 'A' may not run on host 'p1', which the allocation prescribes" "${on[@]}" -m classic \
  --costs costs.csv --allocation <(printf 'A p1\nB p1\n')
refused "the output 'costs.csv' would overwrite the input" "${on[@]}" -m classic --costs costs.csv -o costs.csv
for s in heft etf portfolio round_robin; do
  refused "scheduler $s does not take an order (--order)" "${on[@]}" -m classic -s $s --order order.txt -o new.json
  refused "scheduler $s does not take an allocation (--allocation)" "${on[@]}" -m classic -s $s --allocation hosts.txt \
    -o new.json
done
refused "unknown scheduler 'hetf'" "${on[@]}" -m classic -s 'portfolio[of=heft+hetf]'
refused "has no parameter 'x'" "${on[@]}" -m classic -s 'portfolio[of=heft+list[x=1]]'
refused "is not of the form name[parameter=value,...]" "${on[@]}" -m classic -s 'portfolio[of=heft+list[compact=on]'

cp s.json kept.json
refused 'cycle' -p p.xml -g cycle.dot -m classic -o kept.json
cmp s.json kept.json || fault 'a schedule that is not made has destroyed an old one'
mkdir folder killed
refused 'folder: cannot write: Is a directory' -p p.xml -g g.dot -m classic -o folder
refused 'no/such.svg: cannot write: No such file or directory' -p p.xml -g g.dot -m classic --gantt no/such.svg
"$iasim" graph generate 'layered[tasks=300,width=8]' --seed 5 --ccr 1 --platform p.xml --out long.dot
"$iasim" schedule -p p.xml -g long.dot -m involvement -s 'foresight[seconds=60]' -o killed/s.json --gantt killed/s.svg \
  >/dev/null 2>&1 &
sleep 1 # by then it plans
kill -9 $! || fault 'planning ended too early'
wait $! 2>/dev/null || true
[[ -z $(ls -A killed) ]] || fault "kill -9 while it plans leaves $(ls -A killed)"
ln s.json one.svg
status=0
plan -m classic -o one.svg --gantt ./one.svg >no.out 2>no.err || status=$?
[[ $status == 2 ]] || fault "two names of one file: status $status"
has no.err 'cannot both be written'

# ---- generate, schedule, check on the experiment's machines; the same input gives the same bytes ----
n_checked=0
for machine in star-full star-half bus cluster hetero; do
  platform=platforms/sinnen-$machine.xml
  "$iasim" graph generate 'layered[tasks=60,width=8]' --seed 5 --ccr 1 --platform "$platform" --out big.dot
  for model in classic contention involvement; do
    for scheduler in list 'list[technique=insertion,minimize=finish]'; do
      for again in 1 2; do
        "$iasim" schedule -p "$platform" -g big.dot -m "$model" -s "$scheduler" --out "$again.json" \
          --gantt "$again.svg" >"$again.txt"
      done
      cmp 1.json 2.json && cmp 1.svg 2.svg && cmp 1.txt 2.txt ||
        fault "$machine, $model, $scheduler: not the same twice"
      "$iasim" check -p "$platform" -g big.dot 1.json >checked ||
        fault "$machine, $model, $scheduler: $(head -5 checked)"
      [[ $(grep -c '<title>task_[0-9_]*: ' 1.svg) == 60 ]] || fault "$machine, $model: not every task is in the picture"
      n_checked=$((n_checked + 1))
    done
  done
done
echo "$n_checked schedules checked, $faults faults"
((faults == 0 && n_checked == 30))
