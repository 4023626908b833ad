/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* How schedule files name a link. SimGrid splits a split-duplex link l into l_UP and l_DOWN; files give the name l and
   a direction (doc/model.md, Files). */
#ifndef IASIM_PLAN_LINK_IN_FILE_H
#define IASIM_PLAN_LINK_IN_FILE_H

#include "machine/machine.h"

#include <string.h>

struct link_in_file {
    size_t name_length; /* of the part of the link's name that the file shows */
    const char *direction;
};

static inline struct link_in_file link_in_file(const struct link *l)
{
    size_t n = strlen(l->name);
    if (l->sharing == LINK_SPLITDUPLEX && n > 3 && strcmp(l->name + n - 3, "_UP") == 0)
        return (struct link_in_file){n - 3, "up"};
    if (l->sharing == LINK_SPLITDUPLEX && n > 5 && strcmp(l->name + n - 5, "_DOWN") == 0)
        return (struct link_in_file){n - 5, "down"};
    return (struct link_in_file){n, "none"};
}

#endif
