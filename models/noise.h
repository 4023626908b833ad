/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Noise: how the simulated machine differs from what was believed when the plan was made. The work of an
   execution, the bytes of a transfer and the speed of a host are multiplied by gamma variates of mean 1. Each variate
   is drawn for one item from the seed and the item's name, so it depends on nothing else that is simulated, nor on the
   order in which things happen. */
#ifndef IASIM_MODELS_NOISE_H
#define IASIM_MODELS_NOISE_H

#include "base/err.h"
#include "base/gamma.h"
#include "machine/machine.h"

#include <stdint.h>

enum noise_kind { NOISE_WORK, NOISE_SIZE, NOISE_RATE, N_NOISE_KINDS };
extern const char *const noise_kind_names[N_NOISE_KINDS];

/* For help texts and lists of parameters. */
#define NOISE_SYNTAX "work=CV,size=CV,rate=CV"
#define NOISE_MEANING                                                                                                  \
    "multiplies the work of executions, the size of transfers, the speed of hosts by gamma variates of mean 1 and "    \
    "these coefficients of variation (0 to 3); size.HOST=CV: only what HOST receives, likewise work.HOST, rate.HOST"

struct noise { /* {0}: none */
    struct noise_item {
        enum noise_kind kind;
        char *host; /* NULL: all hosts that have no item of their own */
        double cv;
    } * items;
    size_t n_items;
    uint64_t seed;
    char *text; /* as it was given */
};

/* "work=0.1,size=0.3,size.Lab3=1": what a host computes, what it receives, how fast it is; commas or semicolons.
   Errors: ERR_INPUT; the message begins with "noise". */
enum err_code noise_parse(const char *text, uint64_t seed, struct noise *out, struct err *e);
void noise_clear(struct noise *n);

/* Errors: ERR_INPUT for a host that the machine does not have. `n` may be NULL. */
enum err_code noise_check_hosts(const struct noise *n, const struct machine *m, struct err *e);
double noise_cv(const struct noise *n, enum noise_kind kind, const char *host); /* `n` may be NULL: 0 */

struct noise_source { /* of variates for the things that have these names */
    double cv;
    uint64_t key;
};

/* `host` computes, or receives, what is called `name`, or goes from one to `other`; NULL: it has one name. */
struct noise_source noise_source_of(const struct noise *n, enum noise_kind kind, const char *host, const char *name,
                                    const char *other);
/* The variate for the number-th thing of this name, from 0. The same whenever it is asked for. */
double noise_draw(const struct noise_source *s, uint64_t number);

/* By which factor the host computes faster. `n` may be NULL. */
double noise_rate_ratio(const struct noise *n, const char *host);

#endif
