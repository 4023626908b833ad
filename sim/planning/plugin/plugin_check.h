/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Checks whether a plugin can be used: its version, and everything that it registers. */
#ifndef IASIM_PLUGIN_PLUGIN_CHECK_H
#define IASIM_PLUGIN_PLUGIN_CHECK_H

#include "plugin/plugin.h"

/* Errors: ERR_INPUT, with the path. */
enum err_code plugin_check(const struct iasim_plugin *plugin, const char *path, struct err *e);

#endif
