/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Worlds of a plugin, for the layer. Not installed. */
#ifndef IASIM_SIMGRID_PLUGIN_WORLDS_H
#define IASIM_SIMGRID_PLUGIN_WORLDS_H

#include "base/err.h"

/* Loads the plugin at `path` and registers its worlds that change the speed of hosts. Errors: ERR_INPUT, with the
   path. */
enum err_code plugin_worlds_load(const char *path, struct err *e);

#endif
