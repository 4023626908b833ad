#!/usr/bin/env bash
# SPDX-License-Identifier: LGPL-2.1-or-later
# program.sh IASIM: what a program consists of: the order of [S] exercise 8.9, names of any kind in C, and folders
# that appear complete or not at all. Nothing is compiled but by `cc -fsyntax-only`.
set -euo pipefail
# shellcheck source=test/cli/begin.sh
. "$(dirname "${BASH_SOURCE[0]}")/../cli/begin.sh"

star() { # star NAME..: hosts of 1 flop/s around a switch, half duplex links of 1 byte/s, o = 0.5 s, i = 50 %
  echo "<?xml version='1.0'?><!DOCTYPE platform SYSTEM 'https://simgrid.org/simgrid.dtd'><platform version='4.1'>"
  echo "<config><prop id='network/model' value='CM02'/><prop id='network/crosstraffic' value='0'/></config>"
  echo "<zone id='z' routing='Full'>"
  local a b
  for a in "$@"; do
    echo "<host id='$a' speed='1f'><prop id='overhead_send' value='0.5'/><prop id='overhead_recv' value='0.5'/>"
    echo "<prop id='involvement_send' value='0.5'/><prop id='involvement_recv' value='0.5'/></host>"
    echo "<link id='l$a' bandwidth='1Bps' latency='0s'/>"
  done
  for a in "$@"; do
    for b in "$@"; do
      [[ $a < $b ]] && echo "<route src='$a' dst='$b'><link_ctn id='l$a'/><link_ctn id='l$b'/></route>"
    done
  done
  echo "</zone></platform>"
}
code() { # code RANK: what it does, in one line
  sed -n "/^static void rank_$1(void)/,/^}/p" program/program.c |
    sed -nE 's/^    (ia_[a-z]+)\(([A-Za-z0-9_]+)\);/\1 \2/p' | sed 's/^ia_//' |
    tr '\n' ';'
}
is() { # is WHAT GOT EXPECTED
  [[ $2 == "$3" ]] || fault "$1: '$2', expected '$3'"
}

# --- [S] exercise 8.9: under involvement a send and a receive stand where the schedule has them, not next to their
# tasks. Here (by hand) the send of a -> b comes after c, which needs it for nothing, and b's data are received before
# d.
star p q >p.xml
cat >g.dot <<'DOT'
digraph g { a [size="2"]; b [size="1"]; c [size="3"]; d [size="4"]; a -> b [size="20"]; a -> c [size="0"]; }
DOT
cat >s.json <<'JSON'
{"format":"iasim-schedule/1","graph":"g.dot","platform":"p.xml","model":"involvement","scheduler":"hand","length_s":31,
 "tasks":[{"name":"a","host":"p","start_s":0,"finish_s":2},{"name":"b","host":"q","start_s":30,"finish_s":31},
  {"name":"c","host":"p","start_s":2,"finish_s":5},{"name":"d","host":"q","start_s":26,"finish_s":30}],
 "edges":[{"src":"a","dst":"b","local":false,"send":{"host":"p","start_s":5,"finish_s":15.5},
   "links":[{"link":"lp","direction":"none","start_s":5.5,"finish_s":25.5},
    {"link":"lq","direction":"none","start_s":5.5,"finish_s":25.5}],
   "recv":{"host":"q","start_s":15.5,"finish_s":26}},
  {"src":"a","dst":"c","local":true}]}
JSON
"$iasim" check --platform p.xml --graph g.dot s.json >/dev/null || fault "the schedule is not valid"
"$iasim" codegen -p p.xml -g g.dot -o program s.json >out 2>err || fault "codegen: $(cat err)"
is "rank 0 under involvement" "$(code 0)" "run T_a;run T_c;send E_a__b;"
is "rank 1 under involvement" "$(code 1)" "receive E_a__b;run T_d;run T_b;"
grep -q 'T_a, T_b, 0, 20LL, 0.5, 10, 0.5, 10' program/program.c ||
  fault "overhead and involvement: $(grep LL program/program.c)"
rm -r program

# Under classic, sends come directly after their task and receives directly before it ([S] exercise 8.9).
sed 's/"model":"involvement"/"model":"classic"/; s/"send":.*/"q":0},/; /"links":/,/\]/d; /"recv":/d; s/,"q":0//' \
  s.json >classic.json
