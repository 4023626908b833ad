#!/usr/bin/env bash
# SPDX-License-Identifier: LGPL-2.1-or-later
# parallel.sh IASIM: the line of scenarios/README.md for GNU parallel works as it stands, gives what one run gives, and
# goes on where it was broken off. Skipped (77) without GNU parallel, unless TESTS_REQUIRED=1.
# shellcheck source=test/cli/begin.sh
source "$(dirname "${BASH_SOURCE[0]}")/begin.sh"
if ! parallel --version 2>/dev/null | grep -q '^GNU parallel'; then
  [[ ${TESTS_REQUIRED-} != 1 ]] || exit 1
  echo 'skipped: no GNU parallel here' && exit 77
fi
export HOME=$dir # for what GNU parallel keeps

line=$(grep '^parallel ' "$IASIM_DATA/scenarios/README.md")
[[ $(wc -l <<<"$line") -eq 1 && $line == *'./iasim run kreaseck-fork --shard'*'./iasim merge'* ]] ||
  { echo "not one line for GNU parallel: $line" && exit 1; }
echo "$line"
ln -s "$iasim" iasim # the line's ./iasim

"$iasim" run kreaseck-fork --quiet --out whole.db >/dev/null
"$iasim" export whole.db --out want.csv
check() {
  "$iasim" export all.db --out got.csv
  cmp want.csv got.csv || { echo "$1: not what one run gives" && exit 1; }
}
sh -c "$line" >/dev/null
check 'at once'

# One part is lost, one not done: the same line again.
rm part-2.db part-3.db
./iasim run kreaseck-fork --shard 3/4 --quiet --jobs 1 --out part-3.db >/dev/null &
until [[ -s part-3.db ]]; do sleep 0.01; done # it takes a tenth of a second on some machines
kill -KILL $! 2>/dev/null || true
wait $! 2>/dev/null || true
sh -c "$line" >/dev/null
check 'gone on'
