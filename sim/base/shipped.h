/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The files that come with the program (scenarios, platforms, deployments). They are in the data folder: $IASIM_DATA,
   or PREFIX/share/iasim if the library is installed. */
#ifndef IASIM_BASE_SHIPPED_H
#define IASIM_BASE_SHIPPED_H

#include <stdbool.h>

/* A fresh string: `path` below the data folder. NULL: no such file or folder. */
char *shipped_path(const char *path);

/* The same for a file NAME or NAME.xml in the subfolder `folder` ("platforms"). */
char *shipped_file(const char *folder, const char *name);

/* The file of the program iasim: that of this process, unless shipped_program_is has said otherwise (`path` is borrowed
   until the process ends), as it does where the program runs within Python. Fresh; NULL: it is unknown. */
char *shipped_program(void);
void shipped_program_is(const char *path);

/* Whether another program of this name is in the PATH. */
bool program_is_installed(const char *name);

#endif
