# SPDX-License-Identifier: LGPL-2.1-or-later
"""Talks to a browser: starts its process, and exchanges JSON messages with it over pipes or a WebSocket.

Guarantees: a browser ends with the process that started it, however that ends; no call waits longer than its deadline.
"""
import base64
import ctypes
import fcntl
import json
import os
import select
import signal
import socket
import struct
import subprocess
import time

CALL_DEADLINE_S = 30


class Failed(Exception):
    """The browser refused, was late, or is gone."""


def launch(command, log, **options):
    """Starts a browser in a process group of its own, its output into a file. It is killed when this process dies."""
    libc = ctypes.CDLL(None)
    parent = os.getpid()

    def die_with_parent():
        PR_SET_PDEATHSIG = 1
        libc.prctl(PR_SET_PDEATHSIG, signal.SIGKILL)
        if os.getppid() != parent: # it died before
            os._exit(1)

    with open(log, "wb") as out:
        return subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=out, stderr=out, start_new_session=True,
                                preexec_fn=die_with_parent, **options)


def kill(process):
    """Ends a process that launch() started, with its children."""
    try:
        os.killpg(process.pid, signal.SIGKILL)
    except ProcessLookupError:
        pass
    process.wait()


class Pipe:
    """Messages that end with NUL, on file descriptors 3 (to the browser) and 4 (from it) of the browser's process."""

    def __init__(self, command, log, env):
        ends = []
        for fd in (*os.pipe(), *os.pipe()):
            ends.append(fcntl.fcntl(fd, fcntl.F_DUPFD_CLOEXEC, 10)) # out of the way of 3 and 4
            os.close(fd)
        its_in, self.out, self.into, its_out = ends
        give_3_and_4 = 'i=$1 o=$2; shift 2; exec "$@" 3<&"$i" 4>&"$o" {i}<&- {o}>&-'
        self.process = launch(["bash", "-c", give_3_and_4, "-", str(its_in), str(its_out), *command], log,
                              env=env, pass_fds=(its_in, its_out))
        os.close(its_in)
        os.close(its_out)
        self.rest = b""

    def send(self, text):
        data = text.encode() + b"\0"
        while data:
            data = data[os.write(self.out, data):]

    def receive(self, deadline):
        """The next message; None after the deadline (of time.monotonic())."""
        parts = [self.rest]
        while b"\0" not in parts[-1]:
            ready, _, _ = select.select([self.into], [], [], max(0, deadline - time.monotonic()))
            if not ready:
                self.rest = b"".join(parts)
                return None
            parts.append(os.read(self.into, 1 << 20))
            if not parts[-1]:
                raise Failed("the browser has ended")
        message, self.rest = b"".join(parts).split(b"\0", 1)
        return message.decode()

    def close(self):
        kill(self.process)
        os.close(self.into)
        os.close(self.out)


class WebSocket:
    """Messages of a WebSocket [RFC 6455] on this machine: text frames, as a client."""
    TEXT, CLOSE, PING, PONG = 1, 8, 9, 10

    def __init__(self, port, path):
        self.socket = socket.create_connection(("127.0.0.1", port), CALL_DEADLINE_S)
        key = base64.b64encode(os.urandom(16)).decode()
        self.socket.sendall(f"GET {path} HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
                            f"Sec-WebSocket-Key: {key}\r\nSec-WebSocket-Version: 13\r\n\r\n".encode())
        self.rest = b""
        deadline = time.monotonic() + CALL_DEADLINE_S
        while b"\r\n\r\n" not in self.rest:
            self._more(deadline)
        answer, self.rest = self.rest.split(b"\r\n\r\n", 1)
        if b" 101 " not in answer.split(b"\r\n")[0] + b" ":
            raise Failed(f"no WebSocket: {answer.decode()}")

    def _more(self, deadline):
        ready, _, _ = select.select([self.socket], [], [], max(0, deadline - time.monotonic()))
        if not ready:
            raise TimeoutError
        data = self.socket.recv(1 << 20)
        if not data:
            raise Failed("the browser has ended")
        self.rest += data

    def _frame(self, deadline):
        """(is the last one, kind, bytes) of the next frame. Takes nothing away before it is complete."""
        def need(n):
            while len(self.rest) < n:
                self._more(deadline)

        need(2)
        length, at = self.rest[1] & 127, 2
        if length >= 126:
            at = 4 if length == 126 else 10
            need(at)
            length = int.from_bytes(self.rest[2:at], "big")
        need(at + length)
        first, data = self.rest[0], self.rest[at:at + length]
        self.rest = self.rest[at + length:]
        return bool(first & 128), first & 15, data

    def _write(self, kind, data):
        mask = os.urandom(4)
        length = (bytes([128 | len(data)]) if len(data) < 126 else
                  bytes([128 | 126]) + struct.pack(">H", len(data)) if len(data) < 65536 else
                  bytes([128 | 127]) + struct.pack(">Q", len(data)))
        self.socket.sendall(bytes([128 | kind]) + length + mask + bytes(b ^ mask[i % 4] for i, b in enumerate(data)))

    def send(self, text):
        self._write(self.TEXT, text.encode())

    def receive(self, deadline):
        message = b""
        while True:
            try:
                last, kind, data = self._frame(deadline if not message else time.monotonic() + CALL_DEADLINE_S)
            except TimeoutError:
                return None
            if kind == self.CLOSE:
                raise Failed("the browser has ended")
            if kind == self.PING:
                self._write(self.PONG, data)
            elif kind != self.PONG:
                message += data
                if last:
                    return message.decode()

    def close(self):
        self.socket.close()


class Calls:
    """Calls and events over a channel: what the protocols of Chromium and Firefox have in common."""

    def __init__(self, channel, on_event):
        self.channel, self.on_event, self.n_calls = channel, on_event, 0

    def call(self, method, params=None, deadline_s=CALL_DEADLINE_S, **more):
        """The result of a method; events that come before it are handed on."""
        self.n_calls += 1
        number = self.n_calls
        self.channel.send(json.dumps({"id": number, "method": method, "params": params or {}, **more}))
        deadline = time.monotonic() + deadline_s
        while True:
            text = self.channel.receive(deadline)
            if text is None:
                raise Failed(f"{method}: no answer in {deadline_s} s")
            message = json.loads(text)
            if message.get("id") != number:
                self.on_event(message)
            elif "error" in message:
                raise Failed(f"{method}: {message.get('message', message['error'])}")
            else:
                return message["result"]
