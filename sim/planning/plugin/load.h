/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Loading plugins: the program's side of plugin.h. */
#ifndef IASIM_PLUGIN_LOAD_H
#define IASIM_PLUGIN_LOAD_H

#include "base/err.h"

#include <stdbool.h>

/* Loads the plugin in the file at `path` (borrowed until the program ends) and registers what it holds after the
   existing ones. Call once for each plugin, before starting any thread or process. Errors, with the path: ERR_IO: not
   a regular file; ERR_INPUT: not a shared object, undefined symbols, not a plugin, built for another version of iasim,
   empty, names that are ill-formed or taken, missing functions or texts, bad parameters. */
enum err_code plugin_load(const char *path, struct err *e);

/* Whether the file at `path` is a plugin in Python, by its name; and whether this process can read those
   (iasim_plugin_reader). */
bool plugin_is_python(const char *path);
bool plugin_reads_python(void);

/* The loaded plugins in the order of loading; the path as it was given. */
int plugin_count(void);
const char *const *plugin_paths(void);

#endif
