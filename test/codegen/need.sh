# shellcheck shell=bash
# SPDX-License-Identifier: LGPL-2.1-or-later
# Sourced. need PROGRAM PACKAGE: the test is skipped without it, unless TESTS_REQUIRED=1.
need() {
  command -v "$1" >/dev/null && return
  echo "skipped: $1 (Debian: $2) is missing"
  [[ ${TESTS_REQUIRED-} != 1 ]] || exit 1
  exit 77
}
