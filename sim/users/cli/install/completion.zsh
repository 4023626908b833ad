#compdef iasim
# SPDX-License-Identifier: LGPL-2.1-or-later
# zsh completion for iasim: the program itself says what a word may become (`iasim --complete WORD...`).

_iasim() {
  local line
  local -a open closed
  for line in ${(f)"$($words[1] --complete "${(@Q)words[2,CURRENT-1]}" "${(Q)PREFIX}" 2>/dev/null)"}; do
    case $line in
      :folders) _files -/ ;;
      :files*) _files -g "${line#:files }" ;;
      *[=,\[]) open+=($line) ;;
      *) closed+=($line) ;;
    esac
  done
  compadd -S '' -a open
  compadd -a closed
}
_iasim "$@"
