#!/usr/bin/env bash
# SPDX-License-Identifier: LGPL-2.1-or-later
# completion_zsh.sh IASIM: the completions in zsh, typed into an interactive shell. completion.sh tests what the program
# offers; this tests what zsh makes of it. Skipped (77) without zsh, unless TESTS_REQUIRED=1.
set -euo pipefail
iasim=$1
if ! command -v zsh >/dev/null; then
  [[ ${TESTS_REQUIRED-} != 1 ]] || { echo 'there is no zsh' && exit 1; }
  echo 'skipped: no zsh here' && exit 77
fi
if ! zsh -fc 'zmodload zsh/zpty && zpty shell true' 2>/dev/null; then
  [[ ${TESTS_REQUIRED-} != 1 ]] || { echo 'there are no terminals' && exit 1; }
  echo 'skipped: there are no terminals here (/dev/pts)' && exit 77
fi
zsh -n sim/users/cli/install/completion.zsh
export IASIM_DATA=$PWD
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
mkdir "$scratch/functions"
cp sim/users/cli/install/completion.zsh "$scratch/functions/_iasim"
ln -s "$iasim" "$scratch/iasim"
export PATH=$scratch:$PATH
cd "$scratch"
mkdir work work/folder
touch work/mine.xml work/r.db 'work/two words.db'

# In a terminal, zsh completes each line of `lines` when Ctrl-T is typed. Into `answers` go all candidates, then the
# line as it has become, after a '>'.
cat >typist <<'END'
zmodload zsh/zpty
zpty shell "zsh -f -i"
zpty -w shell "cd work; PS1= PS2= RPS1=; source ../setup; print ready >../ready"
until [[ -s ready ]]; do sleep 0.01; done
n=0
while IFS= read -r line; do
  zpty -w -n shell $'\C-u'"$line"$'\C-t'
  (( ++n ))
  for (( tries = 1000; tries > 0; tries-- )); do
    [[ $(grep -c '^>' answers 2>/dev/null) == $n ]] && break
    zpty -r -t shell ignored # an unread terminal would stop the shell
    sleep 0.01
  done
done <lines
zpty -d shell
END
cat >setup <<'END'
fpath=($PWD/../functions $fpath)
autoload -Uz compinit && compinit -u -D
setopt no_beep no_auto_menu
LISTMAX=0
compadd() {
  local -a found
  if (( ! ${@[(I)-[ADO]*]} )); then # such calls only ask
    builtin compadd -O found "$@"
    (( ! $#found )) || print -rl -- $found >>../answers
  fi
  builtin compadd "$@"
}
complete_and_show() { zle expand-or-complete; print -r -- ">$BUFFER|" >>../answers }
zle -N complete_and_show
bindkey '^T' complete_and_show
END

faults=0
gives() { # gives LINE BECOMES WORD...: the line that it becomes, and all candidates
  lines+=("iasim $1") becomes+=(">iasim $2|") candidates+=("$(printf '%s\n' "${@:3}" | sort)")
}
gives 'sch' 'schedule ' schedule
gives 'farm --pol' 'farm --policy ' --policy
gives 'farm --policy ia_' 'farm --policy ia_' ia_multi ia_single
gives 'farm --policy=bw' 'farm --policy=bwc ' --policy=bwc
gives 'schedule --scheduler list' 'schedule --scheduler list' list 'list['
gives 'schedule --scheduler list\[tech' 'schedule --scheduler list\[technique=' 'list[technique='
gives "schedule --scheduler 'list[technique=i" "schedule --scheduler 'list[technique=insertion' " \
  'list[technique=insertion'
gives 'farm --platform two\ words.xml --pol' 'farm --platform two\ words.xml --policy ' --policy
gives 'bound --ports ' 'bound --ports ' multi single
gives 'farm --platform mi' 'farm --platform mine.xml ' mine.xml
gives 'merge --out all.db tw' 'merge --out all.db two\ words.db ' 'two\ words.db'
gives 'demo --out f' 'demo --out folder/' folder
gives 'no_such_command x' 'no_such_command x'
printf '%s\n' "${lines[@]}" >lines
timeout 120 zsh -f typist || echo "the shell did not answer"

n=0 found=
touch answers
while IFS= read -r answer; do
  [[ $answer == '>'* ]] || { found+=$answer$'\n' && continue; }
  [[ $answer == "${becomes[n]}" ]] || { echo "'${lines[n]}' becomes $answer, not: ${becomes[n]}" &&
    faults=$((faults + 1)); }
  [[ $(printf '%s' "$found" | sort -u) == "${candidates[n]}" ]] ||
    { echo "'${lines[n]}' gives: ${found//$'\\n'/ }; not: ${candidates[n]}" && faults=$((faults + 1)); }
  n=$((n + 1)) found=
done <answers
[[ $n == "${#lines[@]}" ]] || { echo "$n of ${#lines[@]} lines were completed" && faults=$((faults + 1)); }
echo "$n lines, $faults faults"
((faults == 0))