"$iasim" codegen -p p.xml -g g.dot -o program classic.json >out 2>err || fault "codegen: $(cat err)"
is "rank 0 under classic" "$(code 0)" "run T_a;send E_a__b;run T_c;"
is "rank 1 under classic" "$(code 1)" "run T_d;receive E_a__b;run T_b;"
grep -q 'T_a, T_b, 0, 20LL, 0, 0, 0, 0' program/program.c ||
  fault "classic believes that messages take nothing: $(cat program/program.c)"
rm -r program

# The schedule of exercise 8.3 as the list scheduler makes it: the program's order on each host is the order of the
# dates.
star p1 p2 p3 p4 >p.xml
cat >g.dot <<'DOT'
digraph g {
 a [size="4"]; b [size="2"]; c [size="3"]; d [size="3"]; e [size="5"]; f [size="4"]; g [size="4"]; h [size="2"];
 a -> b [size="20"]; a -> c [size="30"]; b -> d [size="20"]; b -> e [size="20"]; c -> f [size="40"]; d -> h [size="20"];
 e -> g [size="30"]; f -> h [size="20"]; }
DOT
printf '%s\n' 'a p1' 'b p3' 'c p2' 'd p4' 'e p1' 'f p4' 'g p1' 'h p4' >allocation.txt
printf '%s\n' a b c d e f g h >order.txt
"$iasim" schedule -p p.xml -g g.dot --model involvement --allocation allocation.txt --order order.txt \
  --scheduler 'list[approach=alloc1]' \
  --out s.json >/dev/null
"$iasim" codegen -p p.xml -g g.dot -o program s.json >out 2>err || fault "codegen: $(cat err)"
for rank in 0 1 2 3; do
  want=$(python3 - $rank <<'PY'
import json, sys
s = json.load(open("s.json"))
host = ["p1", "p2", "p3", "p4"][int(sys.argv[1])]
steps = [(t["start_s"], "run T_" + t["name"]) for t in s["tasks"] if t["host"] == host]
for e in s["edges"]:
    for key, word in ("send", "send"), ("recv", "receive"):
        if key in e and e[key]["host"] == host:
            steps.append((e[key]["start_s"], f"{word} E_{e['src']}__{e['dst']}"))
print("".join(step + ";" for _, step in sorted(steps)), end="")
PY
)
  is "exercise 8.3, rank $rank" "$(code $rank)" "$want"
done
[[ $(code 0) == *send*send*run* ]] || fault "exercise 8.3: no send stands by itself: $(code 0)"
rm -r program

# --- names
long=$(printf '%10000s' '' | tr ' ' x)
star 'p"); system("x' 'q*/' >p.xml
python3 - "$long" <<'PY'
import sys
names = ['"); system("x', "a b", "a?b", "a.b", "a_b", "a_b_2", "int", "main", "ia_run", "??/", "*/", "// \\",
         "new\nline", "\u00e4\u4e2d",
         "\u202e", "%s%n", "1", "_", "__x__", "$(touch no)", "#define", sys.argv[1], sys.argv[1] + "y", "A", "A__B",
         "B", "B__A"]
quote = lambda name: '"' + name.replace("\\", "\\\\").replace('"', '\\"') + '"'
edges = [("A", "B__A"), ("A__B", "B"), ("B", "B__A")] + [(names[i], names[i + 1]) for i in range(len(names) - 5)]
open("g.dot", "w").write("digraph g {\n" + "".join(f"{quote(n)} [size=\"1\"];\n" for n in names) +
                         "".join(f"{quote(a)} -> {quote(b)} [size=\"20\"];\n" for a, b in edges) + "}\n")
PY
"$iasim" schedule -p p.xml -g g.dot --model contention --out s.json >/dev/null
"$iasim" codegen -p p.xml -g g.dot -o program s.json >out 2>err || fault "codegen of odd names: $(head -c 500 err)"
cc -fsyntax-only -std=gnu11 -trigraphs -Wall -Wextra -Werror -Wno-unknown-pragmas program/program.c program/tasks.c \
  >out 2>&1 || fault "odd names: $(head -c 1000 out)"
is "functions of tasks" "$(grep -c '^ia_function task_' program/program.h)" 27
is "different functions" "$(grep '^ia_function task_' program/program.h | sort -u | wc -l)" 27
grep -q '^ia_function task_int;' program/program.h || fault "a keyword is a good name behind task_"
grep -q '^ia_function task_a_b;' program/program.h || fault "a name that is good in C stays"
LC_ALL=C grep -q '[^ -~]' program/program.* program/tasks.c && fault "not ASCII"
LC_ALL=C awk '/^static const struct ia_task_row/,/^};/' program/program.c |
  sed -nE 's/^    \{task_[A-Za-z0-9_]+, ("([^"\\]|\\.)*"), .*/\1,/p' >rows
{ echo '#include <stdio.h>' && echo 'static const char *const names[] = {' && cat rows &&
  echo '}; int main(void) { for (unsigned i = 0; i < sizeof names / sizeof *names; i++) puts(names[i]); }'; } >names.c
