/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The user as the one who waits for a search: on a terminal the line of progress shows how far it is, and the first
   Ctrl-C ends it with the best schedule that it has found. Programs that search nothing still die of Ctrl-C. */
#ifndef IASIM_CLI_SEARCH_WATCH_H
#define IASIM_CLI_SEARCH_WATCH_H

#include "schedulers/scheduler.h"

#include <stdbool.h>

extern const struct search_watch search_watch_user;
bool search_watch_was_stopped(void); /* by Ctrl-C or SIGTERM */

#endif
