#!/usr/bin/env bash
# SPDX-License-Identifier: LGPL-2.1-or-later
# make_man.sh PROGRAM LIBRARY VERSION FOLDER: writes the manual pages iasim.1 and iasim-COMMAND.1 there, from what the
# program says about itself, unless they are newer than the program and its library. Several may do so at once: each
# page appears whole.
set -euo pipefail
program=$1 library=$2 version=$3 folder=$4
stamp=$folder/.made
[[ -x $program ]] || { echo "make_man.sh: there is no $program" >&2 && exit 1; }
[[ ! $stamp -nt $program || ! $stamp -nt $library || ! $stamp -nt ${BASH_SOURCE[0]} ]] || exit 0
help=$("$program" --help) || { echo "make_man.sh: $program does not run" >&2 && exit 1; }
mkdir -p "$folder"
new=$(mktemp -d "$folder/new.XXXXXX")
trap 'rm -rf "$new"' EXIT

# Lines "  NAME  SUMMARY", up to the first line that is none.
commands() { sed -n '/^  [a-z_]\+ /p' <<<"$help" | sed 's/^  \([a-z_]\+\) */\1|/'; }
roff() { sed -e 's/\\/\\e/g' -e 's/-/\\-/g' <<<"$1"; }

# The sections of `iasim COMMAND --help`, which is text as it stands: roff's backslashes, hyphens and leading dots are
# made harmless.
sections() {
  awk '
    function text(line) {
      gsub(/\\/, "\\e", line)
      gsub(/-/, "\\-", line)
      return (line ~ /^[.\x27] */ ? "\\&" : "") line
    }
    function put(section, line) {
      if (section != shown && line ~ /^ *$/) return
      if (section != shown) { if (shown != "") print ".fi"; print ".SH " section; print ".nf" }
      shown = section
      print text(line)
    }
    BEGIN { part = "SYNOPSIS" }
    part == "SYNOPSIS" && !/^Usage: |^  or:  |^          / { part = "DESCRIPTION" }
    part == "DESCRIPTION" && /^  +-/ { part = "OPTIONS" }
    part == "OPTIONS" && /^$/ { is_paragraph = 1 }
    part == "OPTIONS" && is_paragraph && /^[^ ]/ && !/^Mandatory or optional|^for any corresponding/ { part = "NOTES" }
    /^Examples:$/ { part = "EXAMPLES"; next }
    part == "SYNOPSIS" { sub(/^(Usage: |  or:  )/, "") }
    { put(part, $0) }
    END { print ".fi" }'
}

write_command() { # write_command NAME SUMMARY
  cat <<END
.\" Made by make_man.sh from the program's own help.
.TH IASIM\-${1^^} 1 "" "iasim $version" "User Commands"
.SH NAME
iasim\-$1 \- $(roff "$2")
END
  COLUMNS=80 "$program" "$1" --help | sections
  cat <<'END'
.SH SEE ALSO
.BR iasim (1)
END
}

write_program() {
  cat <<END
.\" Made by make_man.sh from the program's own help.
.TH IASIM 1 "" "iasim $version" "User Commands"
.SH NAME
iasim \- simulate scheduling where communication slows computation down
.SH SYNOPSIS
.B iasim
[\fB\-\-plugin\fR \fIFILE\fR]...
.I COMMAND
[\fIOPTION\fR...]
.SH DESCRIPTION
iasim simulates scheduling on heterogeneous machines, on top of SimGrid, when communication is not free for the
processor. A run names what the scheduler believes and what the simulated world does, so that both can be compared.
.PP
Results go to standard output, progress and messages to standard error.
.SH COMMANDS
Each has a page of its own:
.BR "man iasim\-farm" .
END
  while IFS='|' read -r name summary; do
    printf '.TP\n.BR iasim\\-%s (1)\n%s\n' "$name" "$(roff "$summary")"
  done < <(commands)
  cat <<'END'
.SH OPTIONS
.TP
\fB\-\-plugin\fR \fIFILE\fR
Load schedulers, farm policies, actors, worlds and cost models from a shared object of your own, or schedulers from a
file in Python; may be given several times. The installed header
.I iasim/plugin.h
says how one is made.
.TP
.B \-\-version
Print the version.
.SH EXIT STATUS
.TP
0
Success.
.TP
1
The answer is no: an invalid schedule, a difference found by a comparison.
.TP
2
The input or the command line is wrong; the message says what was found and what was expected.
.TP
3
A fault of the program itself, or of another program that damaged what it wrote.
.TP
75
Stopped by a signal before it was done; what was finished is kept.
.SH ENVIRONMENT
.TP
.B IASIM_DATA
The folder with platforms, deployments, scenarios and analysis, if not the installed one.
.TP
.B IASIM_TOKEN
The token of
.BR iasim\-calibrate (1),
if it should not be in the list of processes.
.SH FILES
.TP
.I PREFIX/share/iasim
Platforms, deployments, scenarios and analysis that come with the program. A path such as
.I platforms/kreaseck-fork.xml
that does not exist in the current folder is looked for there.
.SH SEE ALSO
SimGrid, https://simgrid.org, whose platform and deployment files iasim reads.
END
}

write_program >"$new/iasim.1"
while IFS='|' read -r name summary; do
  write_command "$name" "$summary" >"$new/iasim-$name.1"
done < <(commands)
mv -f "$new"/*.1 "$folder"
touch "$stamp"
