#!/usr/bin/env bash
# SPDX-License-Identifier: LGPL-2.1-or-later
# bad_input.sh IASIM: files that cannot be read or written. One message that names the file; status 2, or 3 where the
# disk is full; and nothing is left behind.
# shellcheck source=test/cli/begin.sh
source "$(dirname "$0")/begin.sh"

star=$IASIM_DATA/platforms/star-8.xml bus=$IASIM_DATA/platforms/sinnen-bus.xml
"$iasim" graph generate 'layered[tasks=200]' --seed 1 --out g.dot
"$iasim" schedule -p "$bus" -g g.dot -m involvement --json --out s.json >said
"$iasim" run smoke --quiet --out r.db >said
printf 'exec 0 Lab0 9\n' >script.txt
mkdir folder
farm=(farm -p "$star" -d "$IASIM_DATA/deployments/star-8.xml" --policy bwc --tasks 500 --send-size 1 --compute-size 5)
schedule=(schedule -p "$bus" -g g.dot -m involvement)
replay=(replay -p "$bus" -g g.dot -w involvement)
measure=(measure -p "$IASIM_DATA/platforms/kreaseck-lab.xml" -H Lab0 --send-to Lab3)

refuse() { # refuse STATUS TEXT ARGUMENTS...: the text is in the one message; no file comes or goes
  local status=0 before
  before=$(find . | sort)
  out=$(timeout 60 "${as[@]}" "$iasim" "${@:3}" 2>&1 >/dev/null) || status=$?
  [[ $status == "$1" ]] || fault "${*:3}: status $status, not $1: $out"
  [[ $(grep -c '^iasim' <<<"$out") == 1 ]] || fault "${*:3}: not one message: $out"
  expect "${*:3}" "$2"
  [[ $(find . | sort) == "$before" ]] || fault "${*:3} leaves $(diff <(echo "$before") <(find . | sort))"
}
as=()

# outputs
for command in 'farm --trace' 'replay --trace' 'schedule --out' 'schedule --gantt' 'measure --out' 'graph convert' \
  'export --out' 'compare --csv'; do
  case $command in
    farm*) words=("${farm[@]}" --trace) ;;
    replay*) words=("${replay[@]}" s.json --trace) ;;
    schedule*) words=("${schedule[@]}" "${command#* }") ;;
    measure*) words=("${measure[@]}" --out) ;;
    graph*) words=(graph convert --to wfcommons g.dot) ;;
    export*) words=(export r.db --out) ;;
    compare*) words=(compare r.db --by policy --metric makespan_s --csv) ;;
  esac
  refuse 2 'folder: cannot write: Is a directory' "${words[@]}" folder
  refuse 2 'missing/x: cannot write: No such file or directory' "${words[@]}" missing/x
  refuse 3 '/dev/full: cannot write: No space left on device' "${words[@]}" /dev/full
done
refuse 2 '--trace is empty' "${farm[@]}" --trace ''

# inputs
refuse 2 'g.dot: this is a task graph, not a schedule' "${replay[@]}" g.dot
echo '{"a": 1}' >other.json
refuse 2 "other.json: 'format' is missing" "${replay[@]}" other.json
refuse 2 'folder: cannot read: Is a directory' "${replay[@]}" folder
refuse 2 '/dev/null:1: this is not JSON' "${replay[@]}" /dev/null
refuse 2 'folder: cannot read: Is a directory' activities -p "$star" folder
refuse 2 'missing: cannot open: No such file or directory' activities -p "$star" missing
refuse 2 '/dev/null:1: not well-formed XML' activities -p /dev/null script.txt
out=$("$iasim" activities -p "$star" /dev/null | tr -d ' \n')
[[ $out == '{"activities":[]}' ]] || fault "a script without activities gives: $out"
if [[ $(id -u) == 0 ]] && setpriv --reuid=65534 --regid=65534 --clear-groups true 2>/dev/null; then
  chmod 755 .
  as=(setpriv --reuid=65534 --regid=65534 --clear-groups)
fi
echo secret >secret
chmod 000 secret
if [[ $(id -u) != 0 || ${#as[@]} -gt 0 ]] && "${as[@]}" "$iasim" --version >/dev/null 2>&1; then
  for words in "activities -p $star" 'graph info' "${replay[*]}" 'fit linear' run export; do
    read -ra words <<<"$words"
    refuse 2 'secret: cannot open: Permission denied' "${words[@]}" secret
  done
fi
as=()

# two options that are wrong: the first is reported
refuse 2 '--interval 0 is out of range: it must be between' "${measure[@]}" --interval 0 --duration -1
refuse 2 "--interval 'x' is not a finite number" "${measure[@]}" --interval x --loads y
refuse 2 "unknown option '--bogus'" "${measure[@]}" --bogus --other

# a full disk, in a file system of its own
full() {
  mkdir small && mount -t tmpfs -o size=40k tmpfs small || return 77
  "$iasim" graph generate 'layered[tasks=2000]' --seed 1 --out big.dot
  refuse 3 'small/g.json: cannot write: No space left' graph convert big.dot small/g.json
  refuse 3 'small/x.csv: cannot write: No space left' "${farm[@]}" --trace small/x.csv
  refuse 3 'small/s.json: cannot write: No space left' schedule -p "$bus" -g big.dot -m involvement --out small/s.json
  refuse 3 'small/s.svg: cannot write: No space left' schedule -p "$bus" -g big.dot -m involvement --gantt small/s.svg
  refuse 3 'small/r.db: cannot write: the disk is full' run smoke --quiet --out small/r.db
  head -c 100000 /dev/zero >small/fill 2>said || true
  refuse 3 'small/m.db: cannot write: the disk is full' merge r.db --out small/m.db
  refuse 3 'small/r.csv: cannot write: No space left' export r.db --out small/r.csv
  echo "$faults" >faults
}
export -f full refuse fault expect
if unshare -m true 2>/dev/null; then
  declare -p star bus farm as faults iasim >variables
  status=0
  unshare -m bash -euo pipefail -c 'source ./variables && full' || status=$?
  [[ $status == 77 ]] || faults=$(cat faults)
fi
echo "$faults faults"
((faults == 0))
