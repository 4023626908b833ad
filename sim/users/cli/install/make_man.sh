#!/usr/bin/env bash
# SPDX-License-Identifier: LGPL-2.1-or-later
# make_man.sh PROGRAM VERSION PAGE: writes the manual page. The COMMANDS section is what the program says about itself.
set -euo pipefail
program=$1 version=$2 page=$3

# Text as it stands: roff's backslashes, hyphens and leading dots are made harmless.
verbatim() {
  echo .nf
  sed -e 's/\\/\\e/g' -e 's/-/\\-/g' -e "s/^[.']/\\\\\&&/"
  echo .fi
}

{
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
.SH OPTIONS
.TP
\fB\-\-plugin\fR \fIFILE\fR
Load schedulers and farm policies from a shared object of your own, or schedulers from a file in Python; may be given
several times. The installed header
.I iasim/plugin.h
says how one is made.
.TP
.B \-\-version
Print the version.
.SH COMMANDS
END
for command in $("$program" --help | sed -n 's/^  \([a-z_]\+\) .*/\1/p'); do
  echo ".SS $command"
  COLUMNS=80 "$program" "$command" --help | verbatim
done
cat <<'END'
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
A fault of the program itself.
.TP
75
Stopped by a signal before it was done; what was finished is kept.
.SH ENVIRONMENT
.TP
.B IASIM_DATA
The folder with platforms, deployments, scenarios and analysis, if not the installed one.
.SH FILES
.TP
.I PREFIX/share/iasim
Platforms, deployments, scenarios and analysis that come with the program. A path such as
.I platforms/kreaseck-fork.xml
that does not exist in the current folder is looked for there.
.SH SEE ALSO
SimGrid, https://simgrid.org, whose platform and deployment files iasim reads.
END
} >"$page.new"
mv "$page.new" "$page"
