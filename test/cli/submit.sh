#!/usr/bin/env bash
# SPDX-License-Identifier: LGPL-2.1-or-later
# submit.sh IASIM: what iasim submit hands to Slurm, and what it and iasim status make of queue and databases. Slurm's
# programs are stand-ins that write down what they are told; the scripts are run by hand. (test/cluster has a real one.)
# shellcheck source=test/cli/begin.sh
source "$(dirname "${BASH_SOURCE[0]}")/begin.sh"
mkdir -p "$dir/bin" "$dir/it's a \$HOME \"place\" 100%"
cd "$dir/it's a \$HOME \"place\" 100%"
here=$PWD

ask() { status=0 && out=$("$iasim" "$@" 2>&1) || status=$?; } # sets out and status
expect() { # expect STATUS TEXT...: of the last `ask`, each text a line or a part of one
  [[ $status -eq $1 ]] || fault "status $status, not $1: $out"
  shift
  for text in "$@"; do grep -qF -- "$text" <<<"$out" || fault "expected '$text' in: $out"; done
}
told() { # told LINE...: what sbatch and scancel were told since the last time, without the folder
  local want
  want=$(printf '%s\n' "$@")
  diff <(sed '/^$/d' <<<"$want") <(sed "s|$PWD/||" "$dir/told") || fault "^ was told to Slurm, not what was expected"
  : >"$dir/told"
}
states() { "$iasim" status "${1:-smoke.shards}" --json | python3 -c '
import json, sys
print(*[p["state"] for p in json.load(sys.stdin)["parts"]])'; }
run_part() { SLURM_ARRAY_TASK_ID=$1 bash smoke.shards/task.sh >/dev/null; }

# --- without Slurm
ask submit smoke --tasks 4 --dry-run --out 'all of it.db' --time=1:00 -- -p short --comment 'a "b" #c'
expect 0 '#SBATCH --time=1:00 -p short --comment "a \"b\" #c"' "--array=1-4 '" \
  '--dependency=afterok:ARRAY --kill-on-invalid-dep=yes' \
  'smoke.shards/%a.log" --open-mode=append' ' 100%%/' 'export IASIM_DATA=' "of it.db' {1..4}.db"
[[ -z $(ls -A) ]] || fault "--dry-run has written: $(ls -A)"
bash -n <<<"$(sed '/^# ---- to be submitted/,$d' <<<"$out")" || fault 'the scripts are no shell scripts'
status=0 && out=$(PATH=$dir/bin "$iasim" submit smoke --tasks 4 2>&1) || status=$?
expect 2 'Slurm is not installed here' '--dry-run' 'GNU parallel'
[[ -z $(ls -A) ]] || fault "without sbatch: $(ls -A)"

# --- stand-ins
stand_in() { { echo '#!/usr/bin/env bash' && cat; } >"$dir/bin/$1" && chmod +x "$dir/bin/$1"; }
export PATH=$dir/bin:$PATH TOLD=$dir/told QUEUE=$dir/queue REFUSE=$dir/refuse
# shellcheck disable=SC2016 # the stand-ins expand it
{
  stand_in sbatch <<'END'
echo "sbatch $*" >>"$TOLD"
[[ ! -e $REFUSE || $* != *$(cat "$REFUSE")* ]] || { echo 'sbatch: error: no, not today' >&2; exit 1; }
echo "$(($(wc -l <"$QUEUE.n") + 100));a-cluster" && echo >>"$QUEUE.n"
END
  stand_in squeue <<<'[[ ! -e $QUEUE.down ]] || { echo "squeue: error: no answer" >&2; exit 1; }
[[ -n ${SQUEUE_STATES-} ]] || cat "$QUEUE"'
  stand_in scontrol <<'END'
: >"$QUEUE.asked"
for _ in $(seq 250); do [[ -e $QUEUE.hold ]] || break; sleep 0.02; done
echo "MaxArraySize            = $(cat "$QUEUE.max")"
END
  stand_in scancel <<<'echo "scancel $*" >>"$TOLD"'
}
: >"$QUEUE" && : >"$QUEUE.n" && : >"$TOLD" && echo 13 >"$QUEUE.max"

ask submit smoke --tasks 13
expect 2 '--tasks 13 is more than this cluster allows: at most 12 (MaxArraySize 13)'
ask submit smoke --tasks 17
expect 2 '--tasks 17 is more than the scenario has runs: 16'
ask submit smoke
expect 2 'option --tasks is missing'
ask submit smoke --tasks 4 --time 1:00
expect 2 "unexpected '1:00': the arguments are SCENARIO [--SBATCH-OPTION=VALUE...] [-- SBATCH-OPTION...]"
for word in --array=1 -a1 --wait -W --dependency=singleton --wrap=x --test-only --plugin=x.so -Mx; do
  ask submit smoke --tasks 4 -- "$word"
  expect 2 "the option $word cannot be passed to sbatch"
done
: >smoke.db
ask submit smoke --tasks 4
expect 2 'smoke.db: already exists'
rm smoke.db
[[ -z $(ls -A) && ! -s $TOLD ]] || fault "refusals have left: $(ls -A), $(cat "$TOLD")"
echo --array >"$REFUSE"
ask submit smoke --tasks 4
expect 2 'sbatch failed: sbatch: error: no, not today'
told 'sbatch --parsable --array=1-4 smoke.shards/task.sh'
rm "$REFUSE"

# --- the first time: four parts and what unites them
ask submit smoke --tasks 4 --partition=short
expect 0 'job 100: parts 1-4 of 4' 'job 101: '
told 'sbatch --parsable --array=1-4 smoke.shards/task.sh' \
  'sbatch --parsable --dependency=afterok:100 --kill-on-invalid-dep=yes smoke.shards/merge.sh'
printf '%s\n' '100|1|RUNNING' '100|2|COMPLETING' '100|3|PENDING' '100|4|PENDING' '101|N/A|PENDING' '77|1|RUNNING' \
  >"$QUEUE"
[[ $(states) == 'running ending waiting waiting' ]] || fault "states: $(states)"
ask status smoke
expect 1 'scenario smoke, 16 runs in 4 parts' 'runs: 0 done, 0 failed, 16 missing' '1 running, 1 ending, 2 waiting' \
  'will be written when'
[[ $(SQUEUE_STATES=TIMEOUT states) == 'running ending waiting waiting' ]] ||
  fault 'the queue is what the user likes to see of it'
: >"$QUEUE.down"
ask status smoke.shards
expect 1 'no answer; which parts are waiting or running is unknown' '4 missing'
ask submit smoke
expect 2 'squeue failed: squeue: error: no answer'
rm "$QUEUE.down"

# --- again: what ends is submitted behind itself, what waits or runs is left alone, the older uniting job gives way
ask submit smoke
expect 0 'job 102: parts 2 of 4' 'job 103: '
told 'sbatch --parsable --array=2 --dependency=afterany:100_2 smoke.shards/task.sh' 'scancel 101' \
  'sbatch --parsable --dependency=afterok:102:100_1:100_3:100_4 --kill-on-invalid-dep=yes smoke.shards/merge.sh'
printf '%s\n' '100|2|COMPLETING' '102|2|PENDING' '100|3|RUNNING' '103|N/A|PENDING' >"$QUEUE"
run_part 1
[[ $(states) == 'done waiting running missing' ]] || fault "states: $(states)"
grep -q . smoke.shards/batch.json
ask submit smoke
expect 0 'job 104: parts 4 of 4'
told 'sbatch --parsable --array=4 smoke.shards/task.sh' 'scancel 103' \
  'sbatch --parsable --dependency=afterok:104:100_3:102_2 --kill-on-invalid-dep=yes smoke.shards/merge.sh'
printf '%s\n' '104|4|PENDING' '102|2|PENDING' '100|3|RUNNING' '105|N/A|PENDING' >"$QUEUE"
ask submit smoke
expect 0 'nothing to submit: what is missing is in the queue'
told

# --- two at once: what one is about to submit, the other must know
: >"$QUEUE.hold" && rm "$QUEUE.asked"
"$iasim" submit smoke >/dev/null &
for _ in $(seq 250); do [[ -e $QUEUE.asked ]] && break; sleep 0.02; done
ask submit smoke
expect 2 'smoke.shards: another iasim submit is using this folder'
rm "$QUEUE.hold"
wait $! || fault 'the first of two did not go on'
told

# --- too many in the queue to name them all: their arrays, ended in whatever way; uniting sees whether all is there
echo 10001 >"$QUEUE.max"
ask submit sinnen-accuracy --tasks 2000 --dir many --out many.db
array=$(sed -n 's/^job \([0-9]*\): parts.*/\1/p' <<<"$out")
: >"$TOLD"
seq -f "$array|%.0f|PENDING" 2 1999 >"$QUEUE"
ask submit sinnen-accuracy --dir many
expect 0 ': parts 1,2000 of 2000'
told 'sbatch --parsable --array=1,2000 many/task.sh' \
  "sbatch --parsable --dependency=afterok:$((array + 2)),afterany:$array --kill-on-invalid-dep=yes many/merge.sh"

# --- all are run, the uniting job was refused, then comes alone
: >"$QUEUE"
"$iasim" run smoke --shard 2/4 --set tasks=60 --quiet --out smoke.shards/2.db >/dev/null
python3 - <<'END'
import sqlite3 # half of part 2 has not been run
c = sqlite3.connect("smoke.shards/2.db")
c.execute("DELETE FROM results WHERE key IN (SELECT key FROM results LIMIT 2)")
c.commit()
END
[[ $(states) == 'done stopped missing missing' ]] || fault "states: $(states)"
echo merge.sh >"$REFUSE"
ask submit smoke
expect 2 'no, not today'
told 'sbatch --parsable --array=2-4 smoke.shards/task.sh' \
  'sbatch --parsable --dependency=afterok:110 --kill-on-invalid-dep=yes smoke.shards/merge.sh'
rm "$REFUSE"
for i in 2 3 4; do run_part $i; done
[[ $(states) == 'done done done done' ]] || fault "states: $(states)"
ask status smoke
expect 1 'smoke.db does not exist yet' 'parts: 4 done'
ask submit smoke
told 'sbatch --parsable smoke.shards/merge.sh'
bash smoke.shards/merge.sh 2>/dev/null
ask status smoke
expect 0 'smoke.db is complete'
ask status smoke.db
expect 0 'smoke.db: scenario smoke, 16 runs: 16 done, 0 failed, 0 missing'
"$iasim" run smoke --quiet --out local.db >/dev/null
cmp <("$iasim" export smoke.db) <("$iasim" export local.db) || fault 'united is not what a local run gives'
ask submit smoke
expect 0 'nothing to submit: everything has been run and united'

# --- a part whose run was killed while it wrote: it is not touched, only run again
rm smoke.db
python3 - <<'END'
import shutil, sqlite3
c = sqlite3.connect("smoke.shards/2.db", isolation_level=None)
c.execute("PRAGMA cache_size = 1")
c.execute("BEGIN")
for i in range(200): # more than the cache holds: some of it is in the file, what was there is in the journal
    c.execute("INSERT INTO results SELECT key || ?, %s FROM results WHERE length(key) = 32" %
              ", ".join('"%s"' % r[1] for r in c.execute("PRAGMA table_info(results)").fetchall()[1:]), (str(i),))
shutil.copy("smoke.shards/2.db", "torn.db")
shutil.copy("smoke.shards/2.db-journal", "torn.db-journal")
c.execute("ROLLBACK")
END
mv torn.db smoke.shards/2.db && mv torn.db-journal smoke.shards/2.db-journal
sum=$(cat smoke.shards/2.db smoke.shards/2.db-journal | cksum)
[[ $(states) == 'done stopped done done' ]] || fault "states: $(states)"
ask status smoke.shards/2.db
expect 1 'its run ended during a write'
ask merge --out x.db smoke.shards/{1..4}.db
expect 2 '2.db: a run was killed while it wrote to this database; --resume repairs it'
[[ $(cat smoke.shards/2.db smoke.shards/2.db-journal | cksum) == "$sum" ]] || fault 'looking has changed the database'
run_part 2 && bash smoke.shards/merge.sh 2>/dev/null
cmp <("$iasim" export smoke.db) <("$iasim" export local.db) || fault 'what was broken off is not put right'
: >"$TOLD"

# --- what does not belong together
ask submit smoke --set tasks=5
expect 2 'was made for scenario smoke with digest' ', this is smoke with digest' '; it holds parts of '
ask submit smoke --tasks 5
expect 2 'has 4 parts, not 5'
rm smoke.db
"$iasim" run smoke --shard 1/4 --set tasks=5 --quiet --out other.db >/dev/null
cp other.db smoke.shards/3.db
ask status smoke
expect 2 '3.db: holds results of scenario smoke with digest' 'the folder is for smoke with digest'
head -c 5000 local.db >smoke.shards/3.db
ask status smoke
expect 2 '3.db: the database is damaged'
ask submit smoke
expect 2 '3.db: the database is damaged'
rm smoke.shards/3.db
cp smoke.shards/batch.json saved
for text in '{' '[]' '{"format": "iasim-batch/2"}' '{"format": "iasim-batch/1"}'; do
  echo "$text" >smoke.shards/batch.json
  ask status smoke.shards
  expect 2 'batch.json'
done
cp saved smoke.shards/batch.json
told

# --- runs that fail are results, too: the script says so; they are tried again
ask submit smoke --tasks 2 --dir failing --out failing.db --set platform="$IASIM_DATA/platforms/star-8.xml" --jobs 1
expect 0 'parts 1-2 of 2'
grep -qx '#SBATCH --cpus-per-task=1' failing/task.sh || fault '--jobs is not asked of Slurm'
for i in 1 2; do SLURM_ARRAY_TASK_ID=$i bash failing/task.sh >/dev/null || fault "a part with failures: status $?"; done
bash failing/merge.sh 2>/dev/null
[[ $(states failing) == 'failed failed' ]] || fault "states: $(states failing)"
ask status failing
expect 1 '16 failed, 0 missing' 'has all parts, including those that failed' 'submits again: 1-2'
: >"$TOLD"
ask submit smoke --dir failing --set platform="$IASIM_DATA/platforms/star-8.xml"
expect 0 'parts 1-2 of 2'
job=$(sed -n 's/^job \([0-9]*\): parts.*/\1/p' <<<"$out")
told 'sbatch --parsable --array=1-2 failing/task.sh' \
  "sbatch --parsable --dependency=afterok:$job --kill-on-invalid-dep=yes failing/merge.sh"

# --- somebody else at work; databases by themselves
"$iasim" run kreaseck-fork --jobs 1 --quiet --shard 1/2 --out busy.db >/dev/null 2>&1 &
halt_at_work $!
ask status busy.db
expect 1 'a run is writing to it'
kill -CONT $! && kill -TERM $!
wait $! || true
ask status busy.db
expect 1 'scenario kreaseck-fork, 144 runs: '
mv busy.db $'b\xfcsy.db' # names are bytes, JSON is UTF-8
ask status --json $'b\xfcsy.db'
expect 1 '"database": "b?sy.db"'
ask status nothing
expect 2 "'nothing' is neither a file or folder here"
ask status kreaseck-fork
expect 2 'neither kreaseck-fork.shards nor kreaseck-fork.db is here'
ask status
expect 2 'a scenario, a folder of parts or a database is missing'
[[ $PWD == "$here" ]] && ((faults == 0))
