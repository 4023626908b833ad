/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The files that come with the program (scenarios, platforms, deployments). They are in the data folder: $IASIM_DATA, or
   PREFIX/share/iasim if the library is installed. */
#ifndef IASIM_BASE_SHIPPED_H
#define IASIM_BASE_SHIPPED_H

/* A fresh string: `path` below the data folder. NULL: no such file or folder. */
char *shipped_path(const char *path);

/* The same for a file NAME or NAME.xml in the subfolder `folder` ("platforms"). */
char *shipped_file(const char *folder, const char *name);

#endif
