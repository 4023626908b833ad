#!/usr/bin/env bash
# SPDX-License-Identifier: LGPL-2.1-or-later
# damage.sh IASIM: databases that are damaged, locked, none at all or cannot grow: one clear message, status 2, and what
# was stored stays.
# shellcheck source=test/cli/begin.sh
source "$(dirname "${BASH_SOURCE[0]}")/begin.sh"

sweep=(kreaseck-fork-bound --set "compute_size=$(seq -s, 1 40)" --quiet) # 240 runs, without a process each
refuse() { # refuse TEXT COMMAND...
  local status=0
  out=$("${@:2}" 2>&1 >stdout) || status=$?
  [[ $status -eq 2 ]] || fault "${*:2}: status $status, not 2: $out"
  [[ $(wc -l <<<"$out") -eq 1 ]] || fault "${*:2}: more than one line: $out"
  grep -qF -- "$1" <<<"$out" || fault "${*:2}: expected '$1' in: $out"
}
untouched() { # untouched TEXT: neither going on with bad.db nor exporting it works, and neither changes it
  cp bad.db before
  refuse "bad.db: $1" "$iasim" run "${sweep[@]}" --out bad.db --resume
  refuse "bad.db: $1" "$iasim" export bad.db --out never.csv
  cmp -s bad.db before || fault "bad.db ($1) was changed"
  [[ ! -e never.csv ]] || fault "$1, but never.csv is there"
  [[ ! -e bad.db-wal && ! -e bad.db-journal ]] || fault "$1, but something is left beside it"
}
spoil() { # spoil PLACE BYTES: bad.db is good.db but for those
  cp good.db bad.db
  head -c "$2" /dev/zero | tr '\0' Z | dd of=bad.db conv=notrunc bs=1 seek="$1" status=none
}

"$iasim" run "${sweep[@]}" --out good.db >/dev/null
"$iasim" export good.db >want.csv
size=$(stat -c %s good.db)

spoil 0 16
untouched 'not a database, or a damaged one: file is not a database'
spoil 100 500
untouched 'the database is damaged: database disk image is malformed'
for rest in 50 2000 8192 $((size / 2)) $((size / 2 + 1)); do
  cp good.db bad.db && truncate -s "$rest" bad.db
  untouched 'the database is damaged'
done
echo 'these are not the results you are looking for' >bad.db
untouched 'not a database, or a damaged one: file is not a database'

# only rows are hit: it says so when it comes to them, and the file is still there
spoil $((size - 20000)) 16384
refuse 'bad.db: the database is damaged' "$iasim" run "${sweep[@]}" --out bad.db --resume
refuse 'bad.db: the database is damaged' "$iasim" export bad.db
[[ -s bad.db ]] || fault 'a database is gone because a part of it was damaged'

# an empty file is what is left of a run that was killed at once
: >empty.db
refuse "empty.db: already exists; --resume continues it" "$iasim" run "${sweep[@]}" --out empty.db
"$iasim" run "${sweep[@]}" --out empty.db --resume >/dev/null
"$iasim" export empty.db | cmp -s - want.csv || fault 'an empty file does not become a database'

# names that SQLite would take for something else
for name in :memory: 'file:r.db?mode=memory' file:r.db; do
  "$iasim" run "${sweep[@]}" --out "$name" >/dev/null
  "$iasim" export "$name" | cmp -s - want.csv || fault "'$name' does not hold the results"
  [[ -s $name ]] || fault "there is no file '$name'"
done

mkdir folder && mkfifo pipe && ln -s nowhere/r.db dangling
refuse 'folder: is a folder, not a database' "$iasim" run "${sweep[@]}" --out folder --resume
refuse 'pipe: is a device or pipe, not a database' "$iasim" run "${sweep[@]}" --out pipe --resume
refuse 'pipe: is a device or pipe, not a database' "$iasim" export pipe
refuse 'dangling: cannot write: No such file or directory' "$iasim" run "${sweep[@]}" --out dangling --resume
refuse 'nowhere/r.db: cannot write: No such file or directory' "$iasim" run "${sweep[@]}" --out nowhere/r.db
[[ -p pipe && -d folder && -L dangling ]] || fault 'what is no database was removed'

# a quota; SQLite tells it from a full disk no better than we do
status=0
out=$( (ulimit -f 40 && exec "$iasim" run "${sweep[@]}" --out full.db) 2>&1 >stdout) || status=$?
[[ $status -eq 2 ]] || fault "quota: status $status, not 2: $out"
grep -q '^iasim run: full.db: .*; what was stored is kept$' <<<"$out" || fault "quota: $out"
stored=$("$iasim" export full.db | tail -n +2 | wc -l)
out=$("$iasim" run "${sweep[@]}" --out full.db --resume)
grep -q "$stored of them done before" <<<"$out" || fault "quota: $stored rows were stored, but: $out"
"$iasim" export full.db | cmp -s - want.csv || fault 'after a quota was raised, other bytes'

# a folder that nobody may write to, root neither
refuse '/proc/self/r.db: cannot write: ' "$iasim" run "${sweep[@]}" --out /proc/self/r.db

# another program holds a lock; the patience for it is 5 s
python3 - <<'END' &
import sqlite3, sys, time
db = sqlite3.connect("good.db", isolation_level=None)
db.execute("BEGIN EXCLUSIVE")
open("locked", "w").close()
time.sleep(30)
END
locker=$!
for _ in $(seq 500); do [[ -e locked ]] && break; sleep 0.02; done
refuse 'good.db: the database is locked by another program' "$iasim" run "${sweep[@]}" --out good.db --resume
kill $locker
wait $locker 2>/dev/null || true
"$iasim" export good.db | cmp -s - want.csv || fault 'a locked database was changed'

echo "$faults faults"
[[ $faults -eq 0 ]]
