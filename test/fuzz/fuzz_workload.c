/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Workload files: of what is accepted each job has one graph, numbers in range, and an arrival whose dates are finite
   and rise from 0 on; what is not accepted has a reason and leaves nothing behind. */
#include "fuzz.h"
#include "workload/workload.h"

#include <math.h>
#include <stdint.h>

enum { MOST_DATES = 100 };

/* A log is another file, which may be missing. */
static void dates_rise(const char *arrival, long n_jobs, uint64_t seed)
{
    struct release_rule rule;
    struct err e = {0};
    double dates_s[MOST_DATES];
    long n = n_jobs < MOST_DATES ? n_jobs : MOST_DATES;
    require(release_parse(arrival, "", &rule, &e) == ERR_NONE);
    if (rule.kind != RELEASE_SWF) {
        require(release_dates(&rule, n, 1e3, seed, dates_s, &e) == ERR_NONE);
        for (long i = 0; i < n; i++)
            require(isfinite(dates_s[i]) && dates_s[i] >= (i > 0 ? dates_s[i - 1] : 0));
    }
    release_clear(&rule);
}

static void check_group(const struct workload_group *g)
{
    require((g->graph != NULL) != (g->generator != NULL));
    require(g->name == NULL || g->name[0] != '\0');
    require(g->ccr >= 0 && g->ccr <= 1e12 && g->weight > 0 && g->weight <= 1e12);
    require(g->count >= 1 && g->count <= 10000000 && g->line >= 1);
    require(g->release_s >= 0 && g->release_s <= 1e15 && g->deadline_s >= g->release_s && g->within_s >= 0);
    if (g->arrival != NULL)
        dates_rise(g->arrival, g->count, g->seed);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t n)
{
    struct workload w;
    struct err e = {0};
    enum err_code code = workload_parse((const char *)bytes, n, "fuzz.xml", &w, &e);
    if (code == ERR_NONE) {
        require(w.n_groups >= 1 && w.source != NULL);
        for (size_t i = 0; i < w.n_groups; i++)
            check_group(&w.groups[i]);
        workload_clear(&w);
    } else
        require(e.code == code && e.text[0] != '\0');
    require(w.groups == NULL && w.source == NULL && w.n_groups == 0);
    return 0;
}
