# SPDX-License-Identifier: LGPL-2.1-or-later
"""What plugins in Python share: libiasim, errors as sentences, parameters, and where output goes."""
from __future__ import annotations

import inspect
import math
import os
import re
import sys
import traceback
from collections.abc import Callable
from typing import Any, NamedTuple

ffi: Any = None  # cffi's; set by _plugin.serve
lib: Any = None  # libiasim
this_process: Any = None  # the C library's variables

HERE = os.path.dirname(os.path.abspath(__file__))
WHOLE = ("param",)
kept: list[Any] = []  # what the program points to, until it ends


def string(text: Any) -> str:
    return str(ffi.string(text), "utf-8", "replace")


def numbers(first: Any, n: int) -> list[Any]:
    numbers: list[Any] = ffi.unpack(first, n)
    return numbers


def check(what: str, number: int, n: int) -> None:
    if not 0 <= number < n:
        raise IndexError(f"{what} {number} does not exist: {what}s are numbered from 0 to {n - 1}")


class OutputApart:
    """What the code in Python prints goes to standard error, also what programs print that it starts: standard output
    is for results. Within a command that simulates, descriptor 2 is for SimGrid, whose words are held back
    (engine/guard.h); C's `stderr` is standard error everywhere."""

    def __enter__(self) -> None:
        error = lib.fileno(this_process.stderr)
        self.kept = os.dup(1), os.dup(2)
        os.dup2(error, 1)
        os.dup2(error, 2)

    def __exit__(self, *_: object) -> None:
        sys.stdout.flush()
        for number, copy in zip((1, 2), self.kept):
            os.dup2(copy, number)
            os.close(copy)


# --- errors ---


def lines_of(error: BaseException) -> str:
    """Where an exception was raised, in files outside this package: the lines, from the outermost call inwards."""
    frames = [f for f in traceback.extract_tb(error.__traceback__)
              if os.path.dirname(os.path.abspath(f.filename)) != HERE and not f.filename.startswith("<frozen")]
    shown = frames if len(frames) <= 6 else frames[:3] + frames[-3:]
    words = [f"{os.path.basename(f.filename)} line {f.lineno}" + (f" in {f.name}" if f.name != "<module>" else "")
             for f in shown]
    if len(frames) > 6:
        words.insert(3, "...")
    return ", ".join(words)


def text_of(error: BaseException) -> str:
    """str(error), which is code of the plugin if the exception is."""
    try:
        return str(error)
    except BaseException as second:
        return f"its text cannot be made: __str__ raises {type(second).__name__}"


def sentence(error: BaseException) -> str:
    """An exception with its traceback on one line."""
    if isinstance(error, SyntaxError) and error.filename:
        return f"{type(error).__name__}: {error.msg} ({os.path.basename(error.filename)} line {error.lineno})"
    text = re.sub(r"0x[0-9a-f]{6,}", "0x...", " ".join(text_of(error).split()))
    lines = lines_of(error)
    return type(error).__name__ + (f": {text[:500]}" if text else "") + (f" ({lines})" if lines else "")


def refuse(e: Any, words: str) -> int:
    return int(lib.err_set(e, lib.ERR_INPUT, b"%s", ffi.new("char[]", words.encode("utf-8", "replace"))))


def fail(error: BaseException) -> None:
    """The function that is being called has no way to say that it has failed."""
    lib.iasim_plugin_failed(ffi.new("char[]", sentence(error).encode("utf-8", "replace")))


# --- functions as those of the program ---


class Param(NamedTuple):
    name: str
    default: bool | int | float
    meaning: str

    def read(self, values: Any) -> bool | int | float:
        name = self.name.encode()
        if isinstance(self.default, bool):
            return bool(lib.param_is_on(values, name))
        if isinstance(self.default, int):
            return int(lib.param_integer(values, name))
        return float(lib.param_number(values, name))

    def fill(self, out: Any) -> None:
        out.name, out.unit, out.meaning = c_text(self.name), c_text(""), c_text(self.meaning)
        if isinstance(self.default, bool):
            out.type, out.choices = lib.PARAM_CHOICE, c_text("on|off")
            out.default_text = c_text("on" if self.default else "off")
            return
        is_whole = isinstance(self.default, int)
        out.type = lib.PARAM_INTEGER if is_whole else lib.PARAM_NUMBER
        out.min, out.max = (-9e15, 9e15) if is_whole else (-1e300, 1e300)
        out.default_text = c_text(repr(self.default))


def c_text(text: str) -> Any:
    kept.append(ffi.new("char[]", text.encode("utf-8")))
    return kept[-1]


def words_of(kind: str, function: Callable[..., Any]) -> tuple[Any, Any]:
    """Its name and its summary, for the program."""
    summary = (inspect.getdoc(function) or "").split("\n")[0]
    if not summary:
        raise TypeError(f"{kind} {function.__name__} has no docstring; its first line is the summary in `iasim list`")
    return c_text(function.__name__), c_text(summary)


def table_of(params: list[Param], first: Any = None) -> Any:
    """As the program has them, after those of the program's list `first`."""
    others = []
    while first is not None and first[len(others)].name != ffi.NULL:
        others.append(first[len(others)])
    table = ffi.new("struct param[]", others + [{}] * (len(params) + 1))
    for i, param in enumerate(params):
        param.fill(table[len(others) + i])
    kept.append(table)
    return table


def params_of(kind: str, function: Callable[..., Any], first: str) -> list[Param]:
    """The arguments of the function after the first two, which messages call `first`."""
    name = function.__name__
    signature = list(inspect.signature(function).parameters.values())
    if len(signature) < 2 or any(p.kind not in (p.POSITIONAL_OR_KEYWORD, p.KEYWORD_ONLY) for p in signature[2:]):
        raise TypeError(f"{kind} {name} must be a function of {first} and parameters with defaults")
    documented = dict(re.findall(r"^\s*(\w+): *(\S.*?)\s*$", inspect.getdoc(function) or "", re.MULTILINE))
    params = []
    for p in signature[2:]:
        if not isinstance(p.default, (bool, int, float)) or not math.isfinite(p.default):
            raise TypeError(f"parameter '{p.name}' of {kind} {name} needs a default that is a number, True or False")
        params.append(Param(p.name, p.default, documented.get(p.name, f"see the {kind}'s source")))
    return params
