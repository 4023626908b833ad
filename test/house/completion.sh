#!/usr/bin/env bash
# SPDX-License-Identifier: LGPL-2.1-or-later
# completion.sh IASIM: the completions in bash, which come from the program's own tables.
set -euo pipefail
iasim=$1
export IASIM_DATA=$PWD
# shellcheck source=sim/users/cli/install/completion.bash
source sim/users/cli/install/completion.bash

scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
cd "$scratch"
touch mine.xml g.dot r.db points.csv 'two words.db'
mkdir folder

faults=0
gives() { # gives LINE WORD...: exactly these, in any order
  COMP_LINE="$iasim $1" COMP_POINT=$((${#iasim} + 1 + ${#1}))
  _iasim
  local got want
  got=$(printf '%s\n' "${COMPREPLY[@]}" | sort) want=$(printf '%s\n' "${@:2}" | sort)
  [[ $got == "$want" ]] || { echo "'$1' gives: ${COMPREPLY[*]}; not: ${*:2}" && faults=$((faults + 1)); }
}
has() { # has LINE WORD...: these, perhaps with others
  COMP_LINE="$iasim $1" COMP_POINT=$((${#iasim} + 1 + ${#1}))
  _iasim
  local word
  for word in "${@:2}"; do
    [[ $'\n'$(printf '%s\n' "${COMPREPLY[@]}")$'\n' == *$'\n'"$word"$'\n'* ]] ||
      { echo "'$1' gives: ${COMPREPLY[*]}; without: $word" && faults=$((faults + 1)); }
  done
}

has '' run farm list
gives 'sch' schedule
gives 'farm --pol' --policy
gives 'list --h' --help
gives 'farm --policy ia_' ia_multi ia_single
gives 'farm --policy=bw' bwc                       # bash replaces what follows the =
gives 'schedule --scheduler list' list 'list['
gives 'schedule --scheduler list[tech' 'list[technique='
gives 'schedule --scheduler list[technique=e' end  # likewise
gives 'schedule --scheduler list[technique=end,comp' 'end,compact='
gives 'replay -w i' interference involvement
gives 'replay --noise wo' work=
gives 'replay --noise work=0.1,s' '0.1,size='      # likewise
gives 'farm --noise size=0.2,' '0.2,work=' '0.2,size=' '0.2,rate='
gives 'compare --explain --pl' --platform          # schedules have other options than databases
gives 'compare --explain --world inv' involvement
gives 'compare --pl'
has 'schedule --model ' classic contention involvement
gives 'bound --ports ' multi single
gives 'farm --platform mi' mine.xml
has 'farm --platform ' mine.xml folder platforms/kreaseck-fork.xml
has 'farm --deployment dep' deployments/kreaseck-fork.xml
gives 'export ' r.db 'two words.db' folder
gives 'merge --out all.db r.db tw' 'two words.db'
gives 'check --graph g' g.dot
has 'run ' smoke kreaseck-fork mine.xml folder
has 'graph ' info convert generate
has 'graph generate ' layered
has 'graph generate chain --' --seed --ccr
gives 'graph info g.dot --se'                      # of generate only
gives 'farm --json --js'                           # given already
gives 'fit ' linear planar quadratic three_point
gives 'fit linear po' points.csv
has 'list ' policies schedulers
gives 'demo --out ' folder
gives 'no_such_command '

echo "$faults faults"
((faults == 0))
