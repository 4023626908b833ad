#!/usr/bin/env bash
# SPDX-License-Identifier: LGPL-2.1-or-later
# baseline.sh IASIM: iasim baseline save and check on small scenarios: what is the same, better, worse, different,
# missing, new or failing, and the command that runs a changed point again; files that are no baselines; saves that do
# not succeed.
# shellcheck source=test/cli/begin.sh
source "$(dirname "${BASH_SOURCE[0]}")/begin.sh"

ends() { # ends STATUS COMMAND...: sets out
  local status=0
  out=$("${@:2}" 2>&1) || status=$?
  [[ $status -eq $1 ]] || fault "${*:2}: status $status, not $1: $out"
}
refuse() { # refuse TEXT COMMAND...: with status 2
  ends 2 "${@:2}"
  expect "${*:2}" "$1"
}
check() { "$iasim" baseline check mine "$@"; }
edit() { # edit FROM TO: the baseline as it was saved, changed
  sed "$1" saved >mine/baseline.txt
  ! cmp -s saved mine/baseline.txt || fault "the test's edit '$1' changes nothing"
}

mkdir mine
cat >mine/scenario.xml <<END
<scenario name="mine" experiment="farm">
  <param name="platform" value="platform.xml"/>
  <param name="deployment" value="$IASIM_DATA/deployments/kreaseck-fork.xml"/>
  <sweep name="policy"><value>bwc</value><value>ia_multi[chunk=0.5,prune=on]</value></sweep>
  <sweep name="compute_size"><value>10</value><value>2.5</value></sweep>
  <param name="send_size" value="2"/>
</scenario>
END
cp "$IASIM_DATA/platforms/kreaseck-fork.xml" mine/platform.xml

# saved beside the scenario, the same bytes for any number of jobs, and nothing else left behind
ends 0 "$iasim" baseline save mine --set tasks=40 --jobs 1
n_metrics=$(grep -c '^metric' mine/baseline.txt)
((n_metrics > 12)) || fault "$n_metrics metrics"
expect save "mine/baseline.txt: 4 runs of mine, $n_metrics metrics"
"$iasim" baseline save mine/scenario.xml --set tasks=40 --jobs 3 --out three.txt 2>/dev/null
"$iasim" baseline save mine --set tasks=40 --out /dev/stdout 2>/dev/null | cmp - three.txt ||
  fault 'standard output differs'
cmp three.txt mine/baseline.txt
[[ $(ls . mine | tr '\n' ' ') == '.: mine three.txt  mine: baseline.txt platform.xml scenario.xml ' ]] ||
  fault "left: $(ls . mine)"
grep -qx 'set tasks=40' mine/baseline.txt || fault 'the baseline does not remember --set'
[[ $(grep -o '^compute_size=[0-9.]* policy=[a-z_]*' mine/baseline.txt) == \
  "$(printf 'compute_size=%s policy=%s\n' 2.5 bwc 2.5 ia_multi 10 bwc 10 ia_multi)" ]] ||
  fault "not sorted by value: $(cut -c1-60 mine/baseline.txt)"
cp mine/baseline.txt saved
ends 0 check
expect check 'mine, 4 runs against mine/baseline.txt: 4 the same'
[[ $(wc -l <<<"$out") -eq 1 ]] || fault "more than one line where nothing changed: $out"
ends 0 "$iasim" baseline check mine --baseline <(cat saved)

# one figure less than what comes out: worse, with a command that runs the point again
number=$(sed -n 's/^compute_size=10 policy=ia.* makespan_s=\([0-9.]*\) .*/\1/p' saved)
edit '/^compute_size=10 policy=ia/s/ makespan_s=[0-9.]*/ makespan_s=1.25/'
ends 1 check
expect worse '1 worse, 3 the same'
expect worse 'compute_size=10 policy=ia_multi[chunk=0.5,prune=on]'
expect worse "    makespan_s is $number, expected 1.25: worse by "
expect worse 'If these changes are intended, expect these results from now on:'
rerun=$(sed -n 's/^ *iasim \(run .*\)/\1/p' <<<"$out")
[[ $rerun == 'run mine --set tasks=40 --only '* ]] || fault "the rerun command is: $rerun"
again=$(eval "'$iasim' $rerun --json") || fault "iasim $rerun fails"
python3 -c '
import json, sys
r = json.load(sys.stdin)
assert r["metrics"]["makespan_s"] == float(sys.argv[1]) and r["parameters"]["compute_size"] == 10, r
' "$number" <<<"$again" || fault "iasim $rerun gives: $again"
ends 1 check --json
python3 -c '
import json, sys
r, number = json.load(sys.stdin), float(sys.argv[1])
assert r["holds"] is False and r["runs"]["worse"] == 1 and r["runs"]["same"] == 3 and r["keys_changed"] == 0, r
change, = r["changes"]
assert change["parameters"] == {"compute_size": "10", "policy": "ia_multi[chunk=0.5,prune=on]"}, change
metric, = change["metrics"]
assert metric["name"] == "makespan_s" and metric["verdict"] == "worse", metric
assert metric["found"] == number and abs(metric["relative_difference"] - (number / 1.25 - 1)) < 1e-12, metric
assert change["rerun"].startswith("iasim run mine --set tasks=40 --only " + change["key"][:12]), change
assert [m["runs"]["worse"] for m in r["metrics"] if m["name"] == "makespan_s"] == [1], r
' "$number" <<<"$out" || fault "json: $out"
ends 0 check --tolerance makespan_s=1e9
# one figure for one change: the same in the text, in the table and, as a part, in JSON
percent=$(python3 -c 'import sys; print("%.0f %%" % (100 * (float(sys.argv[1]) / 1.25 - 1)))' "$number")
ends 1 check
expect 'a change in the text' "worse by $percent"
[[ $(grep -E "^makespan_s +lower +1 .* $percent  " <<<"$out" | wc -l) -eq 1 ]] ||
  fault "a change in the table, $percent: $out"
