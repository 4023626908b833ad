#!/usr/bin/env bash
# SPDX-License-Identifier: LGPL-2.1-or-later
# page.sh BUILD: doc/simgrid.md by the letter. All its commands run with an installed iasim, and the dates it gives are those
# that its examples print.
set -euo pipefail
build=$1 page=$PWD/doc/simgrid.md doc=$PWD/doc
# shellcheck source=test/installed.sh
. "$(dirname "${BASH_SOURCE[0]}")/../installed.sh"
LD_LIBRARY_PATH=$(dirname "$PKG_CONFIG_PATH")
export LD_LIBRARY_PATH PATH=/usr/bin:$PATH
ln -s "$dir/prefix/bin/iasim" "$doc" .

# overlap.c with the lines of the page: the first to the other headers, the second before the platform is loaded.
blocks_of c >lines
{
  sed -n 1p lines
  sed "s/^ *simgrid_load_platform/$(sed -n 2p lines)&/" doc/examples/overlap.c
} >mine.c
blocks_of sh >commands
if ! python3 -c 'import simgrid' 2>/dev/null; then
  [[ ${TESTS_REQUIRED-} != 1 ]] || fault 'this test needs the package python3-simgrid'
  sed -i '/python3/d' commands
fi
n_commands=0
while IFS= read -r command; do
  n_commands=$((n_commands + 1))
  bash -c "$command" >out 2>err </dev/null || fault "$command: status $?: $(cat out err)"
  case $command in
    *'exec '*overlap* | ./mine*) dates='sender 1.200000 receiver 1.300000' ;;
    smpirun*) dates='iterations: 0.060000000' ;;
    *'exec '*smpirun*) dates='iterations: 0.080003200' ;;
    *) continue ;;
  esac
  got=$(sed -n 's/ has computed at\| s$//g; s/^20 //; p' out)
  [[ ${got//$'\n'/ } == "$dates" ]] || fault "$command: expected $dates: $(cat out err)"
  for date in $dates; do
    [[ $date != *.* ]] || grep -qF "$date s" "$page" || fault "the page does not say $date"
  done
done <commands
./overlap doc/examples/cluster.xml >out 2>err
[[ $(grep -c '1\.000000 s$' out) == 2 ]] || fault "alone: $(cat out)"

# The listings of the page are those of the example.
blocks_of xml >listing
grep -qxF -- "    $(cat listing)" doc/examples/cluster.xml || fault 'cluster.xml has no such host as the page'
echo "$n_commands commands, $faults faults"
((faults == 0 && n_commands >= 8))
