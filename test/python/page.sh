#!/usr/bin/env bash
# SPDX-License-Identifier: LGPL-2.1-or-later
# page.sh BUILD: doc/python.md by the letter, with an installed iasim: each block of Python is the file that its first line names;
# the commands run in their order. The scheduler of the page is HEFT. Skipped (77) as run.sh.
set -euo pipefail
build=$1 page=$PWD/doc/python.md
for module in pandas cffi; do
  /usr/bin/python3 -c "import $module" 2>/dev/null && continue
  echo "skipped: the package python3-$module is not installed"
  [[ ${TESTS_REQUIRED-} != 1 ]] || exit 1
  exit 77
done
# shellcheck source=test/installed.sh
. "$(dirname "${BASH_SOURCE[0]}")/../installed.sh"
sanitizer=$(ldd "$dir/prefix/bin/iasim" | sed -n 's/.* => \(.*libasan[^ ]*\) .*/\1/p')
[[ -z $sanitizer ]] || export LD_PRELOAD=$sanitizer ASAN_OPTIONS=detect_leaks=0
export PYTHONPATH=$dir/prefix/lib/python3/dist-packages PYTHONDONTWRITEBYTECODE=1 PATH=$dir/prefix/bin:/usr/bin:$PATH
unset IASIM

blocks_of python | awk '/^# [a-z]+\.py$/ { file = $2 } { print > file }'
[[ -s first.py && -s sweep.py && -s mine.py ]] || fault "the page does not have first.py, sweep.py and mine.py"
blocks_of sh >commands
n_commands=0
while IFS= read -r command; do
  n_commands=$((n_commands + 1))
  bash -c "$command" >out 2>err </dev/null || fault "$command: status $?: $(cat out err)"
  [[ $command == *--quiet* || -s out ]] || fault "$command: prints nothing"
done <commands

iasim schedule --platform platforms/sinnen-hetero.xml --graph g.dot --model involvement --scheduler heft --out heft.json >out
cmp <(sed 1d heft.json) <(sed 1d mine.json) || fault 'the scheduler of the page is not HEFT'
echo "$n_commands commands, $faults faults"
((faults == 0 && n_commands >= 6))
