/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Internal to sim/world/machine: the checks of a platform file, one for each subject. They look for input on which
   SimGrid (3.32 and 4.0, by experiment) aborts, crashes, hangs or loads something other than what was written. Input
   that SimGrid itself refuses with an exception is left to it, and input that it loads correctly is never refused. */
#ifndef IASIM_MACHINE_PLATFORM_CHECK_H
#define IASIM_MACHINE_PLATFORM_CHECK_H

#include "base/err.h"
#include "base/name_index.h"
#include "base/xml.h"

#include <stdbool.h>
#include <stddef.h>

struct platform_xml {
    char *path;
    xmlDocPtr doc;
    char **files; /* other files that it refers to */
    size_t n_files, files_capacity;
    bool connects_traces;
};

struct platform_check {
    struct platform_xml *xml;
    const char *path;
    const xmlNode *root;
    const char *search_path; /* <config> "path": one more folder to look for files in, or NULL */
    /* Filled by check_names; the numbers are lines. */
    struct name_index *nodes; /* hosts, peers, routers */
    struct name_index *zones; /* clusters too */
    struct name_index *links; /* as SimGrid names them: l_UP and l_DOWN for a split-duplex l */
    struct name_index *split_links;
    char **owned; /* names made here, to be freed */
    size_t n_owned, owned_capacity;
    struct err *e;
};

/* Errors: ERR_INPUT, with the line. */
enum err_code check_elements(struct platform_check *c); /* which element may be where; call it first */
enum err_code check_config(struct platform_check *c);
enum err_code check_quantities(struct platform_check *c); /* speeds, bandwidths, times, cores, coordinates */
enum err_code check_names(struct platform_check *c);      /* no name is used twice */
enum err_code check_routes(struct platform_check *c);     /* after check_names */
enum err_code check_profiles(struct platform_check *c);   /* after check_config */

/* A number with one of SimGrid's units, in SI. */
enum unit { UNIT_FLOP_PER_S, UNIT_BYTES_PER_S, UNIT_S };
enum quantity_state { QUANTITY_OK, QUANTITY_NO_NUMBER, QUANTITY_NO_UNIT, QUANTITY_UNKNOWN_UNIT };
enum quantity_state quantity_parse(const char *text, enum unit unit, double *out);
const char *quantity_units(enum unit unit); /* for messages */

/* Checks a profile's text as SimGrid reads it. `period_s` is that of its <trace>; 0 or less: it has no period. `line`
   is where the text begins in `source`. */
enum err_code profile_check(const char *text, double period_s, const char *source, int line, struct err *e);

/* Calls `range` for each range of a list such as "1-4,6", in order. False: `text` is not such a list, or `range`
   returned false. */
bool radical_parse(const char *text, bool (*range)(void *self, long first, long last), void *self);

bool routing_is(const xmlNode *zone, const char *routing); /* letter case does not matter to SimGrid */
bool is_zone(const xmlNode *element);                      /* <zone> and <AS> */
bool is_split_duplex(const xmlNode *link);
const char *id_of(const xmlNode *element); /* never NULL */

#endif
