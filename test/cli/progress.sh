#!/usr/bin/env bash
# SPDX-License-Identifier: LGPL-2.1-or-later
# progress.sh IASIM: on a terminal, a command that takes longer than a second shows how long it has been at it, and
# leaves a clean line and its whole result; in a pipe it shows nothing. A pipe that is slow to give its input makes it
# slow.
# shellcheck source=test/cli/begin.sh
source "$(dirname "$0")/begin.sh"

if ! python3 -c 'import pty; pty.openpty()' 2>/dev/null; then
  echo 'skipped: there are no terminals here (/dev/pts)'
  [[ ${TESTS_REQUIRED-} != 1 ]] || exit 1
  exit 77
fi

printf 'send_rate_MB_per_s,recv_rate_MB_per_s,compute_ratio\n0,0,1\n5,0,0.8\n10,0,0.6\n' >points.csv
printf 'exec 0 Lab0 9\n' >script.txt
for case in 'fit linear|points.csv' 'activities -p platforms/kreaseck-fork.xml|script.txt'; do
  read -ra words <<<"${case%|*}"
  input=${case#*|}
  "$iasim" "${words[@]}" "$input" >want 2>said || fault "${words[*]}: $(cat said)"
  [[ ! -s said ]] || fault "${words[*]} says in a pipe: $(cat said)"
  python3 - "$iasim" "${words[@]}" <<PYTHON >/dev/null || fault "${words[*]}: not as it should be on a terminal"
import os, pty, sys, threading, time
os.mkfifo("slow")
def feed():
    with open("slow", "w") as pipe:
        time.sleep(2.2)
        pipe.write(open("$input").read())
threading.Thread(target=feed, daemon=True).start() # should there be no terminal, nothing waits for it
shown = b""
def keep(fd):
    global shown
    data = os.read(fd, 1 << 16)
    shown += data
    return data # on to standard output
status = pty.spawn(sys.argv[1:] + ["slow"], keep, lambda fd: b"")
os.remove("slow")
name = "iasim " + sys.argv[2]
assert status == 0, status
assert f"\r{name}: 0:01\r".encode() in shown, shown
assert b"\x1b" not in shown, shown
want = open("want").read().replace("\n", "\r\n").encode()
assert shown.endswith(b" \r" + want), shown
PYTHON
done

echo "$faults faults"
((faults == 0))
