# shellcheck shell=bash
# SPDX-License-Identifier: LGPL-2.1-or-later
# Sourced. need PROGRAM PACKAGE: the test is skipped without it, unless TESTS_REQUIRED=1.
need() {
  command -v "$1" >/dev/null && return
  echo "skipped: $1 (Debian: $2) is missing"
  [[ ${TESTS_REQUIRED-} != 1 ]] || exit 1
  exit 77
}
# The folder $dir/compilers is first in PATH: the runtime of programs is compiled once for all programs of a test.
compile_once() {
  mkdir "$dir/compilers"
  ln -s "$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")/compile_once" "$dir/compilers/smpicc"
  ln -s smpicc "$dir/compilers/mpicc"
  PATH=$dir/compilers:$PATH
}
