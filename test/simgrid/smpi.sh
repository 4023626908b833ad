#!/usr/bin/env bash
# SPDX-License-Identifier: LGPL-2.1-or-later
# smpi.sh IASIM: MPI programs under `iasim exec -- smpirun`: closed forms for eager and large messages (closed_smpi.c)
# and the halo exchange of doc/examples, whose slowdown is that of its closed form; all with the same bytes as without
# iasim where transfers cost nothing.
# shellcheck source=test/simgrid/begin.sh
source "$(dirname "$0")/begin.sh"
examples=$IASIM_DATA/doc/examples
needs command -v smpicc libsimgrid-dev

platform() { # platform IR_SEND IR_RECV
  cat <<XML
<?xml version='1.0'?>
<!DOCTYPE platform SYSTEM "https://simgrid.org/simgrid.dtd">
<platform version="4.1">
  <zone id="world" routing="Full">
    <host id="a" speed="1Gf"><prop id="ir_send" value="$1"/></host>
    <host id="b" speed="1Gf"><prop id="ir_recv" value="$2"/></host>
    <link id="l" bandwidth="1MBps" latency="0s"/>
    <route src="a" dst="b"><link_ctn id="l"/></route>
  </zone>
</platform>
XML
}
platform 0.3 0.2 >charged.xml
platform 0 0 >zero.xml
platform 1e-30 1e-30 >tiny.xml
printf 'a\nb\n' >hosts
config=(--cfg=network/model:CM02 --cfg=network/crosstraffic:0 --cfg=network/TCP-gamma:0 \
  --cfg=smpi/simulate-computation:no
  --cfg=smpi/wtime:0 --log=smpi_config.thres:warning)
mpi() { # mpi PLATFORM WORDS...
  smpirun=(smpirun -np 2 -platform "$1" -hostfile hosts "${config[@]}" ./closed_smpi "${@:2}")
}
smpicc -O1 "$here/closed_smpi.c" -o closed_smpi -lm

check() { # check early|late|eager BYTES
  mpi charged.xml "$@" 0.3 0.2
  run out "$iasim" exec -- "${smpirun[@]}"
  [[ $(grep -c '^received\|computed' out) == 3 ]] || fault "$*: $(cat out)"
  mpi charged.xml "$@" 0 0
  run free "${smpirun[@]}"
  run none "$iasim" exec --world none -- "${smpirun[@]}"
  for mode in zero tiny; do
    mpi $mode.xml "$@" 0 0
    run $mode "$iasim" exec -- "${smpirun[@]}"
    sed -i "s/$mode.xml/charged.xml/" $mode
  done
  same free none zero tiny
}
check early 1000
check early 500000
check early 2000000
check late 1000
check late 500000
config+=(--cfg=smpi/async-small-thresh:65536)
check eager 50000

# In each iteration 60 rows of 12500 cells at 4 flop, on 1 Gf/s, and two halos of 100016 bytes out and in, of which each
# takes 0.002 or 0.003 s per MB from the computing that hides it. 20 iterations.
smpicc -O1 "$examples/halo.c" -o halo
halo=(smpirun -np 4 -platform "$examples/cluster.xml" -hostfile "$examples/cluster.hosts" ./halo)
run free "${halo[@]}"
run none "$iasim" exec --world none -- "${halo[@]}"
same free none
run charged "$iasim" exec -- "${halo[@]}"
seconds() { sed -n 's/^20 iterations: \(.*\) s$/\1/p' "$1"; }
awk -v free="$(seconds free)" -v charged="$(seconds charged)" 'BEGIN {
  hidden = 20 * 60 * 12500 * 4 / 1e9; stolen = 20 * 2 * 0.100016 * (0.002 + 0.003)
  if ((free - hidden) ^ 2 > 1e-18 || (charged - hidden - stolen) ^ 2 > 1e-18) {
    print free, hidden, charged, hidden + stolen; exit 1
  }
}' || fault "halo: $(cat free charged)"

echo "$faults faults"
((faults == 0))
