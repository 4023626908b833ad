#!/usr/bin/env bash
# SPDX-License-Identifier: LGPL-2.1-or-later
# expected.sh IASIM SCENARIO: runs a scenario and compares its results with SCENARIO/expected.csv, whose columns are
# parameters, which say which row is meant, and metrics as NAME~TOLERANCE (relative). Every row must be there on both
# sides. IASIM_REWRITE=1 writes the metrics anew instead.
set -euo pipefail
iasim=$1 scenario=$2
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

"$iasim" run "$scenario" --out "$folder/r.db" --quiet >/dev/null
"$iasim" export "$folder/r.db" --out "$folder/r.csv"

# Both files without quotes and with the commas inside of them made semicolons: no value here has either.
plain() {
  awk 'BEGIN { FS = "\"" ; OFS = "" } { for (i = 2; i <= NF; i += 2) gsub(",", ";", $i); print }' "$1"
}

compare='
BEGIN { FS = "," }
FNR == 1 && NR == 1 { n = NF; for (i = 1; i <= NF; i++) { name[i] = $i; tolerance[i] = ""; if (split($i, part, "~") == 2) { name[i] = part[1]; tolerance[i] = part[2] } } header = $0; next }
FNR == NR { key = ""; for (i = 1; i <= n; i++) if (tolerance[i] == "") key = key $i ","; want[key] = $0; order[++rows] = key; next }
FNR == 1 { for (i = 1; i <= NF; i++) column[$i] = i; next }
{
  key = ""; line = ""
  for (i = 1; i <= n; i++) { x = $(column[name[i]]); if (tolerance[i] == "") key = key x ","; line = line (i > 1 ? "," : "") x }
  if (!(key in want)) { print "not expected: " key; bad++; next }
  split(want[key], expected, ",")
  for (i = 1; i <= n; i++) {
    if (tolerance[i] == "") continue
    got = $(column[name[i]]); difference = got - expected[i]; if (difference < 0) difference = -difference
    size = expected[i] < 0 ? -expected[i] : expected[i]
    if (got == "" || difference > tolerance[i] * size) { print key " " name[i] ": " got ", expected " expected[i]; bad++ }
  }
  found[key] = line; seen++
}
END {
  for (i = 1; i <= rows; i++) if (!(order[i] in found)) { print "missing: " order[i]; bad++ }
  if (rewrite) { print header > rewrite; for (i = 1; i <= rows; i++) print (order[i] in found ? found[order[i]] : want[order[i]]) > rewrite; exit 0 }
  print seen + 0 " rows compared"
  exit (bad > 0 || seen == 0)
}'
plain "$scenario/expected.csv" >"$folder/expected"
plain "$folder/r.csv" >"$folder/got"
if [[ -n ${IASIM_REWRITE-} ]]; then
  awk -v rewrite="$scenario/expected.csv" "$compare" "$folder/expected" "$folder/got" >/dev/null
else
  awk "$compare" "$folder/expected" "$folder/got"
fi