cc -trigraphs -o names names.c && ./names >got
python3 - <<'PY' || fault "names come back changed"
import json
names = [task["name"] + "\n" for task in json.load(open("s.json"))["tasks"]]
assert open("got", encoding="utf-8").read() == "".join(names)
PY
rm -r program

# --- hosts that are unrelated
printf 'digraph g { a [size="1"]; b [size="1"]; a -> b [size="20"]; }\n' >g.dot
star p q >p.xml
printf 'task,p,q\na,5,70\nb,80,6\n' >costs.csv
"$iasim" schedule -p p.xml -g g.dot --costs costs.csv --model classic --out s.json >/dev/null
"$iasim" codegen -p p.xml -g g.dot --costs costs.csv -o program s.json >out 2>err || fault "costs: $(cat err)"
grep -q '{task_a, "a", 0, 5, ' program/program.c || fault "costs: $(grep task_a, program/program.c)"
rm -r program

# --- folders
star p q >p.xml
printf 'digraph g { a [size="1"]; b [size="1"]; a -> b [size="20"]; }\n' >g.dot
"$iasim" schedule -p p.xml -g g.dot --model classic --out s.json >/dev/null
refuses() { # refuses STATUS WORDS ARGUMENTS..: one line on stderr, nothing on stdout
  local want=$1 words=$2 status=0
  shift 2
  timeout 60 "$iasim" codegen -p p.xml -g g.dot "$@" >out 2>err || status=$?
  [[ $status == "$want" && ! -s out && $(wc -l <err) == 1 && $(cat err) == *"$words"* ]] ||
    fault "codegen $*: status $status, expected $want and '$words': $(cat out err)"
}
mkdir empty full && touch full/mine
"$iasim" codegen -p p.xml -g g.dot -o empty/ s.json >/dev/null || fault "an empty folder is good"
[[ -e empty/program.c ]] || fault "nothing in it: $(ls empty)"
refuses 2 "the folder 'full' is not empty" -o full s.json
is "what was in the folder" "$(ls full)" mine
touch file
refuses 2 "'file' exists and is not a folder" -o file s.json
refuses 2 "No such file" -o nowhere/program s.json
refuses 2 "cannot write" -o /proc/program s.json
refuses 2 "missing.c" -o program --tasks missing.c s.json
refuses 2 "unknown world model 'all'" -o program -w all s.json
printf 'digraph g { a [size="1"]; b [size="1"]; a -> b [size="1e300"]; }\n' >large.dot
sed 's/"g.dot"/"large.dot"/' s.json >large.json
"$iasim" codegen -p p.xml -o program large.json >out 2>err && fault "an edge of 1e300 bytes"
[[ $(wc -l <err) == 1 ]] || fault "an edge of 1e300 bytes: $(cat err)"
cat >circle.json <<'JSON'
{"format":"iasim-schedule/1","graph":"g.dot","platform":"p.xml","model":"classic","scheduler":"hand","length_s":2,
 "tasks":[{"name":"a","host":"p","start_s":1,"finish_s":2},{"name":"b","host":"p","start_s":0,"finish_s":1}],
 "edges":[{"src":"a","dst":"b","local":true}]}
JSON
refuses 2 "its order has a cycle" -o program circle.json
[[ ! -e program ]] || fault "a folder of nothing"
# a full disk, and one that cannot be written, in a file system of its own
disks() {
  mount -t tmpfs -o size=40k tmpfs full || return 77
  refuses 3 'No space left' -o full/program s.json
  is "a full disk" "$(ls full)" ""
  mount -o remount,ro full
  refuses 2 'Read-only file system' -o full/program s.json
  echo "$faults" >faults
}
export -f disks refuses is fault
if unshare -m true 2>/dev/null; then
  declare -p faults iasim >variables
  status=0
  unshare -m bash -euo pipefail -c 'source ./variables && disks' || status=$?
  [[ $status == 77 ]] || faults=$(cat faults)
fi
is "nothing half-written" "$(find . -name 'program.*' -type d; find . -maxdepth 1 -name '*.??????' -type d)" ""

echo "$faults faults"
((faults == 0))
