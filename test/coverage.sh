#!/usr/bin/env bash
# SPDX-License-Identifier: LGPL-2.1-or-later
# coverage.sh BUILD: runs the tests and says how many lines of each folder's .c and .cpp files they have run, by gcov.
set -euo pipefail
build=$(readlink -f "$1")
tree=$(readlink -f "$(dirname "${BASH_SOURCE[0]}")/..")

find "$build" -name '*.gcda' -delete
status=0
ctest --test-dir "$build" --parallel "$(nproc)" --output-on-failure || status=$?

# gcov's words: a line "File 'F'", then "Lines executed:P% of N". It counts each object file once, headers many times.
cd "$(mktemp -d)"
find "$build" -name '*.gcno' ! -path '*/test/*' -print0 | LC_ALL=C xargs -0 gcov --no-output 2>/dev/null |
  awk -v tree="$tree/" '
    /^File / { file = substr($0, 7, length($0) - 7) }
    /^Lines executed:/ && index(file, tree) == 1 && file ~ /\.(c|cpp)$/ {
      split(substr($0, 16), part, "% of ")
      folder = substr(file, length(tree) + 1)
      sub(/\/[^\/]*$/, "", folder)
      lines[folder] += part[2]; run[folder] += part[1] / 100 * part[2]
      all_lines += part[2]; all_run += part[1] / 100 * part[2]
      file = ""
    }
    END {
      printf "%-24s %7s %7s %6s\n", "folder", "lines", "run", "%"
      for (folder in lines)
        printf "%-24s %7d %7.0f %6.1f\n", folder, lines[folder], run[folder], 100 * run[folder] / lines[folder] | "sort"
      close("sort")
      if (all_lines == 0) { print "no lines counted"; exit 1 }
      printf "%-24s %7d %7.0f %6.1f\n", "all", all_lines, all_run, 100 * all_run / all_lines
    }'
rmdir "$PWD"
exit $status
