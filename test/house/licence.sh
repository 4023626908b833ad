#!/usr/bin/env bash
# SPDX-License-Identifier: LGPL-2.1-or-later
# Every source file names its licence in its first two lines (the first line of a script is #!), and LICENSE is that licence.
set -euo pipefail

spdx='SPDX-License-Identifier: LGPL-2.1-or-later'
faults=0
n_files=0
while IFS= read -r file; do
  n_files=$((n_files + 1))
  head -n 2 "$file" | grep -qF "$spdx" || { echo "$file: no line '$spdx'" && faults=$((faults + 1)); }
done < <(find . -path ./build -prune -o \( -name '*.[ch]' -o -name '*.cpp' -o -name '*.py' -o -name '*.sh' \) -print
  echo iasim)
grep -q 'GNU LESSER GENERAL PUBLIC LICENSE' LICENSE
grep -q 'Version 2.1' LICENSE

echo "$n_files files, $faults without a licence"
((faults == 0 && n_files > 20))
