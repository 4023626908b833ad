# shellcheck shell=bash
# SPDX-License-Identifier: LGPL-2.1-or-later
# Sourced by the scripts of this folder, which are given the program: a folder of its own for each, and counting faults.
set -euo pipefail
iasim=$1
IASIM_DATA=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
export IASIM_DATA
dir=$(mktemp -d)
trap 'rm -r "$dir"' EXIT
cd "$dir"

faults=0
fault() { echo "$*" && faults=$((faults + 1)); }
expect() { # expect WHAT TEXT: in the output `out`
  grep -qF -- "$2" <<<"$out" || fault "$1: expected '$2' in: $out"
}
ends_with() { # ends_with STATUS ARGUMENTS: runs iasim, which leaves out and err
  local want=$1 status=0
  shift
  timeout 20 "$iasim" "$@" >out 2>err || status=$?
  [[ $status == "$want" ]] || fault "iasim $*: status $status, expected $want: $(cat err out)"
}
said() { # said WORDS: all of stderr, and nothing on stdout
  [[ $(cat err) == "$1" && ! -s out ]] || fault "expected '$1', got '$(cat err)' and '$(cat out)'"
}