expect 'equal ones are summed up' "$((n_metrics - 1)) other metrics are equal."
# on average over the four runs it is worse by the fourth root of that
mean=$(python3 -c 'import sys; print("%.3g %%" % (100 * ((float(sys.argv[1]) / 1.25) ** 0.25 - 1)))' "$number")
ends 1 check --aggregate 5
expect aggregate "The geometric mean of makespan_s is worse by $mean, more than 5 %."
ends 0 check --aggregate 200
expect aggregate "No metric's geometric mean is worse by more than 200 %."
refuse '--aggregate' "$iasim" baseline check mine --aggregate -1
ends 1 check --worst 0
[[ $out != *--only* ]] || fault "--worst 0 names runs: $out"

# better: reported, and not a fault; the command it gives renews the baseline, which keeps what else is written there
edit 's/ makespan_s=[0-9.]* / makespan_s=1e6 /; s/^\(metric busy_s.*relative=\)1e-09/\10.125/'
ends 0 check
expect better '4 better'
expect better 'Nothing is worse. To expect these results from now on:'
save=$(sed -n 's/^ *iasim \(baseline save .*\)/\1/p' <<<"$out")
ends 0 eval "'$iasim' $save"
expect renewed 'Compared with what it held before:'
expect renewed '4 better'
[[ $(diff saved mine/baseline.txt | grep -c '^>') -eq 1 ]] || fault "renewed: $(diff saved mine/baseline.txt)"
grep -q '^metric busy_s better=neither relative=0.125 ' mine/baseline.txt || fault 'a tolerance is lost'

# different where no direction is better; a figure that is not there any more
edit 's/ sent_bytes=[0-9]*/ sent_bytes=1/'
ends 1 check
expect different '4 different'
edit 's/ startup_s=[0-9.]*/ startup_s=-/'
ends 1 check
expect 'no figure' 'expected none: different'

# missing, new, and both when a value that all share is another
edit '/^compute_size=10 policy=bwc/d'
ends 0 check
expect new '1 new, 3 the same'
edit 's/policy=bwc/policy=gone/'
ends 1 check
expect missing '2 missing, 2 new, 2 the same'
expect missing 'missing: it is not in the scenario'
edit 's/^param send_size=2$/param send_size=3/'
ends 1 check
expect 'other value' 'No run is in both: send_size is 3 in the baseline and 2 now.'

# a results_version or a file that changed alters keys, and nothing else
edit 's/ key=[0-9a-f]*/ key=0123456789abcdef0123456789abcdef/'
ends 0 check
expect keys '4 the same'
expect keys 'The keys of 4 of the runs differ from the baseline'

# works now; fails now; fails as before
edit '/^compute_size=10 policy=bwc/s/ makespan_s=.*/ error="it did not"/'
ends 0 check
expect works '1 work now'
expect works 'it failed before: it did not'
cp saved mine/baseline.txt
cp "$IASIM_DATA/platforms/star-8.xml" mine/platform.xml
ends 1 check
expect fails '4 fail now'
expect fails 'fails now: '
ends 1 "$iasim" baseline save mine
expect 'failed runs' '  failed: '
ends 0 check
cp "$IASIM_DATA/platforms/kreaseck-fork.xml" mine/platform.xml

