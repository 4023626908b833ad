#!/usr/bin/env bash
# SPDX-License-Identifier: LGPL-2.1-or-later
# refuse.sh PAGE.PY PREFIX: page.py accepts a page that is right, and finds what is wrong with others: a command that
# fails, another output, a block that nothing runs.
set -euo pipefail
page=$1 prefix=$2
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"

faults=0
try() { # try STATUS WORDS [--check]: on the page of stdin, in which ~~~ are the fences
  local status=0
  sed 's/~~~/```/' >t.md
  if [[ ${3-} == --check ]]; then "$page" --check t.md >out || status=$?; else "$page" "$prefix" t.md >out ||
    status=$?; fi
  [[ $status == "$1" ]] && grep -qF -- "$2" out ||
    { echo "status $status, expected $1 and '$2':" && cat t.md out && faults=$((faults + 1)); }
}

try 0 't.md: 1 file, 1 no-run, 1 output, 4 run, 1 text' <<'END'
This is `a/b.txt`:
~~~ini file=a/b.txt
x = 1
~~~
~~~sh
n=5; cd a; cat b.txt
echo $n.25 s, 3 tasks
~~~
~~~text output
x = 1
..25 s, .. tasks
~~~
~~~sh status=3
echo words >&2
exit 3
~~~
~~~console
$ pwd
../a
$ iasim list policies --json | \
    grep -c '"name": "bwc"'
1
~~~
~~~sh no-run="it fails"
false
~~~
~~~sh
[[ $n == 5 ]] # one shell for all of the page
~~~
~~~text
n + 1
~~~
END
try 1 't.md:2: status 2' <<<$'A page\n~~~sh\niasim frm --help\n~~~'
try 1 't.md:1: status 1' <<<$'~~~sh\nfalse\necho the rest\n~~~'
try 1 'status 0 in place of 1' <<<$'~~~sh status=1\ntrue\n~~~'
try 1 '-2.5 s' <<<$'~~~sh\necho 2.25 s\n~~~\n~~~text output\n2.5 s\n~~~'
try 1 '+a third line' <<<$'~~~console\n$ printf "1\\n2\\na third line"\n1\n2\n~~~'
try 1 'the output is not as shown' <<<$'~~~sh\ntrue\n~~~\n~~~text output\nwords\n~~~'
try 1 'platforms/star-8.xml has no such lines' <<<$'~~~xml in=platforms/star-8.xml\n<host id="nobody"/>\n~~~'
try 1 'no command uses a.c' <<<$'This is `a.c`:\n~~~c file=a.c\nint i;\n~~~'
try 1 'the text does not say that this is a.c' <<<$'~~~c file=a.c\nint i;\n~~~\n~~~sh\ncc -c a.c\n~~~'
try 1 't.md:1: error' \
  <<<$'This is `a.c`:\n~~~c file=a.c\nint i\n~~~\n~~~sh\ncc -c a.c || { echo t.md:1: error && false; }\n~~~'
try 1 't.md:1: nothing runs this block of c' --check <<<$'~~~c\nint i;\n~~~'
try 1 't.md:1: a block without a language' --check <<<$'~~~\niasim list\n~~~'
try 1 't.md:3: a block without a language' --check <<<$'Words:\n\n    iasim list\n'
try 1 "t.md:1: unknown tag 'norun'" --check <<<$'~~~sh norun="why"\niasim list\n~~~'
try 1 't.md:1: no-run needs a reason' --check <<<$'~~~sh no-run\niasim list\n~~~'
try 0 't.md:1: not run: why' --check <<<$'~~~sh no-run="why"\niasim list\n~~~\n- a list\n\n    and its words'

echo "$faults faults"
((faults == 0))
