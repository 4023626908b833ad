#!/usr/bin/env bash
# SPDX-License-Identifier: LGPL-2.1-or-later
# examples.sh BUILD: the examples of every `iasim COMMAND --help` work when they are pasted into a shell, in order, in
# an empty folder with an installed iasim. No help is wider than 80 columns, and the manual page has the same
# examples.
set -euo pipefail
build=$1

scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
cmake --install "$build" --prefix "$scratch/prefix" >"$scratch/log" || { cat "$scratch/log" && exit 1; }
unset IASIM_DATA LD_LIBRARY_PATH
export PATH=$scratch/prefix/bin:$PATH TERM=dumb
export ASAN_OPTIONS=detect_leaks=0
cd "$scratch"

faults=0
fault() { echo "$*" && faults=$((faults + 1)); }

[[ -z $(iasim --help | awk 'length > 80') ]] || fault 'iasim --help is wider than 80 columns'

# The manual as text: roff's escapes taken back.
sed -e 's/\\&//g' -e 's/\\-/-/g' -e 's/\\e/\\/g' prefix/share/man/man1/iasim-*.1 >manual

n_lines=0
for command in $(iasim --help | sed -n 's/^  \([a-z_]\+\) .*/\1/p'); do
  iasim "$command" --help >help
  [[ -z $(awk 'length > 80' help) ]] ||
    fault "iasim $command --help is wider than 80 columns: $(awk 'length > 80' help)"
  # From "Examples:" to an empty line or the end, two columns to the left.
  sed -n '/^Examples:$/,/^$/p' help | sed -n 's/^  //p' >block
  [[ -z $(sed -n '/^Examples:$/,/^$/p' help | awk '!/^  |^Examples:$|^$/') ]] ||
    fault "iasim $command --help breaks a line of an example where it is too long"
  [[ -s block ]] || fault "iasim $command --help has no examples"
  while IFS= read -r line; do
    ((${#line} <= 78)) || fault "$command: longer than 80 columns with the margin: $line"
    grep -qxF -- "  $line" manual || fault "$command: the manual does not have: $line"
    n_lines=$((n_lines + 1))
  done <block
  [[ $command != demo ]] || continue # takes a minute: demo.case runs it
  mkdir "of_$command"
  (cd "of_$command" && bash -euo pipefail ../block >../out 2>&1 </dev/null) || {
    cat block out
    fault "the examples of iasim $command fail"
  }
done

echo "$n_lines lines of examples, $faults faults"
((faults == 0 && n_lines > 60))
