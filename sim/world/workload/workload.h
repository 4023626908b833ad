/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Workloads: jobs, each a task graph, that arrive over time (doc/model.md, Online). What a file says, before any graph
   is read or made.

       <workload version="1">
         <job name="a" graph="a.dot" release="0" weight="1" deadline="20"/>
         <jobs generator="layered[tasks=40]" ccr="1" count="100" arrival="poisson[rate=0.1]" seed="1"/>
       </workload> */
#ifndef IASIM_WORKLOAD_WORKLOAD_H
#define IASIM_WORKLOAD_WORKLOAD_H

#include "base/err.h"

#include <stdint.h>

/* Jobs that are described together. Texts are fresh, or NULL. */
struct workload_group {
    char *name;      /* of a single job; of several what their names begin with. NULL: job1, job2, ... by their place */
    char *graph;     /* a path that can be opened; or else */
    char *generator; /* NAME[k=v,..] */
    double ccr;      /* to scale the edges to; 0: as they are */
    uint64_t seed;   /* of arrivals, and of the first graph; the second has the next one, ... */
    long count;
    double release_s; /* of the first; arrivals count from it */
    char *arrival;    /* NULL: at_once */
    double weight;
    double deadline_s, within_s; /* a date; or as many seconds after the release. INFINITY: there is none */
    int line;
};

struct workload {
    char *source;
    struct workload_group *groups;
    size_t n_groups, capacity;
};

/* Errors: ERR_IO, ERR_PARSE, ERR_INPUT with the line: unknown elements and attributes, values out of range, a job
   without a graph or with two, an unknown arrival. *out then needs no clearing. */
enum err_code workload_read(const char *path, struct workload *out, struct err *e);
enum err_code workload_parse(const char *bytes, size_t n, const char *path, struct workload *out, struct err *e);
void workload_clear(struct workload *w);

/* ---- when jobs arrive ---- */

enum release_kind { RELEASE_AT_ONCE, RELEASE_EVERY, RELEASE_POISSON, RELEASE_BURST, RELEASE_SWF, N_RELEASE_KINDS };

#define RELEASE_MEANING                                                                                                \
    "when jobs are released: at_once (if not given); every[s=S], one every S seconds from 0 on; poisson[rate=R], "     \
    "with "                                                                                                            \
    "independent exponential gaps; burst[size=N,every=S], N at a time; swf[file=FILE], as in a log of the Parallel "   \
    "Workloads Archive. load=L in place of a rate or of seconds: the work of all jobs is L times what the hosts can "  \
    "do meanwhile"

struct release_rule {
    enum release_kind kind;
    double every_s, rate_per_s, load_ratio; /* one of them, the others NAN; none of at_once and swf */
    long size;                              /* of a burst */
    char *file;
};

/* From "name[k=v,..]"; where a kind has one parameter its name may be left out. A relative file starts at `folder`
   (NULL: here). Errors: ERR_INPUT. */
enum err_code release_parse(const char *text, const char *folder, struct release_rule *out, struct err *e);
void release_clear(struct release_rule *r);

/* The dates of n jobs from 0 on, rising, into `out`. `work_s` is what all of them take on all hosts together, for
   `load`. The draws depend on the seed and the number of the job alone; another rate stretches them. Errors: those of
   reading a log; ERR_INPUT where it has fewer jobs, or a load is given for jobs without work. */
enum err_code release_dates(const struct release_rule *r, long n, double work_s, uint64_t seed, double *out,
                            struct err *e);

/* The submit times of a log in the Standard Workload Format, from the first one on; *n of them, fresh. Errors, with the
   line: ERR_IO, ERR_PARSE, ERR_INPUT (not a number, no jobs, times that fall). */
enum err_code swf_read(const char *path, double **out, long *n, struct err *e);

#endif
