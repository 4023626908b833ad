#!/usr/bin/env bash
# SPDX-License-Identifier: LGPL-2.1-or-later
# readme.sh IASIM: the commands in README.md's blocks work as they stand, one after the other, in an empty folder.
# (`demo` and `test` are left to themselves.)
set -euo pipefail
readme=$PWD/README.md iasim=$1
export IASIM_DATA=$PWD

scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
cd "$scratch"

n_commands=0
while IFS= read -r line; do
  n_commands=$((n_commands + 1))
  echo "$line"
  read -ra words <<<"$line"
  "$iasim" "${words[@]:1}" >out 2>&1 </dev/null || { echo "status $?:" && cat out && exit 1; }
done < <(grep '^    \./iasim ' "$readme" | grep -v -x -e '    ./iasim demo' -e '    ./iasim test')

echo "$n_commands commands"
((n_commands > 0))
