#!/usr/bin/env bash
# SPDX-License-Identifier: LGPL-2.1-or-later
# run.sh IASIM FILE: one file of tests of the package iasim in analysis/, by pytest. Skipped (77) without Debian's
# python3-pytest or what the package needs, unless TESTS_REQUIRED=1.
set -euo pipefail
iasim=$1 tests=$(dirname "$0")/$2
home=$(cd "$(dirname "$0")/../.." && pwd)
python=/usr/bin/python3

modules='pytest pandas cffi'
[[ $2 != test_notebook.py ]] || modules+=' matplotlib'
for module in $modules; do
  $python -c "import $module" 2>/dev/null && continue
  echo "skipped: the package python3-$module is not installed"
  [[ ${TESTS_REQUIRED-} != 1 ]] || exit 1
  exit 77
done
export IASIM=$iasim IASIM_DATA=$home PYTHONPATH=$home/analysis PYTHONDONTWRITEBYTECODE=1
PATH=/usr/bin:$PATH # the Python that has been asked for these modules
# A sanitizer must come first in a process, also within Python, and must not take the signals of which a plugin dies,
# nor end it for an allocation that is too large.
export ASAN_OPTIONS=handle_segv=0:handle_abort=0:handle_sigfpe=0:detect_leaks=0:allocator_may_return_null=1
sanitizer=$(ldd "$iasim" | sed -n 's/.* => \(.*libasan[^ ]*\) .*/\1/p')
[[ -z $sanitizer ]] || export LD_PRELOAD=$sanitizer
$python -m pytest -q -rs -p no:cacheprovider "$tests"
