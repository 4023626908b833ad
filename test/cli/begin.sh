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
halt_at_work() { # halt_at_work PID: stops a run as soon as it has workers, however soon it would be done
  local tries=4000
  until [[ -n $(cat "/proc/$1/task/$1/children" 2>/dev/null) ]] || ((tries-- == 0)); do sleep 0.005; done
  kill -STOP "$1"
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
# two_hosts PROPERTIES_OF_A PROPERTIES_OF_B: a platform; both do 1 flop/s, the link l between them carries 1 byte/s
two_hosts() {
  cat <<XML
<?xml version='1.0'?>
<!DOCTYPE platform SYSTEM "https://simgrid.org/simgrid.dtd">
<platform version="4.1">
  <config><prop id="network/model" value="CM02"/><prop id="network/crosstraffic" value="0"/></config>
  <zone id="z" routing="Full">
    <host id="a" speed="1f">$1</host>
    <host id="b" speed="1f">$2</host>
    <link id="l" bandwidth="1Bps" latency="0s"/>
    <route src="a" dst="b"><link_ctn id="l"/></route>
  </zone>
</platform>
XML
}
