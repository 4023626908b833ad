#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""progress.py IASIM: on a terminal, a command that takes longer than a second shows how long it has been at it, and
leaves a clean line and its whole result; in a pipe it shows nothing. A pipe that is slow to give its input makes it
slow.
"""
import os
import pty
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path

POINTS = "send_rate_MB_per_s,recv_rate_MB_per_s,compute_ratio\n0,0,1\n5,0,0.8\n10,0,0.6\n"
COMMANDS = [("fit linear".split(), POINTS), ("activities -p platforms/kreaseck-fork.xml".split(), "exec 0 Lab0 9\n")]


def feed(text):
    with open("slow", "w", encoding="utf-8") as pipe:
        time.sleep(2.2)
        pipe.write(text)


def check(words, text):
    Path("input").write_text(text, encoding="utf-8")
    quiet = subprocess.run([iasim, *words, "input"], capture_output=True, check=True)
    assert not quiet.stderr, quiet.stderr
    os.mkfifo("slow")
    threading.Thread(target=feed, args=[text], daemon=True).start()  # should there be no terminal, nothing waits for it
    shown = []
    status = pty.spawn([iasim, *words, "slow"], lambda fd: shown.append(os.read(fd, 1 << 16)) or shown[-1],
                       lambda _: b"")
    os.remove("slow")
    shown = b"".join(shown)
    assert status == 0, status
    assert f"\riasim {words[0]}: 0:01\r".encode() in shown and b"\x1b" not in shown, shown
    assert shown.endswith(b" \r" + quiet.stdout.replace(b"\n", b"\r\n")), shown


if __name__ == "__main__":
    iasim = os.path.abspath(sys.argv[1])
    os.environ["IASIM_DATA"] = str(Path(__file__).resolve().parents[2])
    try:
        pty.openpty()
    except OSError:
        print("skipped: there are no terminals here (/dev/pts)")
        sys.exit(1 if os.environ.get("TESTS_REQUIRED") == "1" else 77)
    with tempfile.TemporaryDirectory() as scratch:
        os.chdir(scratch)
        for command in COMMANDS:
            check(*command)
