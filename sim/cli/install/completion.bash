# SPDX-License-Identifier: LGPL-2.1-or-later
# bash completion for iasim. It asks the program itself: commands from `iasim --help`, options from
# `iasim COMMAND --help`; everything else is a file name.

_iasim() {
  local program=${COMP_WORDS[0]} word=${COMP_WORDS[COMP_CWORD]} words at=1 plugins=()
  COMPREPLY=()
  while [[ ${COMP_WORDS[at]-} == --plugin ]] && ((COMP_CWORD > at + 1)); do
    plugins+=(--plugin "${COMP_WORDS[at + 1]}")
    at=$((at + 2))
  done
  if ((COMP_CWORD == at)); then
    words=$("$program" --help 2>/dev/null | sed -n 's/^  \([a-z_]\+\) .*/\1/p')
    words+=$'\n--help\n--plugin\n--version'
  elif [[ $word == -* ]]; then
    words=$("$program" "${plugins[@]}" "${COMP_WORDS[at]}" --help 2>/dev/null | grep -o -e '--[a-z][a-z_-]*' | sort -u)
  else
    return 0 # bash completes the file name
  fi
  mapfile -t COMPREPLY < <(compgen -W "$words" -- "$word")
}
complete -o default -F _iasim iasim