# only some metrics; renewing keeps the choice, `all` ends it
cp saved mine/baseline.txt
"$iasim" baseline save mine --metrics startup_s,makespan_s --tolerance makespan_s=0.5,7 >/dev/null 2>&1
[[ $(grep -c '^metric' mine/baseline.txt) -eq 2 ]] || fault "metrics: $(grep '^metric' mine/baseline.txt)"
"$iasim" baseline save mine >/dev/null 2>&1
[[ $(grep -c '^metric' mine/baseline.txt) -eq 2 ]] || fault 'the choice of metrics is lost'
grep -q '^metric makespan_s better=lower relative=0.5 absolute=7$' mine/baseline.txt || fault 'the tolerance is lost'
"$iasim" baseline save mine --metrics all --set tasks=30 >/dev/null 2>&1
[[ $(grep -c '^metric' mine/baseline.txt) == "$n_metrics" ]] || fault 'not all metrics'
[[ $(grep '^set' mine/baseline.txt) == 'set tasks=30' ]] || fault "set: $(grep '^set' mine/baseline.txt)"

# several --set: check and renewing use them all
ends 0 "$iasim" baseline save mine --set tasks=20 --set send_size=3 --set policy=bwc --out several.txt
ends 0 "$iasim" baseline check mine --baseline several.txt
expect several '2 runs'
grep -q 'new' <<<"$out" && fault "not all --set of the baseline are used: $out"
ends 0 "$iasim" baseline save mine --out several.txt
[[ $(grep -c '^set' several.txt) -eq 3 ]] || fault "set: $(grep '^set' several.txt)"

# files that are no baselines; test/gallery/baselines has the rest
rm mine/baseline.txt
refuse 'mine/baseline.txt: there is no baseline; `iasim baseline save mine` makes one' check
edit '$d'
refuse 'mine/baseline.txt:' check
expect truncated "the file is cut short: its last line is not 'end'"
refuse 'save overwrites nothing but baselines: repair or remove the file' "$iasim" baseline save mine
edit 's/^scenario mine/scenario yours/'
refuse 'mine/baseline.txt:4: the baseline of scenario yours, not of mine' check
refuse 'mine/baseline.txt:4: the baseline of scenario yours, not of mine' "$iasim" baseline save mine
edit 's/^set tasks=40/set tasks=-40/'
refuse 'mine/baseline.txt:6: --set tasks=-40: experiment farm: parameter tasks is -40' check
edit 's/^metric makespan_s/metric makespan/'
refuse "experiment farm has no metric 'makespan'" check
sed 's/$/\r/' saved >mine/baseline.txt
refuse 'mine/baseline.txt:1: a carriage return' check
refuse 'not a baseline: the first line is not iasim-baseline/1' "$iasim" baseline save mine --out mine/scenario.xml
grep -q '<scenario' mine/scenario.xml || fault 'the scenario is overwritten'
refuse 'Is a directory' "$iasim" baseline check mine --baseline .

# saves that do not succeed leave what was there
cp saved mine/baseline.txt
refuse 'cannot write: No such file or directory' "$iasim" baseline save mine --set tasks=40 --out no/such/folder.txt
ends 3 "$iasim" baseline save mine --set tasks=40 --out /dev/full
expect 'a full disk' 'cannot write: No space left on device'
stop() { # stop SIGNAL: a save on its way
  rm -f stderr
  "$iasim" baseline save mine --jobs 1 --set tasks=8000 >/dev/null 2>stderr &
  halt_at_work $!
  kill "-$1" $!
  kill -CONT $! 2>/dev/null || true
  status=0
  wait $! || status=$?
  cmp saved mine/baseline.txt || fault "SIG$1: the baseline changed"
  [[ $(ls mine | paste -sd,) == baseline.txt,platform.xml,scenario.xml ]] || fault "SIG$1: left: $(ls mine)"
}
stop TERM
[[ $status -eq 75 ]] || fault "SIGTERM: status $status, not 75: $(cat stderr)"
grep -q 'interrupted: nothing was saved' stderr || fault "SIGTERM: $(cat stderr)"
stop KILL

# usage
refuse 'what to do is missing; known: save, check' "$iasim" baseline
refuse "unknown 'sav'; known: save, check" "$iasim" baseline sav mine
refuse 'a scenario is missing' "$iasim" baseline check
refuse "check has no --set; it belongs to: save" check --set tasks=1
refuse 'check has no --out; it belongs to: save' check --out x
refuse 'save has no --baseline; it belongs to: check' "$iasim" baseline save mine --baseline x
refuse "--tolerance: unknown metric 'makespan'; did you mean 'makespan_s'?" check --tolerance makespan=1
refuse "--tolerance: 'makespan_s=-1': a tolerance must be a number of at least 0" check --tolerance makespan_s=-1
refuse '--metrics: metric makespan_s is given twice' "$iasim" baseline save mine --metrics makespan_s,makespan_s --out x
refuse "'yours' is neither a file or folder here nor a scenario that comes with iasim" "$iasim" baseline check yours
out=$("$iasim" baseline --help)
expect --help 'iasim baseline check smoke'
[[ $faults -eq 0 ]]
