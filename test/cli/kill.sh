#!/usr/bin/env bash
# SPDX-License-Identifier: LGPL-2.1-or-later
# kill.sh IASIM [ROUNDS]: kill -9 of the dispatcher, of a worker and of a point's process, at random moments of a sweep
# that forks for each point and of one that does not. What was finished stays, nobody is left behind, and --resume
# brings it to the same bytes; a worker's death alone costs nothing. ROUNDS (default 1) of each; with ROUNDS, a table.
# shellcheck source=test/cli/begin.sh
source "$(dirname "${BASH_SOURCE[0]}")/begin.sh"

# At its end a sanitized program has a child that looks for leaks; if that is killed, the program waits for it for ever.
export ASAN_OPTIONS=${ASAN_OPTIONS:+$ASAN_OPTIONS:}detect_leaks=0

rounds=${2-1} kills=0
table() { [[ $rounds -eq 1 ]] || printf '%-10s  %-19s  %6s  %6s  %6s  %s\n' "$@"; }
children() { # children PROCESS: into `list`; no process is started for it, points are short
  list=()
  { read -ra list <"/proc/$1/task/$1/children"; } 2>/dev/null || true
}
descendants() { local child list; children "$1"; for child in "${list[@]}"; do echo "$child"; descendants "$child"; \
  done; }
rows() { # rows DATABASE: those that worked
  [[ -e $1 ]] && "$iasim" export "$1" 2>/dev/null | tail -n +2 | grep -c ',$' || true
}
kill_now() { # kill_now WHO DISPATCHER: if there is one
  local list worker
  children "$2"
  case $1 in
  dispatcher) list=("$2") ;;
  worker) list=("${list[@]::1}") ;;
  point) for worker in "${list[@]}"; do children "$worker" && [[ ${#list[@]} -gt 0 ]] && break; done ;;
  esac
  [[ ${#list[@]} -gt 0 ]] && kill -9 "${list[0]}" 2>/dev/null
}

kill_one() { # kill_one SCENARIO WHO MS OPTION...: starts it, kills WHO after MS milliseconds (false: too late), resumes
  local scenario=$1 who=$2 ms=$3 family try status=0 stored killed=0
  shift 3
  "$iasim" run "$scenario" "$@" --jobs 2 --out killed.db >/dev/null 2>said &
  local pid=$!
  sleep "$(printf '0.%03d' "$ms")"
  family=$(descendants "$pid")
  for ((try = 0; try < 1000; try++)); do
    kill_now "$who" "$pid" && killed=1 && break
    [[ -e /proc/$pid/task/$pid/children ]] || break
  done
  wait "$pid" 2>/dev/null || status=$?
  for _ in $(seq 200); do
    for process in $family; do [[ ! -e /proc/$process ]] || { sleep 0.02 && continue 2; }; done
    break
  done
  for process in $family; do [[ ! -e /proc/$process ]] ||
    fault "$scenario: process $process outlives its dispatcher"; done
  case $who in
  dispatcher) [[ $status -eq 137 || $status -eq 0 ]] || fault "$scenario: status $status after kill -9: $(cat said)" ;;
  worker) [[ $status -eq 0 ]] || fault "$scenario: status $status after the death of a worker: $(cat said)" ;;
  point) [[ $status -le 1 ]] || fault "$scenario: status $status after the death of a point: $(cat said)" ;;
  esac
  stored=$(rows killed.db)
  "$iasim" run "$scenario" "$@" --jobs 2 --out killed.db --resume >said 2>&1 || fault "$scenario: --resume: $(cat said)"
  grep -q "; 0 failed" said || fault "$scenario: $(cat said)"
  [[ ${stored:-0} -eq 0 ]] || grep -q "$stored of them done before" said ||
    fault "$scenario: $stored rows were stored, but: $(cat said)"
  "$iasim" export killed.db >got.csv
  local same=yes
  cmp -s got.csv want.csv || { same=NO && fault "$scenario differs after kill -9 of a $who at $ms ms"; }
  [[ $killed -eq 0 ]] || table "$who" "$scenario" "$ms" "${stored:-0}" "$status" "$same"
  rm -f killed.db killed.db-wal killed.db-shm killed.db-journal
  kills=$((kills + killed))
  [[ $killed -eq 1 ]]
}

kill_some_time() { # kill_some_time SCENARIO WHO MS OPTION...: earlier and earlier, until it is not too late
  local ms=$3
  while ! kill_one "$1" "$2" "$ms" "${@:4}" && [[ $ms -gt 0 ]]; do ms=$((ms / 2)); done
}

sweep() { # sweep WHO... -- SCENARIO OPTION...
  local who=()
  while [[ $1 != -- ]]; do who+=("$1") && shift; done
  shift
  local scenario=$1 start end
  shift
  rm -f want.db
  start=$(date +%s%N)
  "$iasim" run "$scenario" "$@" --jobs 2 --out want.db >/dev/null
  end=$(date +%s%N)
  "$iasim" export want.db >want.csv
  local length_ms=$(((end - start) / 1000000))
  [[ $length_ms -lt 900 ]] || length_ms=900
  for _ in $(seq "$rounds"); do
    for one in "${who[@]}"; do kill_some_time "$scenario" "$one" $((length_ms * (10 + RANDOM % 80) / 100)) "$@"; done
  done
}

RANDOM=42
table killed scenario 'at, ms' stored status 'same bytes'
sweep dispatcher worker point -- kreaseck-fork --set send_size=2 --set tasks=400
sweep dispatcher worker -- kreaseck-fork-bound --set "compute_size=$(seq -s, 1 40)"
echo "$kills processes killed, $faults faults"
[[ $faults -eq 0 && $kills -gt 0 ]]
