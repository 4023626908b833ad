#!/usr/bin/env bash
# SPDX-License-Identifier: LGPL-2.1-or-later
# skipped.sh BUILD: which tests, or parts of tests, the last ctest there has skipped, and why: a line for each. ctest
# names the tests only.
set -euo pipefail
log=$1/Testing/Temporary/LastTest.log
[[ ! -e $log ]] || awk '
  /^[0-9]+\/[0-9]+ Test: / { name = $3 }
  /^skipped: / { print "skipped: " name ": " substr($0, 10) }
  /^SKIPPED \[[0-9]+\] / { sub(/^SKIPPED \[[0-9]+\] /, ""); print "skipped: " name ": " $0 }' "$log"
