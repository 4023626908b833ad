#!/usr/bin/env bash
# SPDX-License-Identifier: LGPL-2.1-or-later
# exports.sh HEADERS LIBIASIM BRIDGE ACTORS: the library exports the functions that its installed headers mark
# IASIM_API, nothing more and nothing less; each is behind a comment; doc/library.md names those of the face. The
# bridge exports one function, as do the actors. (Symbols of sanitizers and of gcov are theirs; weak ones are of the
# C++ library.)
set -euo pipefail
headers=$1 library=$2 bridge=$3 actors=$4 page=doc/library.md

faults=0
fault() { echo "$*" && faults=$((faults + 1)); }
marked() { # names that are declared with the mark; comments and line ends aside
  cat "$@" | tr '\n' ' ' | sed 's,/\*[^*]*\*\+\([^/*][^*]*\*\+\)*/, ,g' |
    grep -oP '\bIASIM_API\b(?!\s+__attribute__)[^;(]*?\b\w+(?=\s*\()' |
    grep -oP '\w+$' | LC_ALL=C sort
}
exported() { LC_ALL=C nm -D --defined-only "$1" | awk '$2 !~ /[wWvVu]/ { print $3 }' |
  grep -vE '^(__|_?mangle_path|_init$|_fini$)' | LC_ALL=C sort; }

mapfile -t all < <(find "$headers/iasim" -name '*.h' | sort)
documented=$(marked "${all[@]}")
[[ -z $(uniq -d <<<"$documented") ]] || fault "marked twice: $(uniq -d <<<"$documented")"
differences=$(LC_ALL=C comm -3 <(echo "$documented") <(exported "$library") |
  sed 's/^\t\(.*\)/exported, but in no installed header: \1/; t; s/^/in an installed header, but not exported: /')
[[ -z $differences ]] || fault "$differences"
[[ $(exported "$bridge") == iasim_bridge ]] || fault "the bridge exports: $(exported "$bridge")"
[[ $(exported "$actors") == iasim_actors ]] || fault "the actors export: $(exported "$actors")"

face=$(marked "$headers/iasim/iasim.h")
for name in $face; do
  grep -q "\`$name\`" $page || fault "$page does not name $name"
done
for name in $(grep -o '`iasim_[a-z_]*`' $page | tr -d '`' | sort -u); do
  grep -qx "$name" <<<"$face" || fault "$page names $name, which iasim.h does not have"
done

echo "$(wc -l <<<"$documented") functions, of these $(wc -l <<<"$face") of the face; $faults faults"
((faults == 0))
