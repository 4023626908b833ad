#!/usr/bin/env bash
# SPDX-License-Identifier: LGPL-2.1-or-later
# readme.sh IASIM: the commands in the blocks of README.md and of the pages in doc/ work as they stand, one after the other,
# in an empty folder. (`demo` and `test` have tests of their own.)
set -euo pipefail
iasim=$1 pages=("$PWD/README.md" "$PWD"/doc/*.md)
export IASIM_DATA=$PWD

scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
cd "$scratch"
ln -s "$iasim" iasim
ln -s "$IASIM_DATA/doc" doc

n_commands=0
while IFS= read -r line; do
  n_commands=$((n_commands + 1))
  echo "$line"
  read -ra words <<<"$line"
  "${words[@]}" >out 2>&1 </dev/null || { echo "status $?:" && cat out && exit 1; }
done < <(grep -hE '^    (cc |\./)' "${pages[@]}" | grep -v -x -e '    ./iasim demo' -e '    ./iasim test')

echo "$n_commands commands"
((n_commands > 0))
