# SPDX-License-Identifier: LGPL-2.1-or-later
"""_run.py LIBIASIM PROGRAM [WORD...]: the program within Python. `iasim --plugin mine.py ...` runs itself this way."""
import importlib.util
import os
import signal
import sys

# As in a program in C: signals end it, and what it prints beside its results goes to standard error.
for name in (signal.SIGINT, signal.SIGPIPE, signal.SIGXFSZ):
    signal.signal(name, signal.SIG_DFL)
sys.stdout = sys.stderr
sys.path.pop(0)  # the folder of this file: its modules are not for plugins
here = os.path.dirname(os.path.abspath(__file__))
spec = importlib.util.spec_from_file_location("iasim", os.path.join(here, "__init__.py"),
                                              submodule_search_locations=[here])
assert spec is not None and spec.loader is not None
sys.modules["iasim"] = importlib.util.module_from_spec(spec)
spec.loader.exec_module(sys.modules["iasim"])
from iasim import _plugin  # noqa: E402  pylint: disable=wrong-import-position

try:
    import cffi  # noqa: F401  pylint: disable=unused-import
except ImportError:
    sys.stderr.write(f"iasim: plugins in Python need cffi, which {sys.executable} does not have; on Debian: apt "
                     "install python3-cffi\n")
    sys.exit(2)
_plugin.serve(sys.argv[1], sys.argv[2:])
