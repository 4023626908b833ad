#!/usr/bin/env bash
# SPDX-License-Identifier: LGPL-2.1-or-later
# tutorial.sh IASIM: the commands of doc/codegen.md work, one after the other, and its function of a task compiles.
set -euo pipefail
# shellcheck source=test/codegen/need.sh
. "$(dirname "${BASH_SOURCE[0]}")/need.sh"
# shellcheck source=test/cli/begin.sh
. "$(dirname "${BASH_SOURCE[0]}")/../cli/begin.sh"
need smpicc libsimgrid-dev
need mpicc libopenmpi-dev
need mpirun openmpi-bin

iasim() { "$iasim" "$@"; }
n=0
while read -r command; do
  n=$((n + 1))
  eval "$command" >out 2>err || fault "'$command': $(cat err)"
  [[ ! -s err ]] || fault "'$command' says on stderr: $(cat err)"
done < <(sed -n '/Five commands:/,/^## /p' "$IASIM_DATA/doc/codegen.md" | grep '^    iasim ')
((n == 5)) || fault "$n commands in place of 5"
grep -q 'arrived as they were sent' out || fault "the last command: $(cat out)"

printf 'digraph g { a [size="1e7"]; b [size="1e7"]; a -> b [size="100"]; }\n' >g.dot
iasim schedule --platform platforms/sinnen-star-full.xml --graph g.dot --model classic --out s.json >/dev/null
sed -n '/^## Tasks of your own/,/^## /p' "$IASIM_DATA/doc/codegen.md" | sed -n 's/^    //p' >own.c
grep -q 'ia_data(E_a__b' own.c || fault "no function in the page: $(cat own.c)"
iasim codegen --platform platforms/sinnen-star-full.xml --graph g.dot --out own --tasks own.c --run smpi s.json >out || fault "own.c"

echo "$faults faults"
((faults == 0))
