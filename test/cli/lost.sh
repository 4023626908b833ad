#!/usr/bin/env bash
# SPDX-License-Identifier: LGPL-2.1-or-later
# lost.sh IASIM: a database, or its write-ahead log, that is removed or replaced while a run writes to it is noticed
# within a second: one message, status 3, no word of results that nobody can find; and whatever has taken its place is
# left alone.
# shellcheck source=test/cli/begin.sh
source "$(dirname "$0")/begin.sh"

# A run that takes minutes, of which some results are stored when $2 happens to its database; $1 says what is lost.
loses() {
  local words=$1 status=0
  rm -rf r.db* other*
  "$iasim" run random-trees --set instance="$many" --set tasks=2000 --jobs 2 --quiet --out r.db >out 2>talk </dev/null &
  local pid=$!
  for ((i = 0; i < 300; i++)); do
    [[ -s r.db-wal && $("$iasim" export r.db 2>/dev/null | wc -l) -gt 3 ]] && break
    sleep 0.1
  done
  eval "$2"
  wait $pid || status=$?
  [[ $status == 3 ]] || fault "$2: status $status"
  grep -qF "$words was removed or replaced while results were written to it" talk || fault "$2: $(cat talk)"
  [[ $(grep -c . talk) == 1 && ! -s out ]] || fault "$2: says more: $(cat talk out)"
}
many=$(seq -s, 1 2000)

loses 'iasim run: r.db' 'rm r.db'
[[ ! -e r.db ]] || fault 'r.db is there again'
loses 'iasim run: r.db' 'mv r.db elsewhere.db'
loses 'iasim run: r.db' 'echo mine >other && mv other r.db'
[[ $(cat r.db) == mine ]] || fault "another file of the same name was touched: $(head -c 100 r.db)"
loses 'iasim run: r.db-wal' 'rm r.db-wal'

echo "$faults faults"
((faults == 0))
