# SPDX-License-Identifier: LGPL-2.1-or-later
"""Plugins in Python: loads files for the program, which runs within Python (serve)."""
from __future__ import annotations

import importlib.util
import locale
import os
import sys
import threading
from pathlib import Path
from typing import Any

from . import _library, _policy, _scheduler

WHOLE = (*_library.WHOLE, *_scheduler.WHOLE, *_policy.WHOLE)  # structures of plugin.cdef that have all their fields
_folders: set[str] = set()  # of files that have been loaded
_names: set[str] = set()  # of these files, as modules


def _prefer_modules_in(folder: str) -> None:
    """Modules beside the file are found first. Python would silently take one that an earlier file has imported from
    beside itself for another one of that name."""
    for name, module in list(sys.modules.items()):
        place, file = os.path.split(getattr(module, "__file__", None) or "")
        if place in _folders - {folder} and os.path.exists(os.path.join(folder, file)) and name not in _names:
            raise ImportError(f"a module '{name}' is also beside another plugin, which has imported it: rename one of "
                              "them")
    _folders.add(folder)
    if folder not in sys.path:
        sys.path.insert(0, folder)


def _load(path: str) -> tuple[list[Any], list[Any]]:
    """Runs the file and returns its schedulers and its policies."""
    _scheduler.found.clear()
    _policy.found.clear()
    _prefer_modules_in(os.path.dirname(os.path.abspath(path)))
    spec = importlib.util.spec_from_file_location(Path(path).stem, path)
    assert spec is not None and spec.loader is not None  # as for every name that ends in .py
    module = importlib.util.module_from_spec(spec)
    sys.modules.setdefault(spec.name, module)
    _names.add(spec.name)
    spec.loader.exec_module(module)
    if threading.active_count() > 1:  # a process of a point, which has only this thread, would wait for it for ever
        raise RuntimeError("the file leaves a thread running; a scheduler may start threads when it is called")
    if not _scheduler.found and not _policy.found:
        raise TypeError("no function of the file has the decorator @iasim.scheduler or @iasim.policy")
    for kind, n_found in (("schedulers", len(_scheduler.found)), ("policies", len(_policy.found))):
        if n_found > 63:
            raise TypeError(f"the file has {n_found} {kind}; at most 63 are possible")
    return ([_scheduler.as_scheduler(function) for function in _scheduler.found],
            [_policy.as_policy(function, options) for function, options in _policy.found])


# --- the program's side ---


def _check_sizes() -> None:
    for name in WHOLE:
        theirs, ours = _library.lib.iasim_plugin_size_of(name.encode()), _library.ffi.sizeof(f"struct {name}")
        if theirs != ours:
            sys.exit(f"iasim: this package for Python belongs to another version of iasim: its struct {name} has "
                     f"{ours} bytes, but that of libiasim has {theirs}")


def serve(library: str, words: list[str]) -> None:
    """The program within Python: its main function with these words, in a process that can load plugins in Python. Ends
    the process, as the program does."""
    import cffi

    ffi = _library.ffi = cffi.FFI()
    ffi.cdef(Path(_library.HERE, "plugin.cdef").read_text(encoding="utf-8"))
    # Python has set the user's locale, but SimGrid compares the words of its configuration without case: with Turkish
    # rules it does not know its own. C programs that do not ask for a locale have this one.
    locale.setlocale(locale.LC_ALL, "C")
    lib = _library.lib = ffi.dlopen(library, ffi.RTLD_NOW | ffi.RTLD_GLOBAL)  # global: plugins in C find its functions
    _library.this_process = ffi.dlopen(None)
    _check_sizes()

    def read(path: Any, out: Any, e: Any) -> int:
        try:
            with _library.OutputApart():
                schedulers, policies = _load(os.fsdecode(ffi.string(path)))
            out.schedulers[0 : len(schedulers)] = schedulers
            out.policies[0 : len(policies)] = policies
            return int(lib.ERR_NONE)
        except BaseException as error:
            return _library.refuse(e, _library.sentence(error))

    called = ffi.callback("iasim_plugin_read", read, error=lib.ERR_INPUT)
    lib.iasim_plugin_reader(called)
    texts = [ffi.new("char[]", os.fsencode(word)) for word in words]
    lib.exit(lib.iasim_main(len(texts), ffi.new("char *[]", texts + [ffi.NULL])))
