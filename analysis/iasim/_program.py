# SPDX-License-Identifier: LGPL-2.1-or-later
"""Finds and calls the program."""
from __future__ import annotations

import os
import shutil
import subprocess
import warnings
from collections.abc import Mapping
from pathlib import Path
from typing import Any

REPEATED = {"plugin", "set", "where"}  # options that may be given several times; others take a list a,b,c


class Error(Exception):
    """What the program refused or could not do. The text is its message; `status` is its exit status."""

    def __init__(self, message: str, status: int = 2):
        super().__init__(message)
        self.status = status


Error.__module__ = "iasim"  # its public name


def _candidates() -> list[Path]:
    place = Path(__file__).resolve().parents  # .../analysis/iasim: of a checkout, or of PREFIX/share/iasim
    return [place[2] / "iasim", place[4] / "bin" / "iasim"]


def program() -> str:
    """The program that the functions call. Raises Error if there is none."""
    given = os.environ.get("IASIM")
    if given:
        found = shutil.which(given)
        if found is None:
            raise Error(f"the environment variable IASIM names '{given}', which is not a program")
        return found
    for candidate in _candidates():
        if candidate.is_file() and os.access(candidate, os.X_OK):
            return str(candidate)
    found = shutil.which("iasim")
    if found is None:
        raise Error("the program iasim was not found: set the environment variable IASIM to its file, or add its folder to PATH")
    return found


def _text(value: Any) -> str:
    if isinstance(value, (list, tuple)):
        return ",".join(_text(v) for v in value)
    return repr(value) if isinstance(value, float) else os.fspath(value) if isinstance(value, os.PathLike) else str(value)


def _words(name: str, value: Any) -> list[str]:
    """An option as words of the command line."""
    option = "--" + name.rstrip("_").replace("_", "-")
    if value is None or value is False:
        return []
    if value is True:
        return [option]
    if isinstance(value, Mapping):
        return [f"{option}={k}={_text(v)}" for k, v in value.items()]
    if name in REPEATED and isinstance(value, (list, tuple)):
        return [f"{option}={_text(v)}" for v in value]
    return [f"{option}={_text(value)}"]


def call(command: list[str], arguments: list[Any], options: dict[str, Any], accepted: tuple[int, ...] = (0,)) -> str:
    """Runs the program and returns what it prints. Its words on standard error become an Error, or a warning where its
    status is accepted."""
    options = dict(options)
    plugins = _words("plugin", options.pop("plugin", None))
    words = [program(), *plugins, *command]
    for name, value in options.items():
        words += _words(name, value)
    words += ["--", *(_text(a) for a in arguments)] if arguments else []
    done = subprocess.run(words, stdin=subprocess.DEVNULL, capture_output=True, encoding="utf-8", errors="replace", check=False)
    said = done.stderr.strip()
    if done.returncode not in accepted:
        if done.returncode < 0:
            said = said or f"{words[0]} was ended by signal {-done.returncode}"
        raise Error(said or f"{words[0]} ended with status {done.returncode}", done.returncode)
    if said and done.returncode == 0:
        warnings.warn(said, stacklevel=5)
    return done.stdout
