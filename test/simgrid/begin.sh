# shellcheck shell=bash
# SPDX-License-Identifier: LGPL-2.1-or-later
# Sourced by the scripts of this folder, which are given the program `iasim` first: a folder of its own for each, and
# counting faults.
set -euo pipefail
# shellcheck disable=SC2034 # used by those that source this
iasim=$1
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
IASIM_DATA=${here%/test/simgrid}
export IASIM_DATA
dir=$(mktemp -d)
trap 'rm -r "$dir"' EXIT
cd "$dir"

faults=0
fault() { echo "$*" && faults=$((faults + 1)); }

# needs COMMAND PACKAGE: without it the test is skipped, except where all tests are required.
needs() {
  ! "${@:1:$#-1}" >/dev/null 2>&1 || return 0
  echo "skipped: this test needs the package ${!#}"
  [[ ${TESTS_REQUIRED:-0} == 1 ]] && exit 1
  exit 77
}
run() { # run OUT COMMAND...: all that it prints
  local out=$1 status=0
  shift
  "$@" >"$out" 2>&1 || status=$?
  ((status == 0)) ||
    fault "status $status: $*: $(grep -E 'expected|noted|signal|status|CRITICAL' "$out" || tail -n 5 "$out")"
}
same() { # same A B...: the same bytes
  local other
  for other in "${@:2}"; do
    cmp -s "$1" "$other" || fault "$other: other bytes than $1: $(diff "$1" "$other" | head -n 8)"
  done
}
