#!/usr/bin/env bash
# SPDX-License-Identifier: LGPL-2.1-or-later
# Every source file names its licence in its first two lines (the first line of a script is #!), and LICENSE is that
# licence.
set -euo pipefail

spdx='SPDX-License-Identifier: LGPL-2.1-or-later'
faults=0
files=$(find . -path ./build -prune -o \( -name '*.[ch]' -o -name '*.cpp' -o -name '*.py' -o -name '*.sh' -o \
  -name '*.case' \) -print | sort)
files+=$'\n./iasim'
n_files=$(wc -l <<<"$files")
while IFS= read -r file; do
  echo "$file: no line '$spdx'" && faults=$((faults + 1))
done < <(tr '\n' '\0' <<<"$files" | xargs -0 awk -v spdx="$spdx" \
  'FNR <= 2 && index($0, spdx) { print FILENAME } FNR == 2 { nextfile }' |
  sort | comm -23 <(sort <<<"$files") -)
grep -q 'GNU LESSER GENERAL PUBLIC LICENSE' LICENSE
grep -q 'Version 2.1' LICENSE

echo "$n_files files, $faults without a licence"
((faults == 0 && n_files > 20))
