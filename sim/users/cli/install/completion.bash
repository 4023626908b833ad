# SPDX-License-Identifier: LGPL-2.1-or-later
# bash completion for iasim: the program itself says what a word may become (`iasim --complete WORD...`), from its
# tables of options and everything that is registered in it.

_iasim() {
  local line=${COMP_LINE:0:COMP_POINT} words candidate pattern word broken
  read -ra words <<<"$line"
  [[ $line != *[[:space:]] ]] || words+=('')
  word=${words[-1]}
  if ((${#words[@]} > 2)) && [[ ${words[-2]} == --plugin ]]; then
    mapfile -t COMPREPLY < <(compgen -f -X '!*.py' -- "$word"; compgen -o plusdirs -f -X '!*.so' -- "$word")
    return 0
  fi
  # bash replaces what follows the last of these characters only.
  broken=${word%"${word##*[=:]}"}
  COMPREPLY=()
  while IFS= read -r candidate; do
    case $candidate in
      :folders) mapfile -t -O ${#COMPREPLY[@]} COMPREPLY < <(compgen -d -- "${word#"$broken"}") ;;
      :files*)
        local -a patterns
        read -ra patterns <<<"${candidate#:files}"
        for pattern in "${patterns[@]}"; do
          mapfile -t -O ${#COMPREPLY[@]} COMPREPLY < <(compgen -f -X "!$pattern" -- "${word#"$broken"}")
        done
        mapfile -t -O ${#COMPREPLY[@]} COMPREPLY < <(compgen -d -- "${word#"$broken"}")
        compopt -o filenames 2>/dev/null || :
        ;;
      *) COMPREPLY+=("${candidate#"$broken"}") ;;
    esac
  done < <(set -f; "${words[0]}" --complete "${words[@]:1}" 2>/dev/null)
  # What ends so goes on. (Outside a completion, as in a test, there is nothing that compopt could set.)
  [[ ${#COMPREPLY[@]} != 1 || ${COMPREPLY[0]} != *[=[,] ]] || compopt -o nospace 2>/dev/null || :
  return 0
}
complete -F _iasim iasim
