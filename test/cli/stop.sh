#!/usr/bin/env bash
# SPDX-License-Identifier: LGPL-2.1-or-later
# stop.sh IASIM: a search that is asked to end returns the best that it has found, whether the signal reaches the
# process that waits for it, the whole process group (as Ctrl-C does), or first the one and then the other; what
# searches nothing dies of the signal.
# shellcheck source=test/cli/begin.sh
source "$(dirname "${BASH_SOURCE[0]}")/begin.sh"

"$iasim" platform generate star --hosts 8 --seed 1 --out star >/dev/null
"$iasim" graph generate 'layered[tasks=60]' --seed 1 --ccr 1 --platform star.platform.xml --out g.dot >/dev/null

scheduler='gics[generations=1000000000]'

# ask PLATFORM SIGNAL WHOM...: starts $scheduler, waits until it listens (or, if the platform cannot be read, until
# the child is there), and sends the signal to the `program` or its `group`; the status is in $status, 128 + N after
# signal N
ask() {
  status=0
  rm -f s.json
  python3 - "$iasim" "$scheduler" "$@" >out 2>err <<'PY' || status=$?
import os, signal, stat, subprocess, sys, time

def child(pid):
    with open(f"/proc/{pid}/task/{pid}/children") as f:
        return f.read().split()

def listens(pid): # SIGTERM comes last
    with open(f"/proc/{pid}/status") as f:
        caught = next(line for line in f if line.startswith("SigCgt"))
    return int(caught.split()[1], 16) >> (signal.SIGTERM - 1) & 1

iasim, scheduler, platform, name, *whom = sys.argv[1:]
p = subprocess.Popen([iasim, "schedule", "-p", platform, "-g", "g.dot", "--model", "contention", "--scheduler",
                      scheduler, "--out", "s.json"], start_new_session=True,
                     preexec_fn=lambda: [signal.signal(x, signal.SIG_DFL) for x in (signal.SIGINT, signal.SIGTERM)])
is_read = stat.S_ISREG(os.stat(platform).st_mode)
limit = time.monotonic() + 60
while time.monotonic() < limit:
    children = child(p.pid)
    if children and listens(p.pid) and (not is_read or listens(children[0])):
        break
    time.sleep(0.01)
number = getattr(signal, "SIG" + name)
for one in whom:
    (os.killpg if one == "group" else os.kill)(p.pid, number)
try:
    status = p.wait(timeout=60)
except subprocess.TimeoutExpired:
    os.killpg(p.pid, signal.SIGKILL)
    status = 99
sys.exit(status if status >= 0 else 128 - status)
PY
}

returns_the_best() {
  ask star.platform.xml "$@"
  [[ $status == 0 ]] || fault "$*: status $status: $(cat out err)"
  grep -qF "the search was stopped" err || fault "$*: $(cat err)"
  "$iasim" check s.json -g g.dot -p star.platform.xml >/dev/null || fault "$*: not a valid schedule"
}
returns_the_best INT program
returns_the_best TERM program
returns_the_best INT group
returns_the_best INT program group
for scheduler in 'optimal[seeds=gics[generations=1000000000]]' \
  'two_phase[allocation_of=gics[generations=1000000000]]'; do
  returns_the_best INT group # also while a part searches
done

mkfifo never.xml # nobody writes it
ask never.xml INT program
[[ $status == 130 ]] || fault "SIGINT without a search: status $status: $(cat out err)"
ask never.xml TERM group
[[ $status == 143 ]] || fault "SIGTERM without a search: status $status: $(cat out err)"

# After the platform was read, while nothing searches: the program reads an order, which does not come.
mkfifo never.txt
status=0
python3 - "$iasim" >out 2>err <<'PY' || status=$?
import os, signal, subprocess, sys, time

p = subprocess.Popen([sys.argv[1], "schedule", "-p", "star.platform.xml", "-g", "g.dot", "--model", "classic",
                      "--order",
                      "never.txt"], start_new_session=True,
                      preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL))
limit = time.monotonic() + 60
while time.monotonic() < limit:
    try:
        fifo = os.open("never.txt", os.O_WRONLY | os.O_NONBLOCK) # fails while nobody reads it
        break
    except OSError:
        time.sleep(0.01)
os.killpg(p.pid, signal.SIGINT)
try:
    status = p.wait(timeout=60)
except subprocess.TimeoutExpired:
    os.killpg(p.pid, signal.SIGKILL)
    status = 99
sys.exit(status if status >= 0 else 128 - status)
PY
[[ $status == 130 ]] || fault "SIGINT after the platform was read: status $status: $(cat out err)"

[[ $faults == 0 ]]
