#!/usr/bin/env bash
# SPDX-License-Identifier: LGPL-2.1-or-later
# sweep.sh IASIM: a scenario in 4 parts on a Slurm of 2 nodes. One part is killed while it runs: `iasim status` shows
# it, and nothing is merged. Submitting again runs only that part; the merged results then equal those of a local run
# byte for byte. Skipped (77) if a private Slurm cannot be started, unless TESTS_REQUIRED=1.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd) iasim=$1
IASIM_DATA=$(cd "$here/../.." && pwd)
export IASIM_DATA

dir=$(mktemp -d)
chmod 755 "$dir"
end() { "$here/slurm.sh" stop "$dir/slurm" || true; rm -rf "$dir"; }
trap end EXIT
# If this script is killed because it takes too long, this process stops Slurm.
export -f end
export here dir
# shellcheck disable=SC2016 # the other shell expands it
setsid bash -c 'while kill -0 "$0" 2>/dev/null; do sleep 1; done; sleep 5; [[ ! -e $dir ]] || end' $$ </dev/null \
  >/dev/null 2>&1 &
disown
status=0
"$here/slurm.sh" start "$dir/slurm" 2 >"$dir/set" 2>"$dir/said" || status=$?
cat "$dir/said" >&2
if ((status != 0)); then
  [[ $status -ne 77 || ${TESTS_REQUIRED-} == 1 ]] && exit 1
  echo "skipped: no private Slurm here: $(head -n 1 "$dir/said")" && exit 77
fi
# shellcheck disable=SC1091 # made just now
. "$dir/set"
mkdir "$dir/a folder 100%" # characters that are special to shells, sbatch and its logs
cd "$dir/a folder 100%"
folder=fork.shards

faults=0
export LC_ALL=C
begun=${EPOCHREALTIME/./}
log() { # log WORDS: with the time since the beginning
  local tenths=$(((${EPOCHREALTIME/./} - begun) / 100000))
  printf '%3d.%d s  %s\n' $((tenths / 10)) $((tenths % 10)) "$*"
}
fault() { log "FAULT: $*" && faults=$((faults + 1)); }
expect() { grep -qE -- "$2" <<<"$out" || fault "$1: expected '$2' in: $out"; } # expect WHAT PATTERN: in `out`
ask() { status=0 && out=$("$iasim" "$@" 2>&1) || status=$?; }                   # sets out and status
parts() { { "$iasim" status "$folder" --json || true; } | awk -F '[": ,]+' "$@"; } # $2 is a key, $3 its value
# shellcheck disable=SC2016 # awk's fields
states() { parts '$2 == "state" { printf "%s%s", part++ ? " " : "", $3 }'; }
until_so() { # until_so SECONDS WHAT COMMAND...
  local tries=$(($1 * 5))
  while ! "${@:3}"; do
    ((tries-- > 0)) || { fault "$2: not within $1 s" && squeue >&2 && return 1; }
    sleep 0.2
  done
}
no_jobs() { [[ -z $(squeue --noheader) ]]; }
part_2() { # part_2 SIGNAL: to its processes
  local pid
  for pid in $(pgrep -f -- '--shard 2/4'); do
    [[ ! /proc/$pid/cwd -ef . ]] || kill "-$1" "$pid" 2>/dev/null || true
  done
}
# shellcheck disable=SC2016
has_rows() {
  parts '$2 == "part" { part = $3 } part == 2 { is[$2] = $3 }
    END { exit !(is["state"] == "running" && is["done"] > 0 && is["done"] < is["runs"] / 2) }'
}
# Part 2 is halted while it is looked at: however fast it is, it does not end before it is caught, with half of its runs
# to come.
catch_part_2() {
  local tries=2000
  while ((tries-- > 0)); do
    part_2 STOP
    [[ -e $folder/2.db ]] && has_rows && return
    part_2 CONT
    sleep 0.01
  done
  fault 'part 2 was not caught running'
}

# The expected results: a local run of the same scenario.
scenario=(kreaseck-fork --set tasks=6000)
"$iasim" run "${scenario[@]}" --out local.db --quiet >/dev/null
"$iasim" export local.db --out want.csv
log "local run: $(($(wc -l <want.csv) - 1)) runs"

ask submit "${scenario[@]}" --tasks 200
[[ $status -eq 2 ]] || fault "200 tasks: status $status"
expect 'more parts than runs' '--tasks 200 is more than the scenario has runs: 144'
ask submit "${scenario[@]}" --tasks 101
[[ $status -eq 2 ]] || fault "101 tasks: status $status"
expect 'more parts than an array may have' 'at most 100 \(MaxArraySize 101\)'
ask submit "${scenario[@]}" --tasks 4 --dir $folder --no-such-thing
[[ $status -eq 2 ]] || fault "an unknown option: status $status"
expect "sbatch's words" "sbatch failed: .*unrecognized option.*no-such-thing"

ask submit "${scenario[@]}" --tasks 4 --dir $folder --time=10:00 -- --comment 'quotes " and # too'
[[ $status -eq 0 ]] || fault "submit: status $status: $out"
log "submitted: ${out//$'\n'/; }"
expect submit '^job [0-9]+: parts 1-4 of 4$'
array=$(sed -n 's/^job \([0-9]*\): parts.*/\1/p' <<<"$out")
ask submit "${scenario[@]}" --dir $folder
expect 'submitted twice' '^nothing to submit: what is missing is in the queue$'

catch_part_2
scancel "${array}_2" # lets it go on to end itself
log "part 2 cancelled while it ran"
until_so 60 'the queue is empty' no_jobs || true
log "parts: $(states)"
[[ $(states) == 'done stopped done done' ]] || fault "after the cancellation: $(states)"
ask status "$folder"
[[ $status -eq 1 ]] || fault "status with a part missing: $status"
expect 'status' 'submits again: 2 '
log "$(grep '^runs:' <<<"$out")"
[[ ! -e kreaseck-fork.db ]] || fault 'parts were merged although one is missing'

ask submit "${scenario[@]}" --dir $folder
[[ $status -eq 0 ]] || fault "submit again: status $status: $out"
log "submitted again: ${out//$'\n'/; }"
expect 'submit again' '^job [0-9]+: parts 2 of 4$'
until_so 60 'the queue is empty' no_jobs || true
ask status "$folder"
[[ $status -eq 0 ]] || fault "at the end: status $status: $out; $(tail -n 3 $folder/*.log)"
log "$(grep -E '^(runs|parts):' <<<"$out" | paste -sd ' ')"
"$iasim" export kreaseck-fork.db --out got.csv
if cmp want.csv got.csv; then log 'merged = local, byte for byte'; else fault \
  'the merged results differ from those of the local run'; fi
ask submit "${scenario[@]}" --dir $folder
expect 'all is done' '^nothing to submit: everything has been run and united$'

# The same folder for another scenario.
ask submit "${scenario[@]}" --dir $folder --set send_size=3
[[ $status -eq 2 ]] || fault "another scenario: status $status"
expect 'another scenario' \
  'was made for scenario kreaseck-fork with digest [0-9a-f]{32}, this is kreaseck-fork with digest'

((faults == 0)) || { tail -n 20 "$dir"/slurm/log/*.log $folder/*.log && exit 1; }
