#!/usr/bin/env bash
# SPDX-License-Identifier: LGPL-2.1-or-later
# commands.sh IASIM: the help of every command has an example, wrong usage exits 2, and `iasim list` shows every name
# that is registered in a .def list.
set -euo pipefail
iasim=$1

said=$(mktemp)
trap 'rm -f "$said"' EXIT
faults=0
fault() { echo "$*" && faults=$((faults + 1)); }
exits_2() { # exits_2 ARGUMENT...: with status 2, a message on stderr and nothing on stdout
  local status=0 out
  out=$("$iasim" "$@" 2>"$said") || status=$?
  [[ $status == 2 && -z $out && -s $said ]] || fault "iasim $*: status $status, stdout '$out'"
}
names_of() { sed -n 's/^[A-Z_]\+(\([a-z0-9_]\+\)).*/\1/p' "$1"; }

help=$("$iasim" --help)
n_commands=0
for command in $(names_of sim/users/cli/commands.def); do
  n_commands=$((n_commands + 1))
  grep -q "^  $command  *[A-Za-z]" <<<"$help" || fault "iasim --help does not name $command"
  text=$("$iasim" "$command" --help) || fault "iasim $command --help failed"
  [[ $(sed '1,/^ *-/d' <<<"$text") == *"iasim $command"* ]] ||
    fault "iasim $command --help has no example after its options"
  grep -q "\`$command\`" doc/guide.md || fault "doc/guide.md does not name $command"
  exits_2 "$command" --no-such-option
done
exits_2 no-such-command
exits_2

list=$("$iasim" list) || fault 'iasim list failed'
n_names=0
while IFS= read -r file; do
  for name in $(names_of "$file"); do
    n_names=$((n_names + 1))
    grep -qw -- "$name" <<<"$list" || fault "iasim list does not name $name of $file"
  done
done < <(find sim models -name '*.def' ! -name commands.def)

echo "$n_commands commands, $n_names names, $faults faults"
((faults == 0 && n_commands > 3 && n_names > 3))
