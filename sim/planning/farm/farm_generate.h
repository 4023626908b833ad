/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Random farms: a platform and a deployment for it, as texts. Everything depends only on the options: the same
   seed gives the same bytes on any machine. Each host is drawn from its own stream, so host i is the same in a farm of
   any size. */
#ifndef IASIM_FARM_FARM_GENERATE_H
#define IASIM_FARM_FARM_GENERATE_H

#include "base/param.h"
#include "base/text.h"

#include <stdbool.h>
#include <stdint.h>

enum generate_shape { GENERATE_STAR, GENERATE_TREE };

enum { GENERATE_MAX_HOSTS = 10000000 };

struct generate_range { /* of values that are drawn; equal bounds fix the value */
    double min, max;
};

/* Units are those of the files. A list of X(field, option, unit, default minimum and maximum, whether it may
   be 0, meaning). */
#define GENERATE_RANGE_LIST(X)                                                                                         \
    X(speed_flop_per_s, "speed", "flop/s", 5, 25, false, "speed of a host")                                            \
    X(bandwidth_mb_per_s, "bandwidth", "MB/s", 1, 11, false, "bandwidth of a host's access, each direction")           \
    X(latency_s, "latency", "s", 0.0001, 0.001, true, "latency of a host's access")                                    \
    X(ir_send_per_mb_per_s, "ir-send", "per MB/s", 0.02, 0.065, true,                                                  \
      "interference at the parent when it sends to a host")                                                            \
    X(ir_recv_per_mb_per_s, "ir-recv", "per MB/s", 0.045, 0.09, true, "interference at a host when it receives")

/* For help texts and lists of parameters. */
#define GENERATE_DRAW_NAMES "uniform|log"
#define GENERATE_DRAW_MEANING "whether values are drawn uniformly, or their logarithms"
#define GENERATE_ROOT_SPEED_MEANING "speed of the root, if not as of any host"
/* clang-format off */
#define GENERATE_SHARED_MEANING                                                                                        \
    "part of the hosts whose access carries both directions together (receive_drop 1), if it is no wider than that "   \
    "of the parent"
/* clang-format on */
#define GENERATE_OWN_LINKS_MEANING "part of the nodes that have a link of their own to each child, and no send_limit"

struct generate_options {
    enum generate_shape shape;
    long n_hosts; /* 1 or more, the root included */
    uint64_t seed;
    long max_children; /* of a node of a tree, 1 or more: 1 makes a chain. Ignored for a star */
    bool draws_logs;   /* logarithms of values are drawn uniformly, not the values */
    /* Parts of the hosts, 0 to 1. Of those whose access, if it is no wider than that of the parent, carries both
       directions together, which the deployment states as a receive_drop of 1. And of those that have a link of their
       own to each child, of the bandwidth and the latency of the child's access, and state no send_limit. */
    double shared_ratio, own_links_ratio;
    struct generate_range root_speed_flop_per_s; /* {0, 0}: drawn as that of any host */
#define X(field, option, unit, min, max, may_be_zero, meaning) struct generate_range field;
    GENERATE_RANGE_LIST(X)
#undef X
};

struct generate_options generate_defaults(void); /* a tree of 16 hosts, at most 4 children, seed 1 */
const char *generate_shape_name(enum generate_shape shape);

/* All options except the seed, as parameters of "star[..]" and "tree[hosts=16,max-children=4,speed=5:25]". With
   hosts=MIN:MAX the seed draws how many there are. */
extern const struct param generate_params[];

/* Reads such a text. Errors: ERR_INPUT: unknown shape (the message lists the known ones), unknown, missing or bad
   parameter. */
enum err_code generate_choose(const char *text, uint64_t seed, struct generate_options *out, struct err *e);

/* Reads "MIN:MAX", or one number for both. False: neither of these. */
bool generate_parse_range(const char *text, struct generate_range *out);

/* Appends the texts of the two files. Errors: ERR_INPUT for an impossible number of hosts or children, or a bad
   range. */
enum err_code generate_farm(const struct generate_options *o, struct text *platform, struct text *deployment,
                            struct err *e);

#endif
