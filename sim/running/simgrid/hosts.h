/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The hosts of the program's platform and their transfers, for C++: what properties mean and whether they can be
   right is decided in sim/world/machine, what transfers do to the speed of a host in models. Hosts are numbered from
   0 in the order in which they are added, and stay. Not installed. */
#ifndef IASIM_SIMGRID_HOSTS_H
#define IASIM_SIMGRID_HOSTS_H

#include <stdbool.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

#include "base/err.h"
#include "simgrid/preload.h"

/* The world, and the plugin that it is in; NULL: it is ours. Errors: ERR_INPUT for an unknown world, for one that
   does more than change the speed of hosts, and for a plugin that cannot be loaded. */
enum err_code hosts_open(const char *world, const char *plugin, struct err *e);

/* These hosts, rates and world hold from now on, whatever properties say; they are borrowed. */
void hosts_take(const struct machine *machine, const struct world_model *world, layer_factor *factor);
bool hosts_are_taken(void);

int hosts_add(const char *name);
/* After those that were added together: from now on PEERs may be them. */
void hosts_seal(void);

/* A property of a host, or of a link, of which none matters here but a misspelt one is an error all the same. `file`
   is the platform's, "" if it has none. Errors: ERR_INPUT with the file, the line if it can be found, and the owner. */
enum err_code hosts_set_property(int host, const char *file, const char *id, const char *value, struct err *e);
enum err_code hosts_check_link_property(const char *link, const char *file, const char *id, const char *value,
                                        struct err *e);

/* Sets the rates that `iasim exec` was given for hosts without the property. Errors: ERR_INPUT with the variable. */
enum err_code hosts_set_default(int host, bool is_recv, struct err *e);

/* A sentence for the user when no host has a property that the world reads, in fresh memory; else NULL. */
char *hosts_warning(const char *file);

const char *hosts_name(int host);

/* Whether a transfer can slow this host down. */
bool hosts_has_rates(int host);

/* A transfer of this host begins; returns its place among those of the host. */
size_t hosts_enter(int host, bool is_recv, int peer);
/* It has ended; the last one takes its place. */
void hosts_leave(int host, size_t place);
void hosts_set_rate(int host, size_t place, double bytes_per_s);

/* What is left of the host's speed, 0 to 1. Errors: ERR_INPUT if the world is a plugin's that is at fault (not after
   hosts_take: its caller asks). */
double hosts_factor_ratio(int host, struct err *e);

/* As messages call the world. */
const char *hosts_world(void);

#ifdef __cplusplus
}
#endif
#endif
