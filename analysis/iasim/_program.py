# SPDX-License-Identifier: LGPL-2.1-or-later
"""Finds and calls the program."""
from __future__ import annotations

import json
import numbers
import os
import shutil
import subprocess
import sys
import warnings
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any, Union

File = Union[str, "os.PathLike[str]"]

REPEATED = {"plugin", "set", "where"}  # options that may be given several times; others take a list a,b,c
_HERE = os.path.dirname(os.path.abspath(__file__))


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
        raise Error("the program iasim was not found: set the environment variable IASIM to its file, or add its "
                    "folder to PATH")
    return found


def file_name(name: str, value: Any) -> str:
    """The argument `name` as the name of a file."""
    if not isinstance(value, (str, os.PathLike)):
        raise TypeError(f"{name} is of type {type(value).__name__}; it must be the name of a file")
    return os.fspath(value)


def _text(name: str, value: Any) -> str:
    """The value of the argument `name` as the program reads it."""
    if isinstance(value, (str, os.PathLike)):
        return os.fspath(value)
    if hasattr(value, "item") and not hasattr(value, "__len__"):
        value = value.item()  # of numpy: repr(numpy.float64(1)) is not a number
    if isinstance(value, bool):
        return "on" if value else "off"
    if isinstance(value, numbers.Integral):
        return str(int(value))
    if isinstance(value, numbers.Real):
        return repr(float(value))
    if isinstance(value, Iterable) and not isinstance(value, (Mapping, bytes)) and not hasattr(value, "attrs"):
        return ",".join(_text(name, v) for v in value)
    raise TypeError(f"{name} is of type {type(value).__name__}; it must be text, a number, True, False, the name of a "
                    "file, or a list of these")


def _words(name: str, value: Any) -> list[str]:
    """An option as words of the command line."""
    option = "--" + name.rstrip("_").replace("_", "-")
    if value is None or value is False:
        return []
    if value is True:
        return [option]
    if isinstance(value, Mapping):
        pairs = [f"{k}={_text(f'{name}[{k!r}]', v)}" for k, v in value.items()]
        return [f"{option}={pair}" for pair in (pairs if name in REPEATED else [",".join(pairs)])]
    if name in REPEATED and isinstance(value, (list, tuple)):
        return [f"{option}={_text(name, v)}" for v in value]
    return [f"{option}={_text(name, value)}"]


def _stack_level() -> int:
    """For warnings: the line outside this package from which it was called."""
    level, frame = 1, sys._getframe(1)
    while frame.f_back is not None and os.path.dirname(os.path.abspath(frame.f_code.co_filename)) == _HERE:
        level, frame = level + 1, frame.f_back
    return level


def print_of(command: list[str], arguments: Iterable[Any], options: dict[str, Any],
             accepted: tuple[int, ...] = (0,)) -> str:
    """Runs the program and returns what it prints. Its words on standard error become an Error, or a warning where its
    status is accepted."""
    options = dict(options)
    words = [program(), *_words("plugin", options.pop("plugin", None)), *command]
    for name, value in options.items():
        words += _words(name, value)
    given = [_text(f"an argument of {command[0]}", a) for a in arguments]
    words += ["--", *given] if given else []
    done = subprocess.run(words, stdin=subprocess.DEVNULL, capture_output=True, encoding="utf-8", errors="replace",
                          check=False)
    said = done.stderr.strip()
    if done.returncode not in accepted:
        if done.returncode < 0:
            said = said or f"{words[0]} was ended by signal {-done.returncode}"
        raise Error(said or f"{words[0]} ended with status {done.returncode}", done.returncode)
    if said and done.returncode == 0:
        warnings.warn(said, stacklevel=_stack_level())
    return done.stdout


def call(command: str, *arguments: Any, **options: Any) -> Any:
    """Calls any command of the program: what it prints, or with json=True the values of its JSON.

        iasim.call("platform", "check", "mine.xml", json=True)[0]["n_hosts"]
        print(iasim.call("report", "kreaseck-fork"))

    Raises Error where the program ends with another status than 0."""
    printed = print_of([command], arguments, options)
    return json.loads(printed) if options.get("json") else printed
