#!/usr/bin/env bash
# SPDX-License-Identifier: LGPL-2.1-or-later
# What comments, READMEs and pages cite is in the tree: tags like [S] and [Holm 1979] have an entry in
# doc/references.md, cited files exist, cited sections of doc/*.md are headings there. `citations.sh DIR` checks
# another tree.
set -euo pipefail
cd "${1:-.}"

faults=0
fault() { echo "$*" && faults=$((faults + 1)); }
tree=$(find . \( -name build -o -name .git \) -prune -o -type f -print | sed 's,^\./,,' | sort)
texts=$(grep -E '\.(c|h|cpp|hpp|sh|py|md|def|cmake|in)$|(^|/)CMakeLists\.txt$|^iasim$|^test/fuzz/run$' <<<"$tree" |
  grep -v -e '^CHANGELOG\.md$' -e '^test/house/citations\.sh$')

# Prints FILE<tab>LINE<tab>TEXT: each comment of a source file and each paragraph of a page, joined into one line.
prose_of() {
  awk '
    function emit() { gsub(/[ \t]+/, " ", said); if (said != "") print file "\t" from "\t" said; said = "" }
    function add(words) { if (said == "") { file = FILENAME; from = FNR } said = said " " words }
    FNR == 1 { emit(); inside = fenced = 0
      kind = FILENAME ~ /\.md$/ ? "md" : FILENAME ~ /\.(c|h|cpp|hpp|def)$/ ? "c" : "sh" }
    kind == "md" { if (/^```/) fenced = !fenced; if (/^[ \t]*$/) emit(); else if (!fenced) add($0); next }
    kind == "sh" { if (match($0, /(^|[ \t])#[ !]/)) add(substr($0, RSTART + RLENGTH)); else emit(); next }
    {
      line = $0
      if (!inside) gsub(/"(\\.|[^"\\])*"/, "\"\"", line)
      if (!inside && line !~ /\/[*\/]/) { emit(); next }
      while (line != "") {
        if (inside) {
          end = index(line, "*/")
          add(end ? substr(line, 1, end - 1) : line)
          line = end ? substr(line, end + 2) : ""
          if (end) { inside = 0; emit() }
        } else if (match(line, /\/\*/)) { inside = 1; line = substr(line, RSTART + 2) }
        else { if (match(line, /\/\//)) add(substr(line, RSTART + 2)); line = "" }
      }
    }
    END { emit() }' $texts
}
prose=$(prose_of)

# --- other documents: readers of the tree do not have them ---
while IFS= read -r found; do
  fault "$found: cites a document that is not in the tree"
done < <(grep -nE '\bSPEC( (section )?[0-9]|, )|\bSPEC\.md' $texts | cut -c1-120)

# --- tags ---
tags=$(grep -oE '^\*\*\[[^]]+\]\*\*' doc/references.md | tr -d '*')
while IFS=: read -r file line tag; do
  [[ $'\n'$tags$'\n' == *$'\n'"$tag"$'\n'* ]] || fault "$file:$line: $tag has no entry in doc/references.md"
done < <(grep -noE '\[([KS]|[A-Z][[:alpha:]-]+ [12][0-9]{3})\]' $texts)

# --- file names; `others` are files of other programs, of users and of examples; pages have files, too ---
others='lopcodes.h ltable.c btreeInt.h mine.c stealing.c a.c b.c task.sh merge.sh program.c program.h tasks.c mine.py first.py sweep.py'
others+=" $(grep -ohE '^```.* file=[^ ]+' $(grep '\.md$' <<<"$texts") | sed 's/.* file=//; s,.*/,,' | tr '\n' ' ')"
declare -A there # every file, by each end of its path
while IFS= read -r path; do
  while there[$path]=yes && [[ $path == */* ]]; do path=${path#*/}; done
done <<<"$tree"
while IFS=$'\t' read -r file line name; do
  cited=${name#./} cited=${cited#iasim/} # installed headers are in iasim/
  while [[ $cited == ../* ]]; do cited=${cited#../}; done
  [[ " $others " == *" ${cited##*/} "* ]] && continue
  [[ -n ${there[$cited]-} ]] || fault "$file:$line: cites $name, which is not in the tree"
done < <(awk -F '\t' '
  BEGIN {
    named = "[A-Za-z0-9_./*<{},$-]*[A-Za-z0-9_][.](c|h|cpp|hpp|sh|py|md|def|xsd)" \
      "($|[^A-Za-z0-9_./*-]|[.]($|[^A-Za-z0-9_]))"
  }
  {
    rest = $3
    while (match(rest, named)) {
      name = substr(rest, RSTART, RLENGTH); rest = substr(rest, RSTART + RLENGTH)
      sub(/[^a-z]+$/, "", name); sub(/^[{,.-]*/, "", name)
      if (name !~ /[*<{},$]|\/\/|^\/|NAME|^FILE\./) print $1 "\t" $2 "\t" name
    }
  }' <<<"$prose")

# --- sections ---
while IFS=$'\t' read -r file line page rest; do
  [[ -f $page ]] || continue # already found
  found=
  while IFS= read -r heading; do
    [[ $rest == "$heading" || $rest == "$heading"[^A-Za-z]* ]] && found=yes
  done < <(sed -n 's/^##* //p' "$page")
  [[ -n $found ]] || fault "$file:$line: $page has no section '${rest:0:30}'"
done < <(awk -F '\t' '{
    rest = $3
    while (match(rest, /doc\/[a-z_-]+\.md`?, [A-Z]/)) {
      page = substr(rest, RSTART, RLENGTH - 3); gsub(/[`,]/, "", page)
      rest = substr(rest, RSTART + RLENGTH - 1)
      print $1 "\t" $2 "\t" page "\t" substr(rest, 1, 60)
    }
  }' <<<"$prose")

((faults == 0)) && echo "$(wc -l <<<"$prose") comments and paragraphs"
