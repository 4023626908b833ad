#!/usr/bin/env bash
# SPDX-License-Identifier: LGPL-2.1-or-later
# merge.sh IASIM: iasim merge unites in any order and number to the same bytes, and refuses what is not whole, not ours,
# given twice, being written, or contradicts itself; then nothing is there that was not there before.
# shellcheck source=test/cli/begin.sh
source "$(dirname "${BASH_SOURCE[0]}")/begin.sh"

refuse() { # refuse TEXT COMMAND...: status 2, the text, no new file
  local status=0 before
  before=$(ls -A)
  out=$("${@:2}" 2>&1 >/dev/null) || status=$?
  [[ $status -eq 2 ]] || fault "${*:2}: status $status, not 2"
  grep -qF -- "$1" <<<"$out" || fault "${*:2}: expected '$1' in: $out"
  [[ $(ls -A) == "$before" ]] || fault "${*:2}: left behind: $(comm -13 <(echo "$before") <(ls -A) | paste -sd " ")"
}
merge() { "$iasim" merge "$@" 2>/dev/null; }
same() { "$iasim" export "$1" | cmp -s - want.csv || fault "$2: other rows"; }
sql() { python3 -c 'import sqlite3, sys; c = sqlite3.connect(sys.argv[1]); c.execute(sys.argv[2]); c.commit()' "$@"; }

"$iasim" run kreaseck-fork-bound --out whole.db >/dev/null
"$iasim" export whole.db --out want.csv
for i in $(seq 12); do "$iasim" run kreaseck-fork-bound --shard "$i/12" --jobs 1 --out "p$i.db" >/dev/null; done
cp p1.db copy.db

merge --out a.db p?.db p??.db && same a.db 'all parts'
merge --out b.db p??.db copy.db p?.db whole.db && same b.db 'in another order, some twice over'
cmp -s a.db b.db || fault 'the order of the inputs shows in the file'
merge --out b.db --replace p?.db
[[ $("$iasim" export b.db | wc -l) -eq 28 ]] || fault 'not replaced'

# More than are read at once.
mkdir many
for i in $(seq 150); do cp "p$((i % 12 + 1)).db" "many/$i.db"; done
merge --out c.db many/*.db && same c.db '150 inputs'
[[ $(echo c.db*) == c.db ]] || fault "temporary files are left: $(echo c.db*)"
sql many/149.db "UPDATE results SET throughput_tasks_per_s = 7"
refuse "many/149.db disagree on the result of key " "$iasim" merge --out d.db many/*.db
grep -Eq '^iasim merge: many/[0-9]+\.db and many/[0-9]+\.db disagree .*: throughput_tasks_per_s is .*7' <<<"$out" ||
  fault "the inputs that disagree are not named: $out"

# Two that meet only after each has been united with others.
mkdir threes
for i in $(seq 63); do cp p3.db "threes/$i.db"; done
cp p1.db bad.db
sql bad.db "UPDATE results SET throughput_tasks_per_s = NULL"
refuse 'p1.db and bad.db disagree on the result of key' "$iasim" merge --out d.db threes/*.db p1.db p2.db bad.db
grep -Eq ': throughput_tasks_per_s is [0-9.]+ and none$' <<<"$out" || fault "the figures are not named: $out"

# Files that differ in name only: the same rows whatever comes first.
cp p1.db renamed.db
sql renamed.db "UPDATE results SET platform = '#.xml'"
merge --out e.db p1.db renamed.db && merge --out f.db renamed.db p1.db
cmp -s <("$iasim" export e.db) <("$iasim" export f.db) || fault 'the order of inputs shows in names of files'
grep -q "#.xml" <("$iasim" export e.db) || fault 'of two names, the lesser was expected'

# A name is a name, not an address, and nothing is written to an input.
cp p1.db 'file:p 1%41?mode=rw#.db'
chmod a-w 'file:p 1%41?mode=rw#.db'
merge --out g.db 'file:p 1%41?mode=rw#.db' p?.db p??.db && same g.db 'a name that looks like an address'

# What cannot be.
head -c 9000 p2.db >cut.db
head -c 300 /dev/urandom >noise.db
: >empty.db
python3 -c 'import sqlite3; c = sqlite3.connect("other.db"); c.execute("CREATE TABLE x(y)")'
refuse 'already exists' "$iasim" merge --out whole.db p1.db
refuse "the output 'p1.db' would overwrite the input 'p1.db'" "$iasim" merge --out p1.db p1.db p2.db
refuse "the output './p1.db' would overwrite the input 'p1.db'" "$iasim" merge --replace --out ./p1.db p1.db p2.db
refuse "'p1.db' and './p1.db' are the same file, given twice" "$iasim" merge --out x.db p1.db p2.db ./p1.db
refuse '/dev/full: is ' "$iasim" merge --out /dev/full p1.db
refuse 'many: cannot write: Is a directory' "$iasim" merge --out many p1.db
refuse 'nowhere/x.db: cannot write: No such file' "$iasim" merge --out nowhere/x.db p1.db
refuse 'many: is a folder' "$iasim" merge --out x.db many
refuse 'nothing.db: cannot open: No such file' "$iasim" merge --out x.db p1.db nothing.db
refuse 'cut.db: the database is damaged' "$iasim" merge --out x.db p1.db cut.db
refuse 'noise.db: not a database, or a damaged one' "$iasim" merge --out x.db p1.db noise.db
refuse 'empty.db: ' "$iasim" merge --out x.db p1.db empty.db
refuse 'other.db: is a database, but not one of' "$iasim" merge --out x.db p1.db other.db
"$iasim" run smoke --out smoke.db >/dev/null
refuse 'p1.db and smoke.db are of different experiment' "$iasim" merge --out x.db p1.db smoke.db
refuse 'smoke.db and p1.db are of different scenario' "$iasim" merge --out smoke.db --replace p1.db
cp p2.db old.db
sql old.db "UPDATE meta SET value = '0.0.1' WHERE name = 'program'"
refuse "'0.0.1' (versions of iasim; --any-version unites them)" "$iasim" merge --out x.db p1.db old.db
merge --any-version --out x.db p1.db old.db
[[ $("$iasim" export x.db | wc -l) -eq 7 ]] || fault 'other version'
sql old.db 'ALTER TABLE results ADD COLUMN more REAL'
refuse 'have different columns' "$iasim" merge --any-version --out y.db p1.db old.db
: >z.db-journal
refuse 'z.db-journal: was left by a run that was killed' "$iasim" merge --out z.db p1.db
rm z.db-journal

# With --complete, all of the scenario or nothing.
refuse "only 33 of the scenario's 36 runs are in these databases" "$iasim" merge --complete --out y.db p?.db p1[01].db
merge --complete --out y.db p?.db p??.db && same y.db 'complete' && rm y.db
cp p1.db mute.db
sql mute.db "DELETE FROM meta WHERE name = 'runs'"
refuse 'mute.db does not say how many runs its scenario has' "$iasim" merge --complete --out y.db mute.db

# A run is at work: its database is not taken for finished, whoever gave it.
"$iasim" run kreaseck-fork --jobs 1 --quiet --out busy.db >/dev/null &
halt_at_work $!
refuse 'busy.db: a run is writing to this database' "$iasim" merge --out y.db busy.db
kill -CONT $!
kill -TERM $!
wait $! || true

# A full disk, by a limit of the size of files.
(trap '' XFSZ && ulimit -f 8 && refuse 'full.db: ' "$iasim" merge --out full.db p?.db p??.db && ((faults == 0))) ||
  fault 'a full disk'

((faults == 0))
