#!/usr/bin/env bash
# SPDX-License-Identifier: LGPL-2.1-or-later
# list.sh IASIM: `iasim list` stays within the page, says the same on every page, and has no escape sequences.
# shellcheck source=test/cli/begin.sh
source "$(dirname "$0")/begin.sh"
joined() { tr -d ' \n' <"$1"; }
COLUMNS=1000 "$iasim" list >wide
for width in 40 60 80 120; do
  COLUMNS=$width "$iasim" list >page
  out=$(awk -v width=$width 'length($0) > width' page)
  [[ -z $out ]] || fault "wider than $width columns: $out"
  [[ $(joined page) == "$(joined wide)" ]] || fault "$width columns hold other words than 1000"
done
env -u COLUMNS "$iasim" list >page
out=$(awk 'length($0) > 80' page)
[[ -z $out ]] || fault "wider than 80 columns without a terminal: $out"
grep -q $'\033' page && fault 'an escape sequence'
[[ $(grep -c . wide) -gt 80 ]] || fault "only $(grep -c . wide) lines"
echo "$faults faults"
((faults == 0))
