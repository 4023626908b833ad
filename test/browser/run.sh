#!/usr/bin/env bash
# SPDX-License-Identifier: LGPL-2.1-or-later
# run.sh IASIM chromium|firefox FILE: one file of tests in a browser. Skipped (77) without the browser, or where the
# program was built without d3, unless TESTS_REQUIRED=1. Without TESTS_NIGHT=1 Firefox takes test_results only.
set -euo pipefail
export IASIM=$1 BROWSER=$2
home=$(cd "$(dirname "$0")/../.." && pwd)

skip() {
  echo "skipped: $*"
  [[ ${TESTS_REQUIRED-} != 1 ]] || exit 1
  exit 77
}
case $BROWSER in
  chromium) command -v chromium >/dev/null || skip "the package chromium is not installed" ;;
  firefox) command -v firefox-esr firefox >/dev/null || skip "the package firefox-esr is not installed" ;;
esac

if [[ $BROWSER == firefox && $3 != test_results.py && ${TESTS_NIGHT-} != 1 ]]; then
  echo 'skipped: in firefox with TESTS_NIGHT=1'
  exit 77
fi

FOLDER=$(mktemp -d)
trap 'rm -r "$FOLDER"' EXIT
export FOLDER IASIM_DATA=$home PYTHONDONTWRITEBYTECODE=1 PYTHONPATH=$home/test/browser
python3 "$home/test/browser/$3"
