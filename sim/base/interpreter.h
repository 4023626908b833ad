/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Which Python runs the scripts that come with the program. Users have several: Debian's, for which Debian's packages
   are, and those of virtual environments, pyenv or conda, which lack these packages but may have others that a plugin
   needs. */
#ifndef IASIM_BASE_INTERPRETER_H
#define IASIM_BASE_INTERPRETER_H

/* The path of the python3 that comes first in PATH, if it can run these statements ("import cffi"), else
   /usr/bin/python3, whether that can or not. `argument` is sys.argv[1] of the statements, or NULL. Fresh. */
char *interpreter_that_runs(const char *statements, const char *argument);

#endif
