/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* A link as schedule files name it: SimGrid makes l_UP and l_DOWN of a split-duplex link l, files have its name and a
   direction (SPEC section 6). */
#ifndef IASIM_PLAN_LINK_FACE_H
#define IASIM_PLAN_LINK_FACE_H

#include "machine/machine.h"

#include <string.h>

struct link_face {
    size_t name_length; /* of the link's name, what the file shows */
    const char *direction;
};

static inline struct link_face link_face(const struct link *l)
{
    size_t n = strlen(l->name);
    if (l->sharing == LINK_SPLITDUPLEX && n > 3 && strcmp(l->name + n - 3, "_UP") == 0)
        return (struct link_face){n - 3, "up"};
    if (l->sharing == LINK_SPLITDUPLEX && n > 5 && strcmp(l->name + n - 5, "_DOWN") == 0)
        return (struct link_face){n - 5, "down"};
    return (struct link_face){n, "none"};
}

#endif
